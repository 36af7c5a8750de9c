#include "native/value_ranges.hpp"

#include <algorithm>

#include "analysis/interval.hpp"

namespace fathom {

using ir::Expr;
using Kind = ir::Expr::Kind;

namespace {

constexpr ValueRange truth(bool safe) {
  return {0, 1, safe};
}

constexpr ValueRange decided(bool value) {
  return {value ? 1 : 0, value ? 1 : 0, true};
}

// All values of a machine type.
ValueRange machine_values(const ir::Type& type, bool safe) {
  if (!type.is_machine()) return {.safe = safe};
  const Interval all = values_of(type);
  return {all.lo, all.hi, safe};
}

}  // namespace

const ValueRange& ValueRanges::of(const Expr& expr) {
  if (const auto found = known_.find(&expr); found != known_.end()) return found->second;
  const ValueRange range = compute(expr);
  return known_[&expr] = range;
}

ValueRange ValueRanges::compute(const Expr& expr) {
  switch (expr.kind) {
    case Kind::constant:
      return {expr.value, expr.value, true};
    case Kind::read:
    case Kind::read_or_undefined:
      return of_read(expr);
    case Kind::logical_not: {
      const ValueRange& a = of(*expr.a);
      if (a.is_always_true() || a.is_always_false()) return decided(a.is_always_false());
      return truth(a.safe);
    }
    case Kind::logical_and:
    case Kind::logical_or: {
      const bool stops_at = expr.kind == Kind::logical_or;
      const ValueRange a = of(*expr.a), b = of(*expr.b);
      if (stops_at ? a.is_always_true() : a.is_always_false()) return decided(stops_at);
      if (stops_at ? a.is_always_false() : a.is_always_true())
        return b.is_constant() ? decided(b.lo != 0) : truth(b.safe);
      return truth(a.safe && b.safe);
    }
    case Kind::conditional:
      return of_conditional(expr);
    case Kind::timeout:
      return truth(true);
    case Kind::equal:
    case Kind::not_equal:
    case Kind::less:
    case Kind::less_equal:
    case Kind::greater:
    case Kind::greater_equal:
      return of_comparison(expr);
    case Kind::add:
    case Kind::subtract:
    case Kind::multiply:
    case Kind::divide:
    case Kind::modulo:
    case Kind::shift_left:
    case Kind::shift_right:
    case Kind::bit_and:
    case Kind::bit_or:
    case Kind::bit_xor:
      return of_arithmetic(expr);
    default:
      return {};
  }
}

ValueRange ValueRanges::of_read(const Expr& expr) {
  const bool defined =
      expr.kind == Kind::read_or_undefined || expr.site == ir::SiteId::none || expr.place->type->is_machine();
  return machine_values(*expr.place->type, defined && is_safe(*expr.place));
}

bool ValueRanges::is_safe(const ir::Place& place) {
  if (place.call != nullptr) return false;
  return std::ranges::all_of(place.path, [&](const ir::PathStep& step) {
    if (step.kind == ir::PathStep::Kind::field) return true;
    if (step.kind != ir::PathStep::Kind::index || step.container->index->kind == ir::Type::Kind::unite) return false;
    const ValueRange& index = of(*step.index);
    return index.safe && index.is_within(step.container->index->lo, step.container->index->hi);
  });
}

ValueRange ValueRanges::of_comparison(const Expr& expr) {
  const ValueRange a = of(*expr.a), b = of(*expr.b);
  const bool safe = a.safe && b.safe;
  if (!safe) return truth(false);
  const bool apart = a.hi < b.lo || b.hi < a.lo;
  const bool same = expr.a == expr.b || (a.is_constant() && b.is_constant() && a.lo == b.lo);
  switch (expr.kind) {
    case Kind::equal:
    case Kind::not_equal:
      return apart || same ? decided(same == (expr.kind == Kind::equal)) : truth(true);
    case Kind::less:
    case Kind::greater_equal:
      return a.hi < b.lo || a.lo >= b.hi ? decided((a.hi < b.lo) == (expr.kind == Kind::less)) : truth(true);
    default:
      return a.hi <= b.lo || a.lo > b.hi ? decided((a.hi <= b.lo) == (expr.kind == Kind::less_equal)) : truth(true);
  }
}

// Only machine integers: other arithmetic can overflow.
ValueRange ValueRanges::of_arithmetic(const Expr& expr) {
  if (!expr.type->is_machine()) return {};
  const ValueRange a = of(*expr.a), b = of(*expr.b);
  const bool divides = expr.kind == Kind::divide || expr.kind == Kind::modulo;
  const Interval result = machine_result(expr.kind, {a.lo, a.hi}, {b.lo, b.hi});
  return {result.lo, result.hi, a.safe && b.safe && !(divides && b.lo <= 0)};
}

ValueRange ValueRanges::of_conditional(const Expr& expr) {
  const ValueRange condition = of(*expr.a);
  if (condition.is_always_true()) return of(*expr.b);
  if (condition.is_always_false()) return of(*expr.c);
  const ValueRange a = of(*expr.b), b = of(*expr.c);
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi), condition.safe && a.safe && b.safe};
}

}  // namespace fathom
