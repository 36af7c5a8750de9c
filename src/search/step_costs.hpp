// What a step costs. A search takes this as a parameter: without model costs every step costs one, and the compiler
// sees that.
#pragma once

#include "heuristic/evaluator.hpp"
#include "open/cost_algebra.hpp"

namespace fathom {

struct UnitCosts {
  using Algebra = Additive;
  static constexpr bool unit = true;  // the cost of a path is its length
  [[nodiscard]] Cost of_step(StateView, InstanceId) const { return step_cost; }
};

}  // namespace fathom
