#include "native/footprint.hpp"

namespace fathom {

void Footprint::add(const ir::Expr& expr) {
  ++nodes;
  add_if(expr.a);
  add_if(expr.b);
  add_if(expr.c);
  add_if(expr.place);
  add_if(expr.other);
  add_if(expr.binding);
  add_if(expr.call);
}

void Footprint::add(const ir::Place& place) {
  ++nodes;
  if (place.local != nullptr) locals.insert(place.local);
  add_if(place.call);
  for (const ir::PathStep& step : place.path) add_if(step.index);
}

void Footprint::add(const ir::Binding& binding) {
  add_if(binding.domain.from);
  add_if(binding.domain.to);
  add_if(binding.domain.step);
}

void Footprint::add(const ir::Call& call) {
  ++nodes;
  callees.insert(call.callee);
  for (std::size_t k = 0; k < call.arguments.size(); ++k) {
    add_if(call.arguments[k].value);
    add_if(call.arguments[k].place);
    if (call.callee->parameters[k]->storage == ir::Local::Storage::frame)
      copied_bits += call.callee->parameters[k]->type->bits;
  }
}

void Footprint::add(const ir::Stmt& stmt) {
  ++nodes;
  notes |= stmt.kind == ir::Stmt::Kind::check_and_go_on;
  add_if(stmt.place);
  add_if(stmt.source);
  add_if(stmt.value);
  add_if(stmt.binding);
  add_if(stmt.call);
  for (const ir::Branch& branch : stmt.branches) {
    add_if(branch.condition);
    add(branch.body);
  }
  add(stmt.body);
}

void Footprint::add(const ir::Block& block) {
  for (const ir::Stmt* stmt : block) add(*stmt);
}

}  // namespace fathom
