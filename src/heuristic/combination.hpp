// Evaluators made of others: the largest or the sum of their estimates, or one estimate with a weight, or in costs.
//
// What the parts promise decides what the whole does. The largest of lower bounds is one, and the largest of consistent
// estimates is consistent. A sum of several promises nothing, as they may count the same steps. A weight of at most 1
// keeps every promise (rounded down, estimates that differ by at most one still do), a larger one none. A dead end of
// one part is one of the whole, because it is proven.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "heuristic/evaluator.hpp"

namespace fathom {

using EvaluatorParts = std::vector<std::unique_ptr<Evaluator>>;

class Largest final : public Evaluator {
 public:
  explicit Largest(EvaluatorParts parts) : parts_(std::move(parts)) {}
  [[nodiscard]] Promise promise() const override;
  [[nodiscard]] bool wants_enabled() const override;
  [[nodiscard]] Cost estimate(StateView state, const Batch& enabled) override;

 private:
  EvaluatorParts parts_;
};

class Sum final : public Evaluator {
 public:
  explicit Sum(EvaluatorParts parts) : parts_(std::move(parts)) {}
  [[nodiscard]] Promise promise() const override;
  [[nodiscard]] bool wants_enabled() const override;
  [[nodiscard]] Cost estimate(StateView state, const Batch& enabled) override;

 private:
  EvaluatorParts parts_;
};

class Weighted final : public Evaluator {
 public:
  Weighted(std::unique_ptr<Evaluator> part, double weight) : part_(std::move(part)), weight_(weight) {}
  [[nodiscard]] Promise promise() const override;
  [[nodiscard]] bool wants_enabled() const override { return part_->wants_enabled(); }
  [[nodiscard]] Cost estimate(StateView state, const Batch& enabled) override;

 private:
  std::unique_ptr<Evaluator> part_;
  const double weight_;
};

// An estimate that counts steps, where steps have costs: no step costs less than this. One that is no lower bound
// anyway still directs a search if some steps cost nothing.
class PerStep final : public Evaluator {
 public:
  PerStep(std::unique_ptr<Evaluator> steps, Cost least)
      : steps_(std::move(steps)), weight_(steps_->promise().admissible ? least : std::max<Cost>(least, 1)) {}
  [[nodiscard]] Promise promise() const override { return steps_->promise(); }
  [[nodiscard]] std::string about() const override { return steps_->about(); }
  [[nodiscard]] bool wants_enabled() const override { return steps_->wants_enabled(); }
  [[nodiscard]] bool wants_step() const override { return steps_->wants_step(); }
  void came_by(InstanceId step, Cost before) override { steps_->came_by(step, before); }
  [[nodiscard]] Cost estimate(StateView state, const Batch& enabled) override {
    const Cost steps = steps_->estimate(state, enabled);
    if (steps == dead_end) return dead_end;
    return static_cast<Cost>(std::min<std::uint64_t>(std::uint64_t{steps} * weight_, dead_end / 4));
  }

 private:
  std::unique_ptr<Evaluator> steps_;
  const Cost weight_;
};

}  // namespace fathom
