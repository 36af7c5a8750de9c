// Lowering: multisets. An element is named by the slot it lies in; slots come from `choose`, MultiSetCount and
// MultiSetRemovePred only, so a slot number never becomes part of a state.
#include <fmt/format.h>

#include "lang/murphi/lowering.hpp"
#include "lang/murphi/type_rules.hpp"

namespace fathom::murphi {

Operand Lowering::multiset_operand(const Expr& syntax, const char* use) {
  const Operand set = designator(syntax, use);
  if (!set.ok() || set.type->kind == ir::Type::Kind::multiset) return set;
  error("F160", syntax.range, fmt::format("{} must be a multiset, and this is {}", use, describe_type(*set.type)));
  return {};
}

// The parser cannot tell the name of a multiset from that of a type.
Operand Lowering::multiset_operand(const Quantifier& syntax) {
  if (syntax.set != nullptr) return multiset_operand(*syntax.set, "what the index runs through");
  if (syntax.type != nullptr && syntax.type->kind == TypeExpr::Kind::name) {
    Expr name;
    name.kind = Expr::Kind::name;
    name.text = syntax.type->name.text;
    name.range = syntax.type->name.range;
    return multiset_operand(name, "what the index runs through");
  }
  error("F160", syntax.range, "the index must run through a multiset");
  return {};
}

bool Lowering::may_change(const Operand& set) {
  note_write(*set.place);
  if (!set.writable)
    error("F141", set.range, fmt::format("`{}` cannot be changed", quote(set.range))).help =
        "only variables and `var` parameters can";
  return set.writable;
}

const ir::Expr* Lowering::multiset_count(const Expr& syntax) {
  const Quantifier& quantifier = syntax.quantifiers.front();
  const Operand set = multiset_operand(quantifier);
  const ScopeGuard scope(scopes_);
  const ir::Local& slot = counter(quantifier.name, set.ok() ? build_.slots_of(set.type) : nullptr);
  const ir::Expr* const predicate = condition(*syntax.a, "the predicate of MultiSetCount");
  if (!set.ok() || predicate == nullptr) return nullptr;
  ir::Expr& expr = build_.expr(ir::Expr::Kind::multiset_count, build_.number(), syntax.range);
  expr.place = set.place;
  expr.binding = build_.binding(&slot, {});
  expr.a = predicate;
  return &expr;
}

void Lowering::multiset_add(const Stmt& syntax, ir::Block& out) {
  const Operand element = operand(*syntax.a);
  const Operand set = multiset_operand(*syntax.b, "the second argument of MultiSetAdd");
  if (!element.ok() || !set.ok() || !may_change(set)) return;
  const ir::Type& wanted = *set.type->element;
  if (element.is_undefined || !compatible(wanted, *element.type)) {
    error("F162", syntax.a->range,
          fmt::format("the multiset holds {}, and this is {}", describe_type(wanted),
                      element.is_undefined ? "`undefined`" : describe_type(*element.type)));
    return;
  }
  ir::Stmt& stmt = build_.stmt(ir::Stmt::Kind::multiset_add, syntax.range);
  stmt.place = set.place;
  stmt.site = build_.site(ir::FaultKind::multiset_full, syntax.range, quote(syntax.range));
  if (wanted.is_scalar()) {
    stmt.value = element_value(element, wanted, out);
  } else {
    stmt.source = element.place;
  }
  out.push_back(&stmt);
}

// A value that may lie outside the element type passes through a variable of that type, where it is checked.
const ir::Expr* Lowering::element_value(const Operand& element, const ir::Type& wanted, ir::Block& out) {
  const ir::Expr* const value = same_structure(*element.type, wanted) ? read_or_undefined(element) : read(element);
  if (within(*value->type, wanted)) return value;
  ir::Expr& typed = build_.expr(ir::Expr::Kind::read, &wanted, value->range);
  typed.place = temporary(*value, "element", wanted, out);
  return &typed;
}

void Lowering::multiset_remove(const Stmt& syntax, ir::Block& out) {
  const ir::Expr* const slot = value(*syntax.a);
  const Operand set = multiset_operand(*syntax.b, "the second argument of MultiSetRemove");
  if (slot == nullptr || !set.ok() || !may_change(set)) return;
  if (slot->type != build_.slots_of(set.type)) {
    error("F161", syntax.a->range, fmt::format("`{}` is not an index of this multiset", quote(syntax.a->range)));
    return;
  }
  ir::Stmt& stmt = build_.stmt(ir::Stmt::Kind::multiset_remove, syntax.range);
  stmt.place = set.place;
  stmt.value = slot;
  stmt.site = build_.site(ir::FaultKind::bad_slot, syntax.range, quote(syntax.range));
  out.push_back(&stmt);
}

void Lowering::multiset_remove_if(const Stmt& syntax, ir::Block& out) {
  const Quantifier& quantifier = syntax.quantifiers.front();
  const Operand set = multiset_operand(quantifier);
  if (set.ok()) may_change(set);
  const ScopeGuard scope(scopes_);
  const ir::Local& slot = counter(quantifier.name, set.ok() ? build_.slots_of(set.type) : nullptr);
  ir::Stmt& stmt = build_.stmt(ir::Stmt::Kind::multiset_remove_if, syntax.range);
  stmt.place = set.place;
  stmt.binding = build_.binding(&slot, {});
  stmt.value = condition(*syntax.a, "the predicate of MultiSetRemovePred");
  out.push_back(&stmt);
}

}  // namespace fathom::murphi
