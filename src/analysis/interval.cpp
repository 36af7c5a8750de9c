#include "analysis/interval.hpp"

#include <bit>

namespace fathom {

namespace {

using Kind = ir::Expr::Kind;

constexpr Interval any_int{std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};

// The smallest 2^n - 1 that is not below a number.
std::int64_t all_ones(std::int64_t value) {
  return static_cast<std::int64_t>((std::uint64_t{1} << std::bit_width(static_cast<std::uint64_t>(value))) - 1);
}

Interval product(Interval a, Interval b) {
  const auto [lo, hi] = std::minmax({a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi});
  return {lo, hi};
}

Interval quotient(Interval a, Interval b) {
  if (b.lo <= 0) return any_int;
  return {a.lo < 0 ? a.lo / b.lo : a.lo / b.hi, a.hi < 0 ? a.hi / b.hi : a.hi / b.lo};
}

Interval remainder(Interval a, Interval b) {
  if (b.lo <= 0) return any_int;
  return {a.lo < 0 ? std::max(a.lo, 1 - b.hi) : 0, a.hi < 0 ? 0 : std::min(a.hi, b.hi - 1)};
}

Interval conjunction(Interval a, Interval b) {
  if (a.lo < 0 && b.lo < 0) return any_int;
  const bool keeps_a = b.lo == b.hi && a.lo >= 0 && b.lo == all_ones(b.lo) && a.hi <= b.lo;
  if (keeps_a) return a;
  return {0, std::min(a.lo < 0 ? b.hi : a.hi, b.lo < 0 ? a.hi : b.hi)};
}

Interval disjunction(Interval a, Interval b) {
  return a.lo < 0 || b.lo < 0 ? any_int : Interval{0, all_ones(std::max(a.hi, b.hi))};
}

bool is_distance(Interval b) {
  return b.lo >= 0 && b.hi < 32;
}

Interval shifted_left(Interval a, Interval b) {
  if (!is_distance(b)) return any_int;
  return product(a, {std::int64_t{1} << b.lo, std::int64_t{1} << b.hi});
}

Interval shifted_right(Interval a, Interval b) {
  if (!is_distance(b)) return any_int;
  return {a.lo < 0 ? a.lo >> b.lo : a.lo >> b.hi, a.hi < 0 ? a.hi >> b.hi : a.hi >> b.lo};
}

Interval exact_result(Kind kind, Interval a, Interval b) {
  switch (kind) {
    case Kind::add:
      return {a.lo + b.lo, a.hi + b.hi};
    case Kind::subtract:
      return {a.lo - b.hi, a.hi - b.lo};
    case Kind::multiply:
      return product(a, b);
    case Kind::divide:
      return quotient(a, b);
    case Kind::modulo:
      return remainder(a, b);
    case Kind::bit_and:
      return conjunction(a, b);
    case Kind::bit_or:
    case Kind::bit_xor:
      return disjunction(a, b);
    case Kind::shift_left:
      return shifted_left(a, b);
    case Kind::shift_right:
      return shifted_right(a, b);
    default:
      return any_int;
  }
}

}  // namespace

Interval values_of(const ir::Type& type) {
  if (type.kind == ir::Type::Kind::unite) return {};
  if (!type.is_machine() || type.lo < type.hi) return {type.lo, type.hi};
  const std::int64_t half = std::int64_t{1} << (type.bits - 1);
  return type.is_signed ? Interval{-half, half - 1} : Interval{0, 2 * half - 1};
}

Interval machine_result(Kind kind, Interval a, Interval b) {
  if (!a.is_within(any_int) || !b.is_within(any_int)) return any_int;
  const Interval result = exact_result(kind, a, b);
  return result.is_within(any_int) ? result : any_int;  // it wraps
}

}  // namespace fathom
