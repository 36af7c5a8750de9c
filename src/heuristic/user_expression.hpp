// An estimate that the user wrote, in the model's language: a number is the estimate itself, less than 0 counting as 0,
// and a condition is what is to come about, as far away as formula() would say. Where it has no value, because
// something in it is undefined, the state comes last. It promises nothing.
#pragma once

#include "heuristic/evaluator.hpp"
#include "heuristic/formula_compiler.hpp"
#include "heuristic/goals.hpp"
#include "heuristic/inputs.hpp"

namespace fathom {

class UserExpression final : public Evaluator {
 public:
  UserExpression(const EvaluatorInputs::Asked& asked, ModelFacts& facts);
  [[nodiscard]] bool in_costs() const override { return true; }
  [[nodiscard]] Cost estimate(StateView state, const Batch&) override;

 private:
  EstimateCode code_;
};

}  // namespace fathom
