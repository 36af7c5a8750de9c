// Cells that choose elements, such as the channels a process was given, and that only change when a process comes or
// goes. As long as no process is created their values are as good as constants.
#pragma once

#include <vector>

#include "analysis/cells.hpp"
#include "ir/program.hpp"

namespace fathom {

struct SteadyCells {
  std::vector<std::uint32_t> cells;
  std::vector<std::uint32_t> changers;  // the edges that change one of them, apart from the ends of processes
};

SteadyCells find_steady_cells(const ir::Program& program, const Cells& cells);

}  // namespace fathom
