#include "analysis/defined_cells.hpp"

#include <algorithm>

#include "analysis/touches.hpp"

namespace fathom {

// Cells that are defined at the start stay so unless some edge may undefine them; that one cell is not safe may show
// that another one is not either.
BitSet find_defined_cells(const ir::Program& program, const Cells& cells, std::span<const PackedState> starts) {
  BitSet defined(cells.size());
  for (std::uint32_t cell = 0; cell < cells.size(); ++cell) {
    const auto has_value = [&](const PackedState& state) { return cells[cell].value(state) != ir::undefined; };
    if (cells[cell].type->is_scalar() && std::ranges::all_of(starts, has_value)) defined.set(cell);
  }
  const std::vector<const ir::Edge*> edges = program.edges();
  for (bool changed = true; changed;) {
    changed = false;
    const TouchFinder finder(program, cells, {{}, defined});
    for (const ir::Edge* edge : edges) {
      const Touches touches = finder.of(edge->routine.body, {});
      if (touches.unfollowed) return BitSet(cells.size());
      for (const auto& [cell, what] : touches.written) {
        if (!defined.test(cell) || std::ranges::count(what.values, ir::undefined) == 0) continue;
        defined.reset(cell);
        changed = true;
      }
    }
  }
  return defined;
}

}  // namespace fathom
