#include "analysis/effort.hpp"

#include "analysis/cells.hpp"

namespace fathom {

AnalysisEffort effort_to_analyse(const ir::Program& program) {
  AnalysisEffort effort{0, Cells(program).size()};
  for (const ir::Edge* edge : program.edges()) effort.steps += edge->instances();
  return effort;
}

}  // namespace fathom
