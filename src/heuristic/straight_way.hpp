// Whether an estimate leads straight to a violation: from the start each step lowers it by what the step costs, and in
// the end there is what it promised. Then A* takes the same way, and expands nothing else.
#pragma once

#include <functional>

#include "heuristic/evaluator.hpp"
#include "heuristic/goal_test.hpp"
#include "heuristic/projected_steps.hpp"

namespace fathom {

class StraightWay {
 public:
  using Estimate = std::function<std::uint32_t(StateView)>;

  // All must outlive this. `costs`: per edge; none: one each.
  StraightWay(const Goals& goals, Executor& model, const std::vector<Cost>& costs, const Estimate& estimate)
      : goals_(goals, model), model_(model), costs_(costs), estimate_(estimate) {}

  // From the nearest of the start states. After the deadline nothing is found.
  [[nodiscard]] bool is_there(ThreadClock::time_point deadline);

 private:
  [[nodiscard]] StateBuffer nearest_start();
  [[nodiscard]] bool ends_here(std::uint32_t left);
  // False: no step leads on.
  [[nodiscard]] bool go_on(std::uint32_t left);
  [[nodiscard]] Cost cost_of(std::uint32_t step) const {
    return costs_.empty() ? step_cost : costs_[edge_of(steps_.instance(step))];
  }

  static constexpr std::size_t longest = 5000;  // steps

  GoalTest goals_;
  Executor& model_;
  const std::vector<Cost>& costs_;
  const Estimate& estimate_;
  StateBuffer state_;
  Batch steps_;
};

}  // namespace fathom
