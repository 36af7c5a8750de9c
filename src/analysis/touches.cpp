#include "analysis/touches.hpp"

#include <algorithm>
#include <utility>

#include "analysis/touch_walk.hpp"

namespace fathom {

void Written::add(const Written& other) {
  anything |= other.anything;
  more |= other.more;
  less |= other.less;
  for (const std::int64_t value : other.values)
    if (std::ranges::count(values, value) == 0) values.push_back(value);
}

void Touches::add(const Touches& other) {
  reads |= other.reads;
  writes |= other.writes;
  indices |= other.indices;
  for (const auto& [cell, what] : other.written) written[cell].add(what);
  unfollowed |= other.unfollowed;
  timeout |= other.timeout;
}

void Touches::write(std::uint32_t cell, const Written& what) {
  writes.set(cell);
  written[cell].add(what);
}

TouchFinder::TouchFinder(const ir::Program& program, const Cells& cells, CellFacts known)
    : cells_(cells), known_(std::move(known)) {
  auto locals = std::make_shared<Locals>();
  for (const ir::Stmt& stmt : program.stmts) {
    const bool writes = stmt.place != nullptr && stmt.place->local != nullptr && stmt.kind != ir::Stmt::Kind::put_value;
    if (!writes) continue;
    const bool first = locals->given.insert(stmt.place->local).second;
    if (!first || stmt.kind != ir::Stmt::Kind::assign || !stmt.place->path.empty())
      locals->unsteady.insert(stmt.place->local);
  }
  for (const auto& function : program.functions)
    for (const ir::Local* parameter : function->parameters)
      if (!locals->given.insert(parameter).second) locals->unsteady.insert(parameter);
  for (const ir::Call& call : program.calls)
    for (const ir::Argument& argument : call.arguments)
      if (argument.place != nullptr && argument.place->local != nullptr) {
        locals->given.insert(argument.place->local);
        locals->unsteady.insert(argument.place->local);
      }
  locals_ = std::move(locals);
}

TouchFinder TouchFinder::with(const CellValues& values) const {
  TouchFinder result = *this;
  for (const auto& [cell, value] : values) result.known_.values[cell] = value;
  return result;
}

Touches TouchFinder::of(const ir::Expr& expr, const LocalValues& locals) const {
  return TouchWalk(*this, locals).expression(expr);
}

Touches TouchFinder::of(const ir::Block& body, const LocalValues& locals) const {
  return TouchWalk(*this, locals).body(body);
}

std::optional<std::int64_t> TouchFinder::constant(const ir::Expr& expr, const LocalValues& locals) const {
  return TouchWalk(*this, locals).constant(expr);
}

std::optional<std::uint32_t> TouchFinder::cell(const ir::Place& place, const LocalValues& locals) const {
  return TouchWalk(*this, locals).cell(place);
}

std::optional<std::vector<std::uint32_t>> TouchFinder::offsets(const ir::Place& place,
                                                               const LocalValues& locals) const {
  return TouchWalk(*this, locals).offsets(place);
}

bool TouchFinder::may_fault(const ir::Expr& expr, const LocalValues& locals) const {
  return TouchWalk(*this, locals).may_fault(expr);
}

}  // namespace fathom
