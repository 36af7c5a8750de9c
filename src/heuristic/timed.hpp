// An evaluator with a watch: how much of a run it takes is told from samples, so that looking at the watch does not
// become what is measured.
#pragma once

#include <chrono>
#include <memory>
#include <utility>

#include "heuristic/evaluator.hpp"
#include "heuristic/inputs.hpp"

namespace fathom {

class Timed final : public Evaluator {
 public:
  // `use` must outlive this.
  Timed(std::unique_ptr<Evaluator> evaluator, EvaluatorUse& use) : evaluator_(std::move(evaluator)), use_(use) {}

  [[nodiscard]] Promise promise() const override { return evaluator_->promise(); }
  [[nodiscard]] bool wants_enabled() const override { return evaluator_->wants_enabled(); }
  [[nodiscard]] bool wants_step() const override { return evaluator_->wants_step(); }
  void came_by(InstanceId step, Cost before) override { evaluator_->came_by(step, before); }
  [[nodiscard]] Cost estimate(StateView state, const Batch& enabled) override {
    if (use_.calls++ % one_in != 0) return evaluator_->estimate(state, enabled);
    const auto begin = std::chrono::steady_clock::now();
    const Cost estimate = evaluator_->estimate(state, enabled);
    use_.seconds += one_in * std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return estimate;
  }

 private:
  static constexpr std::uint64_t one_in = 64;

  std::unique_ptr<Evaluator> evaluator_;
  EvaluatorUse& use_;
};

}  // namespace fathom
