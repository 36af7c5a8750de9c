// Which values an expression can have, and whether it can go wrong: enough to leave out tests that always hold, edges
// that never can be taken, and checks of indices that are in their bounds. Compilers find most of this too, but only
// after they have read it, and models written by macros consist of it.
#pragma once

#include <cstdint>
#include <limits>
#include <unordered_map>

#include "ir/program.hpp"

namespace fathom {

struct ValueRange {
  std::int64_t lo = std::numeric_limits<std::int64_t>::min();
  std::int64_t hi = std::numeric_limits<std::int64_t>::max();
  bool safe = false;  // evaluation cannot fault

  [[nodiscard]] bool is_constant() const { return safe && lo == hi; }
  [[nodiscard]] bool is_always_true() const { return safe && (lo > 0 || hi < 0); }
  [[nodiscard]] bool is_always_false() const { return safe && lo == 0 && hi == 0; }
  [[nodiscard]] bool is_within(std::int64_t from, std::int64_t to) const { return lo >= from && hi <= to; }
};

class ValueRanges {
 public:
  const ValueRange& of(const ir::Expr& expr);

 private:
  ValueRange compute(const ir::Expr& expr);
  ValueRange of_read(const ir::Expr& expr);
  ValueRange of_comparison(const ir::Expr& expr);
  ValueRange of_arithmetic(const ir::Expr& expr);
  ValueRange of_conditional(const ir::Expr& expr);
  bool is_safe(const ir::Place& place);

  std::unordered_map<const ir::Expr*, ValueRange> known_;
};

}  // namespace fathom
