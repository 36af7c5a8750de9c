// How much there is to analyse.
#pragma once

#include "ir/program.hpp"

namespace fathom {

struct AnalysisEffort {
  std::uint64_t steps = 0;  // that are possible somewhere
  std::uint64_t cells = 0;

  // Which step touches what is found out for all pairs of them, several times over.
  [[nodiscard]] std::uint64_t pairs() const { return steps * cells; }
};

AnalysisEffort effort_to_analyse(const ir::Program& program);

}  // namespace fathom
