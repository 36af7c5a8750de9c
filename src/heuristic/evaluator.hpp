// What directs a best-first search: an evaluator says for a state how far from a violation it seems to be, the smaller
// the nearer.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "model/model.hpp"

namespace fathom {

// Of a path, and of what remains of it: every step costs one.
using Cost = std::uint32_t;
inline constexpr Cost step_cost = 1;

// Said of a state from which no violation can be reached, and only where that is proven: a search may leave it.
inline constexpr Cost dead_end = std::numeric_limits<Cost>::max();

// Larger estimates are cut to this one: the ranks of an open list stay small numbers.
inline constexpr Cost largest_estimate = 100'000;

// What an evaluator promises of its estimates. Admissible: they are never more than what is really needed, so that a
// search that adds them to the cost of the path finds a cheapest run. Consistent: along a step they drop by no more
// than the step costs, so that no state needs to be opened twice; a consistent evaluator that is 0 at violations is
// admissible.
struct Promise {
  bool admissible = false;
  bool consistent = false;
};

class Evaluator {
 public:
  virtual ~Evaluator() = default;
  [[nodiscard]] virtual Promise promise() const { return {}; }
  // What it was made of, for people; "" if there is nothing to say.
  [[nodiscard]] virtual std::string about() const { return ""; }
  // Whether its estimates are in the costs that the model gives to steps, where it gives any; otherwise they are in
  // steps.
  [[nodiscard]] virtual bool in_costs() const { return false; }
  // Whether estimate() is to be given the steps that are enabled in the state; that takes the time to find them.
  [[nodiscard]] virtual bool wants_enabled() const { return false; }
  // Whether it is to be told by which step a state was reached, right before estimate(). It is not for start states.
  [[nodiscard]] virtual bool wants_step() const { return false; }
  virtual void came_by(InstanceId, Cost /*estimate_before*/) {}
  [[nodiscard]] virtual Cost estimate(StateView state, const Batch& enabled) = 0;
};

}  // namespace fathom
