#include "analysis/cells.hpp"

#include "state/bits.h"

namespace fathom {

std::int64_t Cell::value(std::span<const std::uint64_t> state) const {
  return type->decode(fathom_get(state.data(), offset, type->bits));
}

Cells::Cells(const ir::Program& program) {
  for (const ir::Variable& variable : program.variables)
    if (!variable.hidden) add(*variable.type, variable.offset);
  std::ranges::sort(cells_, {}, &Cell::offset);
}

void Cells::add(const ir::Type& type, std::uint32_t offset) {
  if (type.kind == ir::Type::Kind::record) {
    for (const ir::Field& field : type.fields) add(*field.type, offset + field.offset);
  } else if (type.kind == ir::Type::Kind::array) {
    for (std::uint64_t k = 0; k < type.index->cardinality(); ++k)
      add(*type.element, offset + static_cast<std::uint32_t>(k) * type.stride);
  } else if (type.bits > 0) {
    cells_.push_back({&type, offset});
  }
}

std::optional<std::uint32_t> Cells::at(std::uint32_t offset) const {
  const auto cell = std::ranges::lower_bound(cells_, offset, {}, &Cell::offset);
  if (cell == cells_.end() || cell->offset != offset || !cell->type->is_scalar()) return std::nullopt;
  return static_cast<std::uint32_t>(cell - cells_.begin());
}

}  // namespace fathom
