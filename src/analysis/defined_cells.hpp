// Cells that hold a value in every reachable state: reading them cannot fail.
#pragma once

#include <span>
#include <vector>

#include "analysis/cells.hpp"
#include "ir/program.hpp"
#include "support/bit_set.hpp"

namespace fathom {

using PackedState = std::vector<std::uint64_t>;

BitSet find_defined_cells(const ir::Program& program, const Cells& cells, std::span<const PackedState> starts);

}  // namespace fathom
