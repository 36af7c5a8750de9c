// An abstraction database (Edelkamp, Lluch-Lafuente 2004; the survey's section 3): the states of a program projected to
// a pattern, a few of its cells, with the least cost from each of them to a violation. The projected states are
// enumerated forwards from the start states under a may-semantics (projected_steps.hpp), so that every run of the
// program has a run here; then the distances are found backwards.
//
// Where the limits end the enumeration, the states that were not expanded count as violations: a distance is never more
// than what is really needed. A state that is not in the table has distance 0.
//
// There can be two distances: one in which every step counts, and one in which only the steps of some agents do. If
// each agent's count in one of several tables at most, the second distances can be added up.
#pragma once

#include <cstdint>
#include <vector>

#include "heuristic/evaluator.hpp"
#include "heuristic/projected_steps.hpp"
#include "heuristic/step_graph.hpp"

namespace fathom {

// Violations that are looked for together.
struct Aim {
  std::vector<std::size_t> violations;  // numbers of MaySteps::state_violations()
  std::vector<bool> failing;            // per instance: its failing counts
  std::vector<std::uint32_t> blocked;   // instances none of which is possible
};

// Per instance. Without owners there is one distance.
struct StepWeights {
  std::vector<Cost> costs;
  std::vector<std::uint32_t> owners = {};
};

struct AbstractionLimits {
  std::size_t states = 0;
  ThreadClock::time_point deadline;
};

class AbstractionTable {
 public:
  static constexpr std::uint32_t never = StepGraph::never;

  AbstractionTable(ProjectedSteps& projected, const MaySteps& steps, const ModelFacts& facts, const Aim& aim,
                   const StepWeights& weights, const AbstractionLimits& limits);

  [[nodiscard]] std::uint32_t number_of(StateView state) const { return numbers_.find(projection_.key_of(state)); }
  [[nodiscard]] std::uint32_t distance(StateView state) const { return at(distances_, number_of(state)); }
  [[nodiscard]] std::uint32_t distance_of_key(std::uint64_t key) const { return at(distances_, numbers_.find(key)); }
  // Both by the number of a state.
  [[nodiscard]] std::uint32_t all_of(std::uint32_t number) const { return at(distances_, number); }
  [[nodiscard]] std::uint32_t share_of(std::uint32_t number) const { return at(shares_, number); }

  // The distances, by the numbers of states, if only the steps of these owners count.
  using Distances = StepGraph::Distances;
  [[nodiscard]] Distances counting(const std::vector<bool>& owners) const { return graph_.distances(ends_, owners); }
  // From here on these are the shares.
  void count(const std::vector<bool>& owners) { shares_ = counting(owners); }
  // The last shares stay.
  void forget_steps() { graph_ = {}; }

  [[nodiscard]] bool is_complete() const { return complete_; }
  [[nodiscard]] std::size_t size() const { return numbers_.size(); }
  [[nodiscard]] const Projection& projection() const { return projection_; }
  [[nodiscard]] const std::vector<std::uint32_t>& relevant() const { return relevant_; }
  // Of some start state; `never` if no violation is possible.
  [[nodiscard]] std::uint32_t at_start() const { return at_start_; }

 private:
  [[nodiscard]] static std::uint32_t at(const Distances& distances, std::uint32_t number) {
    return number == KeyNumbers::none ? 0 : distances[number];
  }
  void find_relevant(const ProjectedSteps& projected, const MaySteps& steps, const ModelFacts& facts, const Aim& aim);
  void enumerate(ProjectedSteps& projected, const MaySteps& steps, const Aim& aim, const StepWeights& weights,
                 const AbstractionLimits& limits);
  void expand(ProjectedSteps& projected, std::uint32_t number, const Aim& aim, const StepWeights& weights);
  [[nodiscard]] static bool is_violation(ProjectedSteps& projected, std::uint64_t key, const Aim& aim);

  static constexpr std::size_t edges_per_state = 64;         // on average, before it is too much
  static constexpr std::uint32_t states_between_looks = 32;  // at the clock, which takes as long as a state

  const Projection projection_;
  std::vector<std::uint32_t> relevant_;  // instances
  ByPlace by_place_;                     // the same
  KeyNumbers numbers_;
  std::vector<std::uint32_t> ends_;  // per state: the cost after which there is a violation, without any edge
  StepGraph graph_;
  Distances distances_, shares_;
  bool complete_ = true;
  std::uint32_t at_start_ = never;
};

}  // namespace fathom
