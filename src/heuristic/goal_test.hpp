// What a search would report, asked of the model itself: of a state, of a step, and of a state with its steps.
#pragma once

#include "heuristic/goals.hpp"
#include "model/executor.hpp"

namespace fathom {

class GoalTest {
 public:
  // Both must outlive this.
  GoalTest(const Goals& goals, Executor& model) : goals_(goals), model_(model) {}

  // Whether some selected invariant is false there, or a property faults.
  [[nodiscard]] bool is_violated(StateView state);
  [[nodiscard]] bool fails(Outcome outcome) const {
    return outcome.is_fault() && (goals_.assertions || !outcome.goes_on());
  }
  // `steps` are all steps of the state, as the model gave them.
  [[nodiscard]] bool is_deadlock(StateView state, const Batch& steps);

 private:
  [[nodiscard]] bool ends_well(StateView state);

  const Goals& goals_;
  Executor& model_;
  StateCheck findings_;
};

}  // namespace fathom
