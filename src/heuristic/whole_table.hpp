// The table of the pattern that leaves nothing out. Refinement that goes on until it is decided ends with all
// variables, where projected states are states and the steps are the model's own: so they are executed and not followed
// in all ways that may be, and under symmetry one state stands for all that are alike.
//
// It is a breadth-first search, with the cost of one, and where it meets a violation it goes on to the end of that
// depth. Then it knows of every state up to there how far from a violation it is, or that it is farther than the
// nearest one: states that it has come to and not expanded are no violations, and so at least one step away from any. A
// search that follows it walks straight to the violation. If it has met none, be it that it was cut off or that there
// is none, it tells nothing: that a property holds is for the search to say, which also tells what it has seen.
//
// A state that is not in the table has distance 0.
#pragma once

#include <functional>

#include "heuristic/goal_test.hpp"
#include "heuristic/projected_steps.hpp"
#include "heuristic/step_graph.hpp"
#include "store/indexed_store.hpp"

namespace fathom {

struct WholeLimits {
  std::size_t states = 0;
  std::uint64_t bytes = 0;
  ThreadClock::time_point deadline;
};

class WholeTable {
 public:
  static constexpr std::uint32_t never = StepGraph::never;
  // Maps a state to the one that stands for all that are alike, in place.
  using Canonicalise = std::function<void(std::uint64_t*)>;

  // `costs`: per edge; none: one each. `canonicalise`: null without symmetry. The model is left quiet.
  WholeTable(const Goals& goals, Executor& model, const std::vector<Cost>& costs, const Canonicalise& canonicalise,
             const WholeLimits& limits);

  // Whether it tells anything: it has met a violation.
  [[nodiscard]] bool tells() const { return !distances_.empty(); }
  [[nodiscard]] std::size_t size() const { return store_.size(); }
  // Of a state as the search keeps it.
  [[nodiscard]] std::uint32_t distance(StateView state) const;

 private:
  IndexedStore store_;
  StepGraph::Distances distances_;
};

}  // namespace fathom
