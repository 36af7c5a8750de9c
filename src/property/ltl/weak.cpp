#include "property/ltl/weak.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "property/ltl/cubes.hpp"

namespace fathom::ltl {
namespace {

constexpr std::uint32_t max_component_states = 64;  // a set of states is one word
constexpr int max_atoms = 6;
constexpr std::size_t max_sets = 1000;

using StateSet = std::uint64_t;

std::uint64_t atoms_of(const Generalised& automaton) {
  std::uint64_t atoms = 0;
  for (const auto& edges : automaton.edges)
    for (const auto& edge : edges) atoms |= edge.condition.positive | edge.condition.negative;
  return atoms;
}

// We determinise by sets of states without looking at acceptance, let one word for each component say whether the
// component is accepting, and check afterwards that the automaton so made has the right language. If there is a weak
// deterministic automaton at all, this gives one.
class WeakDeterminiser {
 public:
  WeakDeterminiser(const Generalised& accepting, const Generalised& rejecting)
      : accepting_(accepting), rejecting_(rejecting), atoms_(atoms_of(accepting) | atoms_of(rejecting)) {}

  std::optional<Generalised> run() {
    if (accepting_.size() > max_component_states || rejecting_.size() > max_component_states ||
        std::popcount(atoms_) > max_atoms)
      return std::nullopt;
    list_letters();
    if (!determinise()) return std::nullopt;
    components_ = components_of(graph_);
    judge_components();
    if (meets(accepting_, false) || meets(rejecting_, true)) return std::nullopt;
    colour();
    return quotient();
  }

 private:
  void list_letters() {
    std::uint64_t letter = 0;
    do {
      letters_.push_back(letter);
      letter = (letter - atoms_) & atoms_;  // the next subset
    } while (letter != 0);
  }

  [[nodiscard]] StateSet successors(StateSet set, std::uint64_t letter) const {
    StateSet result = 0;
    for (StateSet rest = set; rest != 0; rest &= rest - 1)
      for (const auto& edge : accepting_.edges[static_cast<std::size_t>(std::countr_zero(rest))])
        if (edge.condition.admits(letter)) result |= StateSet{1} << edge.target;
    return result;
  }

  std::uint32_t number_of(StateSet set) {
    const auto [place, is_new] = numbers_.emplace(set, static_cast<std::uint32_t>(sets_.size()));
    if (is_new) sets_.push_back(set);
    return place->second;
  }

  // State k of the graph is a set; its edge for letter n is the nth.
  bool determinise() {
    number_of(StateSet{1} << accepting_.initial);
    for (std::size_t next = 0; next < sets_.size(); ++next) {
      if (sets_.size() > max_sets) return false;
      std::vector<Generalised::Edge> edges;
      for (const std::uint64_t letter : letters_)
        edges.push_back({number_of(successors(sets_[next], letter)), {letter, atoms_ & ~letter}, 0});
      graph_.edges.push_back(std::move(edges));
    }
    return true;
  }

  void judge_components() {
    good_.assign(components_.size(), false);
    std::vector<bool> judged(components_.size(), false);
    for (std::uint32_t state = 0; state < graph_.size(); ++state) {
      const std::uint32_t component = components_.of[state];
      if (judged[component] || !components_.cyclic[component]) continue;
      judged[component] = true;
      good_[component] = accepts_for_ever(sets_[state], circle_through(state));
    }
  }

  // Letters that lead from the state back to it, found breadth first.
  [[nodiscard]] std::vector<std::uint64_t> circle_through(std::uint32_t state) const {
    std::map<std::uint32_t, std::pair<std::uint32_t, std::uint64_t>> reached_by;  // state before, letter
    std::vector<std::uint32_t> open{state};
    for (std::size_t next = 0; next < open.size() && reached_by.count(state) == 0; ++next)
      for (std::size_t k = 0; k < letters_.size(); ++k) {
        const std::uint32_t target = graph_.edges[open[next]][k].target;
        if (components_.of[target] != components_.of[state]) continue;
        if (reached_by.emplace(target, std::pair(open[next], letters_[k])).second) open.push_back(target);
      }
    std::vector<std::uint64_t> word;
    std::uint32_t at = state;
    do {
      const auto& [before, letter] = reached_by.at(at);
      word.push_back(letter);
      at = before;
    } while (at != state);
    std::reverse(word.begin(), word.end());
    return word;
  }

