// Estimates read off what is to be violated: see violation_code.hpp. As `formula()` every comparison counts; as `fsm()`
// only the cells that say where an agent has come to (the FSM distance of the survey's section 3, towards the
// statements that can violate something instead of one known state).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "heuristic/evaluator.hpp"
#include "heuristic/goals.hpp"
#include "heuristic/violation_code.hpp"

namespace fathom {

class Formula final : public Evaluator {
 public:
  enum class Leaves : std::uint8_t { all, control };

  // All forms but the sum are lower bounds. `symmetric`: the search looks at one state of several that are alike.
  Formula(const Goals& goals, ModelFacts& facts, Combine combine, Leaves leaves, bool symmetric = false);

  [[nodiscard]] Promise promise() const override { return promise_; }
  [[nodiscard]] std::string about() const override;
  [[nodiscard]] Cost estimate(StateView state, const Batch&) override;
  void compile_when(std::function<bool()> pays) { code_.compile_when(std::move(pays)); }
  [[nodiscard]] bool is_compiled() const { return code_.is_compiled(); }
  // What it aims at; "" if it has nothing to go by.
  [[nodiscard]] const std::string& aim() const { return aim_; }

 private:
  [[nodiscard]] EstimateCode::Ref lower_bound(ViolationCode& violations, const Goals& goals, ModelFacts& facts,
                                              bool symmetric);

  EstimateCode code_;
  std::string aim_;
  Promise promise_;
  Cost of_never_ = largest_estimate;
};

}  // namespace fathom
