#include "analysis/value_cells.hpp"

#include <algorithm>

namespace fathom {

namespace {

std::uint32_t scalars_in(const ir::Type& type) {
  if (type.is_scalar()) return 1;
  if (type.kind != ir::Type::Kind::record) return scalars_in(*type.element);
  std::uint32_t count = 0;
  for (const ir::Field& field : type.fields) count += scalars_in(*field.type);
  return count;
}

}  // namespace

ValueCells::ValueCells(const ir::Program& program) {
  for (const ir::Variable& variable : program.variables) {
    const auto first = static_cast<std::uint32_t>(size());
    add(*variable.type, true);
    variables_[&variable] = {first, static_cast<std::uint32_t>(size()), true};
  }
}

void ValueCells::add(const ir::Type& type, bool exact) {
  if (type.is_scalar()) {
    types_.push_back(&type);
    exact_.push_back(exact);
  } else if (type.kind == ir::Type::Kind::record) {
    for (const ir::Field& field : type.fields) add(*field.type, exact);
  } else {
    add(*type.element, false);
  }
}

ValueCells::Part ValueCells::at(const ir::Place& place) const {
  Part part = of(*place.variable);
  for (const ir::PathStep& step : place.path) {
    if (step.kind != ir::PathStep::Kind::field) continue;
    for (std::uint32_t k = 0; k < step.field; ++k) part.first += scalars_in(*step.container->fields[k].type);
  }
  part.end = part.first + scalars_in(*place.type);
  const bool one =
      std::ranges::all_of(place.path, [](const auto& step) { return step.kind == ir::PathStep::Kind::field; });
  part.exact =
      one && std::all_of(exact_.begin() + part.first, exact_.begin() + part.end, [](bool exact) { return exact; });
  return part;
}

}  // namespace fathom
