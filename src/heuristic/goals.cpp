#include "heuristic/goals.hpp"

#include <algorithm>

#include "model/defined_cells.hpp"

namespace fathom {

ModelFacts::ModelFacts(const ir::Program& program)
    : cells(program),
      defined(defined_cells_of(program, cells)),
      actions(program, cells, {{}, defined}, std::vector<bool>(program.properties.size(), false)),
      steps(cells, actions) {}

bool wants_everything_visited(const Goals& goals) {
  for (std::size_t k = 0; k < goals.program.properties.size(); ++k) {
    const ir::Property::Kind kind = goals.program.properties[k]->kind;
    const bool needs = kind == ir::Property::Kind::cover || kind == ir::Property::Kind::liveness;
    if (needs && goals.selected[k]) return true;
  }
  return false;
}

BitSet control_cells(const ir::Program& program, const Cells& cells) {
  BitSet control(cells.size());
  for (const ir::Component& component : program.components)
    if (component.location != nullptr) control.set(*cells.at(component.location->offset));
  for (std::uint32_t cell = 0; cell < cells.size(); ++cell)
    if (cells[cell].type->kind == ir::Type::Kind::enumeration) control.set(cell);
  return control;
}

std::uint32_t most_changed(const Actions& actions, const BitSet& cells) {
  std::uint32_t most = 1;
  const auto count = [&](std::uint32_t action) {
    std::uint32_t changed = 0;
    actions.all()[action].touches.writes.for_each([&](std::size_t cell) { changed += cells.test(cell) ? 1 : 0; });
    most = std::max(most, changed);
  };
  for (std::uint32_t step = 0; step < actions.steps(); ++step) actions.each_case(step, count);
  return most;
}

}  // namespace fathom
