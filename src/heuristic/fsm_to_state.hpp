// The FSM distance to one known state (the survey's section 3): for each cell that says where an agent has come to, the
// steps of the program it takes to get there at least. The largest of them is a lower bound of the steps to that state,
// and so is their sum divided by the number of such cells that one step can change: a rendezvous moves two processes at
// once, so that the plain sum is none. Of the steps to a violation, of which there may be nearer ones, nothing is.
#pragma once

#include "heuristic/evaluator.hpp"
#include "heuristic/formula_compiler.hpp"
#include "heuristic/goals.hpp"

namespace fathom {

class FsmToState final : public Evaluator {
 public:
  FsmToState(const ir::Program& program, StateView target, Combine combine, ModelFacts& facts);

  [[nodiscard]] Cost estimate(StateView state, const Batch&) override;
  // What it promises of the steps to the target.
  [[nodiscard]] Promise towards_target() const { return {combine_ != Combine::sum, combine_ != Combine::sum}; }
  [[nodiscard]] bool has_nothing_to_go_by() const { return empty_; }

 private:
  EstimateCode code_;
  const Combine combine_;
  bool empty_ = true;
};

}  // namespace fathom
