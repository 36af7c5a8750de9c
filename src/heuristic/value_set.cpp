#include "heuristic/value_set.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "model/arithmetic.hpp"

namespace fathom {

using Kind = ir::Expr::Kind;

namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t least = ir::undefined + 1;

ValueSet machine_range(const ir::Type& type) {
  const std::int64_t half = std::int64_t{1} << (type.bits - 1);
  return type.is_signed ? ValueSet{-half, half - 1, false} : ValueSet{0, 2 * half - 1, false};
}

ValueSet everything() {
  return {least, most, false};
}

// The hull of an operation on the ends, where it is monotone in both operands.
ValueSet hull(Kind kind, const ValueSet& a, const ValueSet& b, bool& may_fail) {
  ValueSet result{most, least, false};
  for (const std::int64_t x : {a.lo, a.hi})
    for (const std::int64_t y : {b.lo, b.hi}) {
      std::int64_t z = 0;
      const bool bad = kind == Kind::add        ? __builtin_add_overflow(x, y, &z)
                       : kind == Kind::subtract ? __builtin_sub_overflow(x, y, &z)
                                                : __builtin_mul_overflow(x, y, &z);
      if (bad || z == ir::undefined) {
        may_fail = true;
        return everything();
      }
      result.lo = std::min(result.lo, z);
      result.hi = std::max(result.hi, z);
    }
  return result;
}

ValueSet divide(Kind kind, const ValueSet& a, const ValueSet& b, bool& may_fail) {
  if (b.contains(0)) may_fail = true;
  if (b.lo <= 0) return everything();
  if (kind == Kind::divide) return {std::min(a.lo / b.lo, a.lo / b.hi), std::max(a.hi / b.lo, a.hi / b.hi), false};
  return {a.lo >= 0 ? 0 : std::max(a.lo, 1 - b.hi), a.hi <= 0 ? 0 : std::min(a.hi, b.hi - 1), false};
}

// The smallest number of the form 2^k - 1 that is not below this one.
std::int64_t all_ones(std::int64_t value) {
  return static_cast<std::int64_t>(~std::uint64_t{0} >> std::countl_zero(static_cast<std::uint64_t>(value) | 1));
}

ValueSet bitwise(Kind kind, const ValueSet& a, const ValueSet& b, bool& may_fail) {
  const bool plain = a.lo >= 0 && b.lo >= 0;
  if (plain && kind == Kind::bit_and) return {0, std::min(a.hi, b.hi), false};
  if (plain && (kind == Kind::bit_or || kind == Kind::bit_xor)) return {0, all_ones(std::max(a.hi, b.hi)), false};
  if (plain && kind == Kind::shift_right) return {0, a.hi, false};
  may_fail = true;
  return everything();
}

}  // namespace

ValueSet ValueSet::all_of(const ir::Type& type) {
  if (type.is_machine()) return machine_range(type);
  if (type.kind != ir::Type::Kind::unite) return {type.lo, type.hi, true};
  ValueSet result{most, least, true};
  for (const ir::Type* member : type.members) {
    result.lo = std::min(result.lo, member->lo);
    result.hi = std::max(result.hi, member->hi);
  }
  return result;
}

Kind negation(Kind relation) {
  switch (relation) {
    case Kind::equal:
      return Kind::not_equal;
    case Kind::not_equal:
      return Kind::equal;
    case Kind::less:
      return Kind::greater_equal;
    case Kind::less_equal:
      return Kind::greater;
    case Kind::greater:
      return Kind::less_equal;
    default:
      return Kind::less;
  }
}

Kind mirror(Kind relation) {
  switch (relation) {
    case Kind::less:
      return Kind::greater;
    case Kind::less_equal:
      return Kind::greater_equal;
    case Kind::greater:
      return Kind::less;
    case Kind::greater_equal:
      return Kind::less_equal;
    default:
      return relation;
  }
}

