#include "model/defined_cells.hpp"

#include <algorithm>

#include "analysis/defined_cells.hpp"
#include "model/interpreted.hpp"

namespace fathom {

namespace {

constexpr std::uint64_t max_starts = 4096;

}  // namespace

BitSet defined_cells_of(const ir::Program& program, const Cells& cells) {
  std::uint64_t count = 0;
  for (const auto& start : program.starts) count += std::min(start->instances(), max_starts + 1);
  if (count > max_starts) return BitSet(cells.size());
  InterpretedModel model(program);
  model.quiet(true);
  Batch starts;
  model.initial(starts);
  std::vector<PackedState> states;
  for (std::uint32_t k = 0; k < starts.size(); ++k) states.emplace_back(starts.state(k).begin(), starts.state(k).end());
  return find_defined_cells(program, cells, states);
}

}  // namespace fathom
