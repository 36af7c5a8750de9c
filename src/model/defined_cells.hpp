// Cells that hold a value in every reachable state, for a whole program: what analysis/defined_cells.hpp finds from the
// start states.
#pragma once

#include "analysis/cells.hpp"
#include "support/bit_set.hpp"

namespace fathom {

// None where there are too many start states to look at.
BitSet defined_cells_of(const ir::Program& program, const Cells& cells);

}  // namespace fathom
