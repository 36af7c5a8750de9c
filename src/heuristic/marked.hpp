// The more marked steps are enabled, the more promising the state: 100 less one for each of them. This is the directed
// model checking that biased searches are compared with (Talupur, Han: Biased Model Checking Using Flows, TACAS 2011,
// section 7). It estimates no distance, so it is not admissible.
#pragma once

#include <functional>
#include <utility>

#include "heuristic/evaluator.hpp"

namespace fathom {

class Marked final : public Evaluator {
 public:
  // Whether a step that is enabled in a state is a marked one.
  using IsMarked = std::function<bool(InstanceId step, StateView state)>;

  explicit Marked(IsMarked is_marked) : is_marked_(std::move(is_marked)) {}

  [[nodiscard]] bool wants_enabled() const override { return true; }
  [[nodiscard]] Cost estimate(StateView state, const Batch& enabled) override;

 private:
  static constexpr Cost without_marks = 100;

  IsMarked is_marked_;
};

}  // namespace fathom
