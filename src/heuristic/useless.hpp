// Puts off what does not help (Wehrle, Kupferschmid, Podelski: Transition-based Directed Model Checking, TACAS 2009). A
// step is useless if it brings the estimate of another evaluator no lower and changes nothing that matters: no cell
// that decides about a violation, and none that decides about a step which writes such a cell. A state that was reached
// by a useless step comes after all others.
//
// What it says of a state depends on how the state was reached, so it promises nothing.
#pragma once

#include <memory>
#include <utility>

#include "heuristic/evaluator.hpp"
#include "heuristic/may_steps.hpp"

namespace fathom {

class Useless final : public Evaluator {
 public:
  static constexpr Cost penalty = 10'000;

  Useless(std::unique_ptr<Evaluator> part, const Goals& goals, ModelFacts& facts);

  [[nodiscard]] std::string about() const override;
  [[nodiscard]] bool wants_enabled() const override { return part_->wants_enabled(); }
  [[nodiscard]] bool wants_step() const override { return true; }
  void came_by(InstanceId step, Cost estimate_before) override;
  [[nodiscard]] Cost estimate(StateView state, const Batch& enabled) override;

 private:
  void find_what_matters(const Goals& goals, ModelFacts& facts);

  std::unique_ptr<Evaluator> part_;
  std::vector<bool> matters_;  // per edge: some instance of it does
  Cost before_ = dead_end;     // of the state that the last step came from
  bool helps_ = true;          // the last step
};

}  // namespace fathom
