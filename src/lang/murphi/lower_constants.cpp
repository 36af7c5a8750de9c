// Lowering: expressions whose value is known. Folding never hides a fault: what would overflow or divide by zero stays
// as it is and fails when, and only if, it is executed.
#include <fmt/format.h>

#include "ir/natural.hpp"
#include "lang/murphi/lowering.hpp"
#include "lang/murphi/type_rules.hpp"

namespace fathom::murphi {

namespace {

using Kind = ir::Expr::Kind;

std::optional<std::int64_t> shifted(Kind kind, std::int64_t a, std::int64_t b) {
  if (b < 0 || b > 63) return std::nullopt;
  return kind == Kind::shift_left ? static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << b) : a >> b;
}

std::optional<std::int64_t> calculated(Kind kind, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  switch (kind) {
    case Kind::negate:
      return __builtin_sub_overflow(std::int64_t{0}, a, &result) ? std::nullopt : std::optional(result);
    case Kind::complement:
      return ~a;
    case Kind::logical_not:
      return a == 0;
    case Kind::add:
      return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case Kind::subtract:
      return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case Kind::multiply:
      return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case Kind::divide:
      return b == 0 ? std::nullopt : std::optional(b == -1 ? -a : a / b);
    case Kind::modulo:
      return b == 0 ? std::nullopt : std::optional(b == -1 ? 0 : a % b);
    case Kind::shift_left:
    case Kind::shift_right:
      return shifted(kind, a, b);
    case Kind::bit_and:
      return a & b;
    case Kind::bit_or:
      return a | b;
    case Kind::bit_xor:
      return a ^ b;
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

// Zero times, over, modulo or shifted by anything is zero. Rumur takes that for a constant even if the other operand is
// none, and models rely on it in the bounds of types.
bool is_zero(const ir::Expr& expr) {
  const auto zero = [](const ir::Expr* operand) {
    return is_constant(operand) && operand->value == operand->type->zero;
  };
  switch (expr.kind) {
    case Kind::multiply:
      return zero(expr.a) || zero(expr.b);
    case Kind::divide:
    case Kind::modulo:
      return zero(expr.a) && !zero(expr.b);
    case Kind::shift_left:
    case Kind::shift_right:
      return zero(expr.a);
    default:
      return false;
  }
}

}  // namespace

const ir::Expr* Lowering::fold(const ir::Expr& expr) {
  if (expr.kind == Kind::logical_and || expr.kind == Kind::logical_or || expr.kind == Kind::implies ||
      expr.kind == Kind::conditional)
    return fold_logic(expr);
  const bool known = is_constant(expr.a) && (expr.b == nullptr || is_constant(expr.b));
  if (known && expr.kind == Kind::is_member)
    return build_.constant(expr.tested->contains(expr.a->value), expr.type, expr.range);
  if (known) {
    const std::int64_t a = expr.a->value, b = expr.b ? expr.b->value : 0;
    const std::optional<std::int64_t> result =
        expr.type->zero == 0 ? calculated(expr.kind, a, b) : ir::calculate_natural(expr.kind, a, b);
    if (result && *result != ir::undefined) return build_.constant(*result, expr.type, expr.range);
  }
  if (constant_context_ && is_zero(expr)) return build_.constant(expr.type->zero, expr.type, expr.range);
  return &expr;
}

// Only the left operand may decide: the right one is not evaluated then anyway.
const ir::Expr* Lowering::fold_logic(const ir::Expr& expr) {
  if (!is_constant(expr.a)) return &expr;
  const bool left = expr.a->value != 0;
  switch (expr.kind) {
    case Kind::logical_and:
      return left ? expr.b : build_.constant(false, expr.type, expr.range);
    case Kind::logical_or:
      return left ? build_.constant(true, expr.type, expr.range) : expr.b;
    case Kind::implies:
      return left ? expr.b : build_.constant(true, expr.type, expr.range);
    default: {
      const ir::Expr* const chosen = left ? expr.b : expr.c;
      return chosen->type == expr.type || !is_constant(chosen) ? chosen
                                                               : build_.constant(chosen->value, expr.type, expr.range);
    }
  }
}

const ir::Expr* Lowering::constant_value(const Expr& syntax, const char* use) {
  const bool before = std::exchange(constant_context_, true);
  const ir::Expr* const result = value(syntax);
  constant_context_ = before;
  if (result == nullptr || is_constant(result)) return result;
  const bool computable = is_constant(result->a) && (result->b == nullptr || is_constant(result->b));
  if (computable && result->site != ir::SiteId::none) {
    error("F111", result->range,
          fmt::format("`{}` has no value: it overflows or divides by zero", quote(result->range)));
  } else {
    error("F110", syntax.range,
          fmt::format("{} must be a constant expression, and `{}` is not", use, quote(syntax.range)));
  }
  return nullptr;
}

std::optional<std::int64_t> Lowering::constant_number(const Expr& syntax, const char* use) {
  const ir::Expr* const constant = constant_value(syntax, use);
  if (constant == nullptr) return std::nullopt;
  if (is_number(*constant->type)) return constant->value;
  error("F120", syntax.range, fmt::format("{} must be a number, and this is {}", use, describe_type(*constant->type)));
  return std::nullopt;
}

std::optional<std::int64_t> Lowering::plain_number(const Expr& syntax, const char* use) {
  const std::optional<std::int64_t> held = constant_number(syntax, use);
  if (!held) return std::nullopt;
  std::int64_t plain = 0;
  if (!__builtin_sub_overflow(*held, build_.number()->zero, &plain)) return plain;
  error("F111", syntax.range, fmt::format("{} must not be above 9223372036854775807", use));
  return std::nullopt;
}

}  // namespace fathom::murphi
