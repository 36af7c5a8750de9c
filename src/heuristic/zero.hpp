// The evaluator that knows nothing. With it, a best-first search is blind: ordered by the length of paths it is the
// breadth-first search.
#pragma once

#include "heuristic/evaluator.hpp"

namespace fathom {

class Zero final : public Evaluator {
 public:
  [[nodiscard]] Promise promise() const override { return {.admissible = true, .consistent = true}; }
  [[nodiscard]] Cost estimate(StateView, const Batch&) override { return 0; }
};

}  // namespace fathom
