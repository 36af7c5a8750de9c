#include "model/arithmetic.hpp"

#include "ir/natural.hpp"

namespace fathom {

using ir::Expr;
using Kind = ir::Expr::Kind;

namespace {

// A negative distance shifts the other way, and a distance past the width leaves nothing, as in Rumur.
std::int64_t shift_left(std::int64_t a, std::int64_t distance) {
  if (distance <= -64 || distance >= 64) return 0;
  return distance >= 0 ? static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << distance) : a >> -distance;
}

// `undefined` is the one 64-bit number that no arithmetic may produce: reaching it counts as overflow too.
std::optional<std::int64_t> calculate(Kind kind, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  bool bad = false;
  switch (kind) {
    case Kind::add:
      bad = __builtin_add_overflow(a, b, &result);
      break;
    case Kind::subtract:
      bad = __builtin_sub_overflow(a, b, &result);
      break;
    case Kind::multiply:
      bad = __builtin_mul_overflow(a, b, &result);
      break;
    case Kind::divide:
      bad = b == 0;
      if (!bad) result = b == -1 ? -a : a / b;
      break;
    case Kind::modulo:
      bad = b == 0;
      if (!bad) result = b == -1 ? 0 : a % b;
      break;
    case Kind::shift_left:
      result = shift_left(a, b);
      break;
    case Kind::shift_right:
      result = b == ir::undefined ? 0 : shift_left(a, -b);
      break;
    case Kind::bit_and:
      result = a & b;
      break;
    case Kind::bit_or:
      result = a | b;
      break;
    case Kind::bit_xor:
      result = a ^ b;
      break;
    default:
      break;
  }
  return bad || result == ir::undefined ? std::nullopt : std::optional(result);
}

// The low 32 bits of the operation, as C's int on the usual machines; only a division by zero has no result.
std::optional<std::int64_t> calculate_machine(Kind kind, std::int64_t a, std::int64_t b) {
  const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
  const auto wrap = [](std::uint64_t bits) -> std::int64_t { return static_cast<std::int32_t>(bits); };
  switch (kind) {
    case Kind::add:
      return wrap(x + y);
    case Kind::subtract:
      return wrap(x - y);
    case Kind::multiply:
      return wrap(x * y);
    case Kind::shift_left:
      return wrap(x << (y & 31));
    case Kind::shift_right:
      return wrap(static_cast<std::uint64_t>(wrap(x) >> (y & 31)));
    default:
      if (const auto result = calculate(kind, a, b)) return wrap(static_cast<std::uint64_t>(*result));
      return std::nullopt;
  }
}

}  // namespace

std::optional<std::int64_t> calculate(const Expr& expr, std::int64_t a, std::int64_t b) {
  if (expr.type->is_machine()) return calculate_machine(expr.kind, a, b);
  return expr.type->zero == 0 ? calculate(expr.kind, a, b) : ir::calculate_natural(expr.kind, a, b);
}

}  // namespace fathom
