// Intervals of values, and what arithmetic makes of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "ir/program.hpp"

namespace fathom {

struct Interval {
  std::int64_t lo = std::numeric_limits<std::int64_t>::min();
  std::int64_t hi = std::numeric_limits<std::int64_t>::max();

  static constexpr Interval only(std::int64_t value) { return {value, value}; }
  static constexpr Interval truth() { return {0, 1}; }
  static constexpr Interval none() {
    return {std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
  }

  [[nodiscard]] constexpr bool empty() const { return lo > hi; }
  [[nodiscard]] constexpr bool contains(std::int64_t value) const { return lo <= value && value <= hi; }
  [[nodiscard]] constexpr bool is_within(Interval other) const { return lo >= other.lo && hi <= other.hi; }
  [[nodiscard]] constexpr Interval joined(Interval other) const {
    return {std::min(lo, other.lo), std::max(hi, other.hi)};
  }
  [[nodiscard]] constexpr Interval common(Interval other) const {
    return {std::max(lo, other.lo), std::min(hi, other.hi)};
  }
  constexpr bool operator==(const Interval&) const = default;
};

// The values that a variable of a scalar type can have.
Interval values_of(const ir::Type& type);

// What an operator for machine integers, whose operands are 32 bits wide, gives for operands in these intervals. Where
// there is no result because of a division by zero, nothing is said about it.
Interval machine_result(ir::Expr::Kind kind, Interval a, Interval b);

}  // namespace fathom
