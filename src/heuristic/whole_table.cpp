#include "heuristic/whole_table.hpp"

#include <algorithm>

namespace fathom {

namespace {

class WholeEnumeration {
 public:
  // Where deadlocks are looked for, a state may be one until its steps are known.
  WholeEnumeration(const Goals& goals, Executor& model, const std::vector<Cost>& costs,
                   const WholeTable::Canonicalise& canonicalise, const WholeLimits& limits, IndexedStore& store)
      : model_(model),
        costs_(costs),
        canonicalise_(canonicalise),
        limits_(limits),
        last_expansion_(limits.deadline - (limits.deadline - ThreadClock::now()) / part_for_distances),
        goals_(goals, model),
        unexpanded_(goals.deadlock  ? 0
                    : costs.empty() ? step_cost
                                    : *std::ranges::min_element(costs)),
        store_(store) {
    model_.quiet(true);
  }

  // Whether it has met a violation.
  bool run() {
    if (!add_starts()) return false;
    std::uint32_t number = 0, depth = 0;
    for (std::uint64_t end_of_level = store_.size(); number < store_.size(); ++number) {
      if (number == end_of_level) {
        if (is_enough(++depth)) break;
        end_of_level = store_.size();
      }
      const bool late = number % states_between_looks == 0 && ThreadClock::now() > last_expansion_;
      if (late || !has_room() || !expand(number, depth)) break;
    }
    for (; number < ends_.size(); ++number) ends_[number] = std::min(ends_[number], unexpanded_);
    return nearest_ != WholeTable::never;
  }

  [[nodiscard]] StepGraph::Distances distances() {
    graph_.sort(ends_.size());
    return graph_.distances(ends_, {true});
  }

 private:
  bool add_starts() {
    model_.initial(steps_);
    if (!store_.reserve(steps_.size() + 1)) return false;
    for (std::uint32_t k = 0; k < steps_.size(); ++k)
      if (steps_.outcome(k).has_successor()) add(steps_.words(k), 0);
    return true;
  }

  [[nodiscard]] bool has_room() const {
    return store_.size() <= limits_.states && store_.bytes() + 2 * graph_.bytes() <= limits_.bytes;
  }

  // Whether nothing at this depth or beyond can be nearer than what has been met, or as near.
  [[nodiscard]] bool is_enough(std::uint32_t depth) const {
    return costs_.empty() && nearest_ != WholeTable::never && depth + unexpanded_ > nearest_;
  }

  // False: there is no room for its successors.
  [[nodiscard]] bool expand(std::uint32_t number, std::uint32_t depth) {
    const StateView stored = store_.state(StateId{number});
    state_.assign(stored.begin(), stored.end());
    steps_.clear();
    model_.successors(state_, steps_);
    if (!store_.reserve(steps_.size())) return false;
    if (goals_.is_deadlock(state_, steps_)) end(number, depth, 0);
    for (std::uint32_t k = 0; k < steps_.size(); ++k) {
      const Cost cost = costs_.empty() ? step_cost : costs_[edge_of(steps_.instance(k))];
      if (goals_.fails(steps_.outcome(k))) end(number, depth, cost);
      if (!steps_.outcome(k).has_successor()) continue;
      const std::uint32_t to = add(steps_.words(k), depth + 1);
      if (to != number) graph_.add({number, to, cost});
    }
    return true;
  }

  std::uint32_t add(std::uint64_t* state, std::uint32_t depth) {
    if (canonicalise_) canonicalise_(state);
    const StateView view{state, store_.words()};
    const Inserted inserted = store_.insert(view, store_.hash(view));
    const auto number = static_cast<std::uint32_t>(index_of(inserted.id));
    if (inserted.fresh) {
      ends_.push_back(WholeTable::never);
      if (goals_.is_violated(view)) end(number, depth, 0);
    }
    return number;
  }

  void end(std::uint32_t number, std::uint32_t depth, Cost after) {
    ends_[number] = std::min(ends_[number], after);
    nearest_ = std::min(nearest_, depth + after);
  }

  static constexpr std::uint32_t states_between_looks = 32;  // at the clock
  static constexpr std::int64_t part_for_distances = 8;      // of the time: they are found when all states are there

  Executor& model_;
  const std::vector<Cost>& costs_;
  const WholeTable::Canonicalise& canonicalise_;
  const WholeLimits& limits_;
  const ThreadClock::time_point last_expansion_;
  GoalTest goals_;
  const Cost unexpanded_;  // the least that it takes from a state that is no violation and was not expanded
  IndexedStore& store_;
  StateBuffer state_;  // that is being expanded
  Batch steps_;
  StepGraph graph_;
  StepGraph::Distances ends_;
  std::uint32_t nearest_ = WholeTable::never;  // of all violations, from the start, where each step costs one
};

}  // namespace

WholeTable::WholeTable(const Goals& goals, Executor& model, const std::vector<Cost>& costs,
                       const Canonicalise& canonicalise, const WholeLimits& limits)
    : store_(model.state_words(), limits.bytes) {
  WholeEnumeration enumeration(goals, model, costs, canonicalise, limits, store_);
  if (enumeration.run()) distances_ = enumeration.distances();
}

std::uint32_t WholeTable::distance(StateView state) const {
  if (!tells()) return 0;
  const std::optional<StateId> found = store_.look_up(state, store_.hash(state));
  return found ? distances_[index_of(*found)] : 0;
}

}  // namespace fathom
