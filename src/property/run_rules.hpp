// Which runs count when a property of runs is checked, as far as the claim itself does not say.
#pragma once

#include <cstdint>
#include <vector>

namespace fathom {

struct RunRules {
  bool fair = false;  // weak fairness: see fairness.hpp
  // Per edge of the program: taking it is progress. Empty where progress is a matter of states.
  std::vector<bool> progress = {};
  // Strong fairness: the edges that were named (Murphi), or components and behind them edges (Promela).
  std::vector<std::uint32_t> strong = {};

  [[nodiscard]] bool is_progress(std::uint32_t edge) const { return edge < progress.size() && progress[edge]; }
  [[nodiscard]] bool needs_fairness() const { return fair || !strong.empty(); }
};

}  // namespace fathom
