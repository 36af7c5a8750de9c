// What directs a best-first search: an evaluator says for a state how far from a violation it seems to be, the smaller
// the nearer. It is admissible if it never says more than the number of steps that are really needed; a search that
// adds it to the length of the path then finds a shortest run.
#pragma once

#include <cstdint>

#include "model/model.hpp"

namespace fathom {

// Of a path, and of what remains of it: every step costs one.
using Cost = std::uint32_t;
inline constexpr Cost step_cost = 1;

class Evaluator {
 public:
  virtual ~Evaluator() = default;
  // Whether estimate() is to be given the steps that are enabled in the state; that takes the time to find them.
  [[nodiscard]] virtual bool wants_enabled() const { return false; }
  [[nodiscard]] virtual Cost estimate(StateView state, const Batch& enabled) = 0;
};

}  // namespace fathom