Truth compare(Kind relation, const ValueSet& a, const ValueSet& b) {
  const auto decide = [](bool yes, bool no) { return yes ? Truth::yes : no ? Truth::no : Truth::unknown; };
  switch (relation) {
    case Kind::equal:
      return decide(a.lo == a.hi && b.lo == b.hi && a.lo == b.lo, a.hi < b.lo || b.hi < a.lo);
    case Kind::not_equal:
      return decide(a.hi < b.lo || b.hi < a.lo, a.lo == a.hi && b.lo == b.hi && a.lo == b.lo);
    case Kind::less:
      return decide(a.hi < b.lo, a.lo >= b.hi);
    case Kind::less_equal:
      return decide(a.hi <= b.lo, a.lo > b.hi);
    case Kind::greater:
      return decide(a.lo > b.hi, a.hi <= b.lo);
    default:
      return decide(a.lo >= b.hi, a.hi < b.lo);
  }
}

ValueSet narrowed(const ValueSet& a, Kind relation, const ValueSet& b) {
  ValueSet result = a;
  switch (relation) {
    case Kind::equal:
      result.lo = std::max(a.lo, b.lo);
      result.hi = std::min(a.hi, b.hi);
      break;
    case Kind::not_equal:
      if (b.lo != b.hi) break;
      if (result.lo == b.lo) ++result.lo;
      if (result.hi == b.lo) --result.hi;
      break;
    case Kind::less:
      result.hi = std::min(a.hi, b.hi - 1);
      break;
    case Kind::less_equal:
      result.hi = std::min(a.hi, b.hi);
      break;
    case Kind::greater:
      result.lo = std::max(a.lo, b.lo + 1);
      break;
    default:
      result.lo = std::max(a.lo, b.lo);
  }
  return result;
}

ValueSet calculate(const ir::Expr& expr, const ValueSet& a, const ValueSet& b, bool& may_fail) {
  if (a.lo == a.hi && b.lo == b.hi) {
    const auto result = calculate(expr, a.lo, b.lo);
    may_fail = may_fail || !result;
    return result ? ValueSet::of(*result) : ValueSet{};
  }
  bool overflows = false;
  ValueSet result;
  switch (expr.kind) {
    case Kind::add:
    case Kind::subtract:
    case Kind::multiply:
      result = hull(expr.kind, a, b, overflows);
      break;
    case Kind::divide:
    case Kind::modulo:
      result = divide(expr.kind, a, b, may_fail);
      break;
    default:
      result = bitwise(expr.kind, a, b, overflows);
  }
  if (expr.type->is_machine()) {
    const ValueSet range = machine_range(*expr.type);
    return result.is_within(range.lo, range.hi) ? result : range;
  }
  if (expr.type->zero != 0) {  // held with an offset: too rare to follow
    may_fail = true;
    return everything();
  }
  may_fail = may_fail || overflows;
  return result;
}

ValueSet calculate(const ir::Expr& unary, const ValueSet& a, bool& may_fail) {
  ValueSet result = unary.kind == Kind::negate ? ValueSet{-a.hi, -a.lo, false} : ValueSet{~a.hi, ~a.lo, false};
  if (unary.type->is_machine()) {
    const ValueSet range = machine_range(ir::machine_int());
    return result.is_within(range.lo, range.hi) ? result : range;
  }
  if (unary.type->zero != 0 || result.lo == ir::undefined) {
    may_fail = true;
    return everything();
  }
  return result;
}

ValueSet fitted(const ValueSet& values, const ir::Type& type, bool& may_fail) {
  if (!values.has_numbers()) return values;
  ValueSet range = ValueSet::all_of(type);
  if (type.is_machine()) {
    if (values.is_within(range.lo, range.hi)) return values;
    return values.lo == values.hi ? ValueSet{type.fit(values.lo), type.fit(values.lo), values.undefined} : range;
  }
  bool inside = values.is_within(range.lo, range.hi);
  if (type.kind == ir::Type::Kind::unite)
    inside = std::ranges::any_of(type.members,
                                 [&](const ir::Type* member) { return values.is_within(member->lo, member->hi); });
  may_fail = may_fail || !inside;
  return {std::max(values.lo, range.lo), std::min(values.hi, range.hi), values.undefined};
}

