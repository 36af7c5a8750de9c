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
  if (!cells_.empty()) numbers_.resize(cells_.back().offset + 1, none);
  for (std::uint32_t number = 0; number < cells_.size(); ++number)
    if (cells_[number].type->is_scalar()) numbers_[cells_[number].offset] = number;
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

}  // namespace fathom
