// The part of the walk that works out values, and whether an expression may fail to have one.
#include <algorithm>

#include "analysis/touch_walk.hpp"

namespace fathom {

using ir::Expr;
using Kind = ir::Expr::Kind;

namespace {

std::optional<std::int64_t> calculate(Kind kind, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  switch (kind) {
    case Kind::add:
      return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case Kind::subtract:
      return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case Kind::multiply:
      return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case Kind::divide:
      return b == 0 || b == -1 ? std::nullopt : std::optional(a / b);
    case Kind::modulo:
      return b == 0 || b == -1 ? std::nullopt : std::optional(a % b);
    case Kind::equal:
      return a == b;
    case Kind::not_equal:
      return a != b;
    case Kind::less:
      return a < b;
    case Kind::less_equal:
      return a <= b;
    case Kind::greater:
      return a > b;
    case Kind::greater_equal:
      return a >= b;
    default:
      return std::nullopt;
  }
}

bool is_shift_or_division(Kind kind) {
  return kind == Kind::divide || kind == Kind::modulo || kind == Kind::shift_left || kind == Kind::shift_right;
}

bool can_overflow(Kind kind) {
  return kind == Kind::add || kind == Kind::subtract || kind == Kind::multiply || kind == Kind::negate ||
         kind == Kind::complement;
}

}  // namespace

std::optional<std::int64_t> TouchWalk::constant_read(const Expr& expr) {
  const ir::Place& place = *expr.place;
  if (place.local != nullptr && place.local->storage == ir::Local::Storage::in_register) {
    const auto found = frame_->values.find(place.local);
    if (found == frame_->values.end()) return std::nullopt;
    return place.type->fit(found->second);
  }
  const std::optional<std::uint32_t> read = cell(place);
  if (!read || overwritten_.test(*read)) return std::nullopt;
  const auto found = finder_.known_.values.find(*read);
  return found == finder_.known_.values.end() ? std::nullopt : std::optional(found->second);
}

bool TouchWalk::is_known_undefined(const Expr& expr) {
  if (expr.kind == Kind::undefined_value) return true;
  const bool reads = expr.kind == Kind::read || expr.kind == Kind::read_or_undefined;
  return reads && constant_read(expr) == ir::undefined;
}

// Nothing where it is not known, or where there is none because of a fault.
std::optional<std::int64_t> TouchWalk::constant(const Expr& expr) {
  if (expr.kind == Kind::constant) return expr.value;
  if (expr.kind == Kind::read || expr.kind == Kind::read_or_undefined) {
    const auto value = constant_read(expr);
    return value == ir::undefined ? std::nullopt : value;
  }
  if (expr.a == nullptr || expr.binding != nullptr || expr.place != nullptr) return std::nullopt;
  const auto a = constant(*expr.a);
  if (!a) return std::nullopt;
  if (expr.kind == Kind::logical_not) return *a == 0;
  if (expr.kind == Kind::logical_and && *a == 0) return 0;
  if (expr.kind == Kind::logical_or && *a != 0) return 1;
  if (expr.kind == Kind::conditional) return constant(*a != 0 ? *expr.b : *expr.c);
  if (expr.b == nullptr) return std::nullopt;
  const auto b = constant(*expr.b);
  if (!b) return std::nullopt;
  if (expr.kind == Kind::logical_and || expr.kind == Kind::logical_or) return *b != 0;
  const bool comparison = expr.kind >= Kind::equal && expr.kind <= Kind::greater_equal;
  if (!comparison && expr.type->zero != 0) return std::nullopt;
  const auto result = calculate(expr.kind, *a, *b);
  return result && !comparison && expr.type->is_machine() ? ir::machine_int().fit(*result) : result;
}

// The variable of a loop, a quantifier or a rule: it has a value of its type.
bool TouchWalk::is_bound(const ir::Place& place) const {
  return place.local != nullptr && place.local->storage == ir::Local::Storage::in_register &&
         !finder_.locals_->given.contains(place.local);
}

bool TouchWalk::is_inside(const Expr& index, const ir::Type& bounds) {
  if (const auto value = constant(index)) return bounds.contains(*value);
  if (index.kind != Kind::read && index.kind != Kind::read_or_undefined) return false;
  const ir::Type& type = *index.place->type;
  return is_bound(*index.place) && type.kind != ir::Type::Kind::unite && bounds.kind != ir::Type::Kind::unite &&
         type.lo >= bounds.lo && type.hi <= bounds.hi;
}

bool TouchWalk::may_be_undefined(const ir::Place& place) {
  if (place.type->is_machine() || is_bound(place)) return false;
  const Region at = region(place);
  if (!at.in_state || !at.exact) return true;
  bool defined = true;
  for (const std::uint32_t offset : at.offsets)
    finder_.cells_.each_in(offset, at.bits, [&](std::uint32_t cell) { defined &= finder_.is_defined(cell); });
  return !defined;
}

bool TouchWalk::may_be_undefined(const Expr& expr) {
  if (expr.type->is_machine()) return false;
  if (expr.kind == Kind::conditional) return may_be_undefined(*expr.b) || may_be_undefined(*expr.c);
  if (expr.kind == Kind::read_or_undefined) return may_be_undefined(*expr.place);
  return expr.kind == Kind::undefined_value || expr.kind == Kind::call;
}

bool TouchWalk::may_fault(const Expr& expr) {
  if (expr.kind == Kind::call || expr.kind == Kind::slot_filled || expr.kind == Kind::multiset_count) return true;
  if (is_shift_or_division(expr.kind)) {
    const auto by = constant(*expr.b);
    if (!by || *by <= 0) return true;
  }
  if (can_overflow(expr.kind) && !expr.type->is_machine()) return true;
  for (const ir::Place* place : {expr.place, expr.other}) {
    if (place == nullptr) continue;
    const bool in_register = place->local != nullptr && place->local->storage == ir::Local::Storage::in_register;
    if (place->call != nullptr || (place->variable == nullptr && !in_register)) return true;
    if (expr.kind == Kind::read) {
      const std::optional<std::int64_t> known = constant_read(expr);
      if (known ? *known == ir::undefined : may_be_undefined(*place)) return true;
    }
    for (const ir::PathStep& step : place->path) {
      if (step.kind == ir::PathStep::Kind::slot) return true;
      if (step.kind == ir::PathStep::Kind::field) continue;
      if (!is_inside(*step.index, *step.container->index)) return true;
    }
  }
  if (expr.binding != nullptr) {
    const ir::Domain& domain = expr.binding->domain;
    if (domain.type == nullptr) return true;
  }
  const auto part_may_fault = [&](const Expr* part) { return part != nullptr && may_fault(*part); };
  return part_may_fault(expr.a) || part_may_fault(expr.b) || part_may_fault(expr.c);
}

}  // namespace fathom
