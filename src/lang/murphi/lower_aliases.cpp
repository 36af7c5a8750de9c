// Lowering: aliases. An alias is bound where it is declared, so a later change of an index does not move it. Where no
// change is possible we put the target in its place; elsewhere the alias becomes a reference or a temporary.
#include <algorithm>

#include <fmt/format.h>

#include "lang/murphi/lowering.hpp"

namespace fathom::murphi {

void Lowering::aliases(const std::vector<AliasBinding>& bindings, AliasMode mode, ir::Block& out) {
  for (const AliasBinding& binding : bindings) declare(binding.name, alias(binding, mode, out));
}

Symbol Lowering::alias(const AliasBinding& binding, AliasMode mode, ir::Block& out) {
  const Operand target = operand(*binding.target);
  Symbol symbol;
  symbol.kind = Symbol::Kind::value;
  if (target.is_undefined) {
    error("F129", binding.target->range, "`undefined` cannot have an alias");
    return symbol;
  }
  symbol.type = target.type;
  if (!target.ok()) return symbol;
  if (target.place != nullptr) return alias_of_place(binding, target, mode, out);
  symbol.value = target.expr;
  if (mode == AliasMode::substitute || target.expr->kind == ir::Expr::Kind::constant) return symbol;
  symbol.kind = Symbol::Kind::place;
  symbol.place = temporary(*target.expr, binding.name.text, *target.type, out);
  return symbol;
}

Symbol Lowering::alias_of_place(const AliasBinding& binding, const Operand& target, AliasMode mode, ir::Block& out) {
  Symbol symbol;
  symbol.kind = Symbol::Kind::place;
  symbol.type = target.type;
  symbol.place = target.place;
  symbol.writable = target.writable;
  if (mode == AliasMode::substitute || is_fixed(*target.place)) return symbol;
  const bool computed = target.place->call != nullptr;
  const auto storage = computed ? ir::Local::Storage::frame : ir::Local::Storage::reference;
  const ir::Local& local =
      ir::Builder::local(*context_.routine, binding.name.text, target.type, storage, binding.name.range);
  ir::Stmt& stmt = build_.stmt(computed ? ir::Stmt::Kind::copy : ir::Stmt::Kind::bind, binding.name.range);
  symbol.place = place_of(local);
  if (computed) {
    stmt.place = symbol.place;
    stmt.source = target.place;
  } else {
    stmt.local = &local;
    stmt.place = target.place;
    context_.roots[&local] = root_of(*target.place);
  }
  out.push_back(&stmt);
  return symbol;
}

// The place is the same whenever it is looked at, and looking at it cannot fail.
bool Lowering::is_fixed(const ir::Place& place) const {
  const auto fixed = [&](const ir::PathStep& step) {
    if (step.kind == ir::PathStep::Kind::field) return true;
    if (step.kind == ir::PathStep::Kind::slot || step.site != ir::SiteId::none) return false;
    const ir::Expr& index = *step.index;
    return index.kind == ir::Expr::Kind::constant ||
           (index.kind == ir::Expr::Kind::read && counters_.contains(index.place->local));
  };
  return place.call == nullptr && std::ranges::all_of(place.path, fixed);
}

// A register that keeps a value for the rest of the routine; it is a counter unless the value may be undefined.
const ir::Place* Lowering::temporary(const ir::Expr& value, const std::string& name, const ir::Type& type,
                                     ir::Block& out) {
  const ir::Local& local =
      ir::Builder::local(*context_.routine, name, &type, ir::Local::Storage::in_register, value.range);
  ir::Stmt& stmt = build_.stmt(ir::Stmt::Kind::assign, value.range);
  stmt.place = place_of(local);
  stmt.value = &value;
  stmt.site = build_.site(ir::FaultKind::out_of_range, value.range, quote(value.range));
  out.push_back(&stmt);
  if (value.kind != ir::Expr::Kind::read_or_undefined) counters_.insert(&local);
  return stmt.place;
}

}  // namespace fathom::murphi