// ---- Cells ----------------------------------------------------------------------------------------------------------

CellSet CellSet::all_of(const ir::Type& type, bool may_be_undefined) {
  CellSet set(type);
  if (!set.is_small()) {
    set.values_ = ValueSet::all_of(type);
    set.values_.undefined = set.values_.undefined && may_be_undefined;
    return set;
  }
  const std::uint64_t first = type.is_machine() || may_be_undefined ? 0 : 1;
  const std::uint64_t last = type.is_machine() ? type.cardinality() - 1 : type.cardinality();
  set.codes_ = ((std::uint64_t{2} << last) - 1) & ~((std::uint64_t{1} << first) - 1);
  return set;
}

CellSet CellSet::code(const ir::Type& type, std::uint64_t code) {
  CellSet set(type);
  if (set.is_small())
    set.codes_ = std::uint64_t{1} << code;
  else
    set.values_ = ValueSet::of(type.decode(code));
  return set;
}

CellSet CellSet::of(const ir::Type& type, const ValueSet& values) {
  CellSet set(type);
  if (!set.is_small()) {
    set.values_ = values;
    return set;
  }
  const CellSet all = all_of(type, true);
  if (values.is_number()) {  // the usual case
    const std::uint64_t code = type.encode(values.lo);
    if (code <= max_code && all.contains_code(code) && type.decode(code) == values.lo)
      set.codes_ = std::uint64_t{1} << code;
    return set;
  }
  for (std::uint64_t codes = all.codes_; codes != 0; codes &= codes - 1) {
    const auto code = static_cast<std::uint64_t>(std::countr_zero(codes));
    if (values.contains(type.decode(code))) set.codes_ |= std::uint64_t{1} << code;
  }
  return set;
}

ValueSet CellSet::values() const {
  if (!is_small()) return values_;
  ValueSet result{most, least, false};
  for (std::uint64_t codes = codes_; codes != 0; codes &= codes - 1) {
    const std::int64_t value = type_->decode(static_cast<std::uint64_t>(std::countr_zero(codes)));
    if (value == ir::undefined) {
      result.undefined = true;
      continue;
    }
    result.lo = std::min(result.lo, value);
    result.hi = std::max(result.hi, value);
  }
  return result;
}

bool CellSet::contains_code(std::uint64_t code) const {
  return is_small() ? ((codes_ >> code) & 1) != 0 : values_.contains(type_->decode(code));
}

std::optional<std::uint64_t> CellSet::single_code() const {
  if (is_small())
    return std::has_single_bit(codes_) ? std::optional<std::uint64_t>(std::countr_zero(codes_)) : std::nullopt;
  if (values_.is_undefined()) return 0;
  return values_.is_number() ? std::optional(type_->encode(values_.lo)) : std::nullopt;
}

void CellSet::join(const CellSet& other) {
  codes_ |= other.codes_;
  if (is_small() || other.values_.is_empty()) return;
  if (!values_.has_numbers()) {
    values_.lo = other.values_.lo;
    values_.hi = other.values_.hi;
  } else if (other.values_.has_numbers()) {
    values_.lo = std::min(values_.lo, other.values_.lo);
    values_.hi = std::max(values_.hi, other.values_.hi);
  }
  values_.undefined |= other.values_.undefined;
}

bool CellSet::meets(const CellSet& other) const {
  if (is_small()) return (codes_ & other.codes_) != 0;
  return (values_.undefined && other.values_.undefined) ||
         (std::max(values_.lo, other.values_.lo) <= std::min(values_.hi, other.values_.hi));
}

}  // namespace fathom
