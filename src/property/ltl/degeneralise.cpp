#include "property/ltl/degeneralise.hpp"

#include <limits>
#include <map>

#include "property/ltl/formula.hpp"

namespace fathom::ltl {
namespace {

constexpr std::size_t max_copies = 2'000'000;

// A state of the result is a state with a level: how many marks, in the given order, have been seen since the last
// accepting state. At the last level the state is accepting, and waiting begins anew. Three things keep the result
// small (after Gastin and Oddoux, CAV 2001, and Babiak, Badie, Duret-Lutz, Křetínský and Strejček, SPIN 2013): an edge
// can climb several levels; a state whose edges all have the mark that is waited for climbs on arrival; and levels
// count only inside an accepting component, so that one copy of its states may be chosen for those who enter.
class Degeneraliser {
 public:
  Degeneraliser(const Generalised& automaton, std::span<const std::uint32_t> order)
      : automaton_(automaton), order_(order), components_(components_of(automaton)), common_(automaton.size()) {
    for (std::uint32_t state = 0; state < automaton.size(); ++state) common_[state] = common_marks(state);
  }

  Generalised run() {
    result_.mark_count = 1;
    result_.initial = number_of(automaton_.initial, arrival(automaton_.initial, 0));
    for (std::uint32_t next = 0; next < copies_.size(); ++next) expand(next);
    enter_last_copies();
    return std::move(result_);
  }

 private:
  struct Copy {
    std::uint32_t state = 0;
    std::uint32_t level = 0;
    friend auto operator<=>(const Copy&, const Copy&) = default;
  };

  [[nodiscard]] std::uint32_t last_level() const { return static_cast<std::uint32_t>(order_.size()); }
  [[nodiscard]] bool inside(std::uint32_t from, std::uint32_t to) const {
    return components_.of[from] == components_.of[to] && components_.accepting[components_.of[to]];
  }

  [[nodiscard]] Marks common_marks(std::uint32_t state) const {
    Marks common = automaton_.all_marks();
    for (const auto& edge : automaton_.edges[state])
      if (inside(state, edge.target)) common &= edge.marks;
    return common;
  }

  [[nodiscard]] std::uint32_t climb(std::uint32_t level, Marks marks) const {
    while (level < last_level() && (marks >> order_[level] & 1) != 0) ++level;
    return level;
  }

  [[nodiscard]] std::uint32_t arrival(std::uint32_t state, std::uint32_t level) const {
    return components_.accepting[components_.of[state]] ? climb(level, common_[state]) : 0;
  }

  [[nodiscard]] bool accepting(const Copy& copy) const {
    return components_.accepting[components_.of[copy.state]] && copy.level == last_level();
  }

  std::uint32_t number_of(std::uint32_t state, std::uint32_t level) {
    const Copy copy{state, level};
    const auto [place, is_new] = numbers_.emplace(copy, static_cast<std::uint32_t>(copies_.size()));
    if (is_new) copies_.push_back(copy);
    if (copies_.size() > max_copies) throw LimitError("the automaton has too many states and acceptance sets");
    return place->second;
  }

  void expand(std::uint32_t number) {
    const Copy copy = copies_[number];
    const Marks mark = accepting(copy) ? 1 : 0;
    const std::uint32_t base = copy.level == last_level() ? 0 : copy.level;
    std::vector<Generalised::Edge> edges;
    for (const auto& edge : automaton_.edges[copy.state]) {
      const bool stays = inside(copy.state, edge.target);
      const std::uint32_t level = arrival(edge.target, stays ? climb(base, edge.marks) : 0);
      edges.push_back({number_of(edge.target, level), edge.condition, mark});
    }
    result_.edges.push_back(std::move(edges));
  }

  // All copies of a state have the same language, so whoever enters a component can go to the copies that are last in
  // the order of the components of the result: they reach no others.
  void enter_last_copies() {
    const Components components = components_of(result_);
    std::vector<std::uint32_t> last(automaton_.size(), std::numeric_limits<std::uint32_t>::max());
    for (std::uint32_t copy = 0; copy < copies_.size(); ++copy) {
      std::uint32_t& best = last[copies_[copy].state];
      if (best == std::numeric_limits<std::uint32_t>::max() || components.of[copy] < components.of[best]) best = copy;
    }
    result_.initial = last[copies_[result_.initial].state];
    for (std::uint32_t copy = 0; copy < copies_.size(); ++copy)
      for (auto& edge : result_.edges[copy])
        if (!inside(copies_[copy].state, copies_[edge.target].state)) edge.target = last[copies_[edge.target].state];
  }

  const Generalised& automaton_;
  std::span<const std::uint32_t> order_;
  Components components_;
  std::vector<Marks> common_;
  Generalised result_;
  std::map<Copy, std::uint32_t> numbers_;
  std::vector<Copy> copies_;
};

}  // namespace

Generalised degeneralised(const Generalised& automaton, std::span<const std::uint32_t> order) {
  return Degeneraliser(automaton, order).run();
}

}  // namespace fathom::ltl
