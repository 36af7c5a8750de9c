// The values that something may have when not everything about a state is known: the possible codes of a cell of few
// values, one by one, and otherwise the numbers between two ends. `undefined` is kept apart.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/program.hpp"

namespace fathom {

struct ValueSet {
  std::int64_t lo = 0;
  std::int64_t hi = -1;
  bool undefined = false;

  [[nodiscard]] static ValueSet of(std::int64_t value) {
    return value == ir::undefined ? ValueSet{0, -1, true} : ValueSet{value, value, false};
  }
  // Every value of the type, and none at all where it may be undefined.
  [[nodiscard]] static ValueSet all_of(const ir::Type& type);

  [[nodiscard]] bool has_numbers() const { return lo <= hi; }
  [[nodiscard]] bool is_empty() const { return !has_numbers() && !undefined; }
  [[nodiscard]] bool is_number() const { return lo == hi && !undefined; }
  [[nodiscard]] bool is_undefined() const { return !has_numbers() && undefined; }
  [[nodiscard]] bool contains(std::int64_t value) const {
    return value == ir::undefined ? undefined : lo <= value && value <= hi;
  }
  [[nodiscard]] bool is_within(std::int64_t from, std::int64_t to) const { return lo >= from && hi <= to; }
};

enum class Truth : std::uint8_t { no, yes, unknown };

// Whether two numbers of these sets are related so, and what is left of `a` where they are (or are not).
Truth compare(ir::Expr::Kind relation, const ValueSet& a, const ValueSet& b);
ValueSet narrowed(const ValueSet& a, ir::Expr::Kind relation, const ValueSet& b);
ir::Expr::Kind negation(ir::Expr::Kind relation);
ir::Expr::Kind mirror(ir::Expr::Kind relation);

// The results of an operation, by the type of its expression; `may_fail`: there may be none.
ValueSet calculate(const ir::Expr& expr, const ValueSet& a, const ValueSet& b, bool& may_fail);
ValueSet calculate(const ir::Expr& unary, const ValueSet& a, bool& may_fail);

// What is left of numbers that are stored in a place of this type; `may_fail`: some of them are outside.
ValueSet fitted(const ValueSet& values, const ir::Type& type, bool& may_fail);

// A cell of a packed state. Cells of at most 63 codes are sets of codes: bit k stands for code k.
class CellSet {
 public:
  static constexpr std::uint32_t max_bits = 6;
  static constexpr std::uint64_t max_code = 63;

  CellSet() = default;
  explicit CellSet(const ir::Type& type) : type_(&type) {}
  [[nodiscard]] static CellSet all_of(const ir::Type& type, bool may_be_undefined);
  [[nodiscard]] static CellSet code(const ir::Type& type, std::uint64_t code);
  [[nodiscard]] static CellSet of(const ir::Type& type, const ValueSet& values);

  [[nodiscard]] const ir::Type* type() const { return type_; }
  [[nodiscard]] bool is_small() const { return type_->bits <= max_bits; }
  [[nodiscard]] std::uint64_t codes() const { return codes_; }
  void keep_codes(std::uint64_t codes) { codes_ &= codes; }
  [[nodiscard]] ValueSet values() const;
  void set(const ValueSet& values) { values_ = values; }
  [[nodiscard]] bool is_empty() const { return is_small() ? codes_ == 0 : values_.is_empty(); }
  [[nodiscard]] bool contains_code(std::uint64_t code) const;
  // The only code it may have.
  [[nodiscard]] std::optional<std::uint64_t> single_code() const;
  void join(const CellSet& other);
  // Some code of both.
  [[nodiscard]] bool meets(const CellSet& other) const;

 private:
  const ir::Type* type_ = nullptr;
  std::uint64_t codes_ = 0;  // small
  ValueSet values_;          // otherwise
};

}  // namespace fathom
