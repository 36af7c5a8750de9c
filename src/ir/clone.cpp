#include "ir/clone.hpp"

namespace fathom::ir {

Parameter Cloner::parameter(const Parameter& parameter) {
  return {local(parameter.local), parameter.domain};
}

const Local* Cloner::local(const Local* local) {
  if (local == nullptr) return nullptr;
  const Local*& copy = locals_[local];
  if (copy == nullptr) copy = &target_.locals.emplace_back(*local);
  return copy;
}

const Expr* Cloner::substitute_for(const Expr& expr) const {
  const bool reads = expr.kind == Expr::Kind::read || expr.kind == Expr::Kind::read_or_undefined;
  if (!reads || expr.place->local == nullptr) return nullptr;
  const auto found = substitutes_.find(expr.place->local);
  return found == substitutes_.end() ? nullptr : found->second;
}

// Copies made so far may contain substitutes, so they are not used again.
void Cloner::end_substitution() {
  substitutes_.clear();
  exprs_.clear();
}

const Expr* Cloner::expr(const Expr* expr) {
  if (expr == nullptr) return nullptr;
  if (const auto known = exprs_.find(expr); known != exprs_.end()) return known->second;
  if (const Expr* const substitute = substitute_for(*expr)) return substitute;
  Expr copy = *expr;
  copy.a = this->expr(expr->a);
  copy.b = this->expr(expr->b);
  copy.c = this->expr(expr->c);
  copy.place = place(expr->place);
  copy.other = place(expr->other);
  copy.binding = binding(expr->binding);
  copy.call = call(expr->call);
  return exprs_[expr] = &program_.exprs.emplace_back(copy);
}

const Place* Cloner::place(const Place* place) {
  if (place == nullptr) return nullptr;
  Place copy = *place;
  copy.local = local(place->local);
  copy.call = expr(place->call);
  for (PathStep& step : copy.path) step.index = expr(step.index);
  return &program_.places.emplace_back(std::move(copy));
}

const Binding* Cloner::binding(const Binding* binding) {
  if (binding == nullptr) return nullptr;
  Binding copy = *binding;
  copy.local = local(binding->local);
  copy.domain.from = expr(binding->domain.from);
  copy.domain.to = expr(binding->domain.to);
  copy.domain.step = expr(binding->domain.step);
  return &program_.bindings.emplace_back(copy);
}

const Call* Cloner::call(const Call* call) {
  if (call == nullptr) return nullptr;
  Call copy = *call;
  for (Argument& argument : copy.arguments) {
    argument.value = expr(argument.value);
    argument.place = place(argument.place);
  }
  return &program_.calls.emplace_back(std::move(copy));
}

Block Cloner::sequence(const Block& body, const Block& rest) {
  Block copy = block(body, rest);
  copy.insert(copy.end(), rest.begin(), rest.end());
  return copy;
}

Block Cloner::block(const Block& body, const Block& before_return) {
  Block copy;
  for (const Stmt* each : body) {
    if (each->kind == Stmt::Kind::give_back) copy.insert(copy.end(), before_return.begin(), before_return.end());
    copy.push_back(stmt(*each, before_return));
  }
  return copy;
}

const Stmt* Cloner::stmt(const Stmt& stmt, const Block& before_return) {
  Stmt copy = stmt;
  copy.place = place(stmt.place);
  copy.source = place(stmt.source);
  copy.value = expr(stmt.value);
  copy.local = local(stmt.local);
  copy.binding = binding(stmt.binding);
  copy.call = call(stmt.call);
  for (Branch& branch : copy.branches) {
    branch.condition = expr(branch.condition);
    branch.body = block(branch.body, before_return);
  }
  copy.body = block(stmt.body, before_return);
  return &program_.stmts.emplace_back(std::move(copy));
}

}  // namespace fathom::ir