  // Whether the automaton accepts the word repeated for ever from one of the states: a product with the positions.
  [[nodiscard]] bool accepts_for_ever(StateSet set, const std::vector<std::uint64_t>& word) const {
    const auto length = static_cast<std::uint32_t>(word.size());
    Generalised product;
    product.mark_count = 1;
    product.edges.resize(std::size_t{accepting_.size()} * length + 1);
    product.initial = product.size() - 1;
    for (StateSet rest = set; rest != 0; rest &= rest - 1)
      product.edges[product.initial].push_back({static_cast<std::uint32_t>(std::countr_zero(rest)) * length, {}, 0});
    for (std::uint32_t state = 0; state < accepting_.size(); ++state)
      for (std::uint32_t position = 0; position < length; ++position)
        for (const auto& edge : accepting_.edges[state])
          if (edge.condition.admits(word[position]))
            product.edges[state * length + position].push_back(
                {edge.target * length + (position + 1) % length, {}, edge.marks});
    return accepts_something(product);
  }

  static bool accepts_something(const Generalised& automaton) {
    const Generalised rest = trimmed(automaton, Acceptance::on_edges);
    return !rest.edges[rest.initial].empty();
  }

  // Whether the automaton accepts a word that ends up in a component judged this way.
  [[nodiscard]] bool meets(const Generalised& automaton, bool judged) const {
    Generalised product;
    product.mark_count = 1;
    product.initial = automaton.initial * graph_.size();
    product.edges.resize(std::size_t{automaton.size()} * graph_.size());
    for (std::uint32_t state = 0; state < automaton.size(); ++state)
      for (std::uint32_t set = 0; set < graph_.size(); ++set)
        for (const auto& edge : automaton.edges[state]) {
          const bool counts = good_[components_.of[set]] == judged;
          for (std::size_t k = 0; k < letters_.size(); ++k)
            if (edge.condition.admits(letters_[k]))
              product.edges[state * graph_.size() + set].push_back(
                  {edge.target * graph_.size() + graph_.edges[set][k].target, {}, counts ? edge.marks : 0});
        }
    return accepts_something(product);
  }

  // Löding's colours: even for accepting, never smaller than those of successors, and as small as that allows. States
  // on no circle get theirs from their successors, so that equivalent states have equal colours.
  void colour() {
    std::vector<std::vector<std::uint32_t>> members(components_.size());
    for (std::uint32_t state = 0; state < graph_.size(); ++state) members[components_.of[state]].push_back(state);
    colours_.assign(components_.size(), 0);
    for (std::uint32_t component = 0; component < components_.size(); ++component) {
      std::uint32_t& colour = colours_[component];
      for (const std::uint32_t state : members[component])
        for (const auto& edge : graph_.edges[state]) colour = std::max(colour, colours_[components_.of[edge.target]]);
      if (components_.cyclic[component] && (colour % 2 == 0) != good_[component]) ++colour;
    }
  }

  [[nodiscard]] bool accepting_set(std::uint32_t state) const { return colours_[components_.of[state]] % 2 == 0; }

  // Moore's refinement.
  [[nodiscard]] std::vector<std::uint32_t> classes() const {
    std::vector<std::uint32_t> of(graph_.size());
    for (std::uint32_t state = 0; state < graph_.size(); ++state) of[state] = accepting_set(state) ? 1 : 0;
    for (std::size_t count = 0;;) {
      std::map<std::vector<std::uint32_t>, std::uint32_t> numbers;
      std::vector<std::uint32_t> finer(graph_.size());
      for (std::uint32_t state = 0; state < graph_.size(); ++state) {
        std::vector<std::uint32_t> key{of[state]};
        for (const auto& edge : graph_.edges[state]) key.push_back(of[edge.target]);
        finer[state] = numbers.emplace(std::move(key), static_cast<std::uint32_t>(numbers.size())).first->second;
      }
      of = std::move(finer);
      if (numbers.size() == count) return of;
      count = numbers.size();
    }
  }

  [[nodiscard]] Generalised quotient() const {
    const std::vector<std::uint32_t> of = classes();
    Generalised result;
    result.mark_count = 1;
    result.initial = of[0];
    result.edges.resize(*std::max_element(of.begin(), of.end()) + 1);
    for (std::uint32_t state = 0; state < graph_.size(); ++state) {
      if (!result.edges[of[state]].empty()) continue;
      for (const auto& edge : graph_.edges[state])
        result.edges[of[state]].push_back({of[edge.target], edge.condition, accepting_set(state) ? Marks{1} : 0});
    }
    return trimmed(result, Acceptance::on_states);
  }

  const Generalised& accepting_;
  const Generalised& rejecting_;
  std::uint64_t atoms_;
  std::vector<std::uint64_t> letters_;
  Generalised graph_;
  std::map<StateSet, std::uint32_t> numbers_;
  std::vector<StateSet> sets_;
  Components components_;
  std::vector<bool> good_;
  std::vector<std::uint32_t> colours_;
};

}  // namespace

std::optional<Generalised> minimal_weak(const Generalised& accepting, const Generalised& rejecting) {
  return WeakDeterminiser(accepting, rejecting).run();
}

}  // namespace fathom::ltl
