// The distance to one known state: the number of variables that differ (the Hamming distance of the survey's section 3;
// every scalar counts as one, whatever its size).
//
// It is a lower bound of the steps to that state only when it is divided by the number of variables that one step can
// change. Nothing of this is a lower bound of the steps to a violation, of which there may be nearer ones.
#pragma once

#include <vector>

#include "heuristic/evaluator.hpp"
#include "heuristic/goals.hpp"

namespace fathom {

class Hamming final : public Evaluator {
 public:
  enum class Form : std::uint8_t { sum, divided };

  Hamming(const ir::Program& program, StateView target, Form form, const ModelFacts& facts);

  [[nodiscard]] Cost estimate(StateView state, const Batch&) override;
  // What it promises of the steps to the target.
  [[nodiscard]] Promise towards_target() const { return {form_ == Form::divided, form_ == Form::divided}; }

 private:
  struct Leaf {
    std::uint32_t offset;
    std::uint32_t bits;
    std::uint64_t wanted;
  };
  std::vector<Leaf> leaves_;
  const Form form_;
  std::uint32_t per_step_ = 1;
};

}  // namespace fathom
