// What a step costs. A search takes this as a parameter: without model costs every step costs one, and the compiler
// sees that.
#pragma once

#include <functional>
#include <vector>

#include "heuristic/evaluator.hpp"
#include "open/cost_algebra.hpp"

namespace fathom {

struct UnitCosts {
  using Algebra = Additive;
  static constexpr bool unit = true;  // the cost of a path is its length
  [[nodiscard]] Cost of_step(StateView, InstanceId) const { return step_cost; }
};

// Costs that the user or the model gave to rules.
struct CostRequest {
  std::vector<Cost> of_edge;      // a step of several edges costs what the first of them does
  Cost least = 0;                 // of all of them
  Evaluator* progress = nullptr;  // among states that are equally good the one with most of it comes first
  // A cheaper run was found, and it is known that no run costs less than `at_least`.
  std::function<void(Cost cost, Cost at_least)> improved = [](Cost, Cost) {};
  // The search is over, and this is known.
  std::function<void(Cost at_least)> bounded = [](Cost) {};
};

// Costs that somebody wants to hear of while the search goes on.
template <class Costs>
concept ToldOfRuns = requires(const Costs& costs) {
  costs.request->improved;
};

struct ModelCosts {
  using Algebra = Additive;
  static constexpr bool unit = false;
  const CostRequest* request = nullptr;
  [[nodiscard]] Cost of_step(StateView, InstanceId step) const { return request->of_edge[edge_of(step)]; }
};

}  // namespace fathom
