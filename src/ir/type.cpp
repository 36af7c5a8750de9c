#include "ir/type.hpp"

#include <algorithm>

#include "support/natural.h"

namespace fathom::ir {

namespace {

// Differences of 64-bit numbers are taken unsigned: the distance of two ends of a range may not fit a signed number.
std::uint64_t distance(std::int64_t from, std::int64_t to) {
  return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
}

Type unbounded(std::int64_t zero) {
  Type type;
  type.kind = Type::Kind::range;
  type.name = "integer";
  type.lo = undefined + 1;
  type.hi = std::numeric_limits<std::int64_t>::max();
  type.zero = zero;
  type.bits = 64;
  return type;
}

std::uint64_t mask_of(std::uint32_t bits) {
  return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

std::string show_number(const Type& type, std::int64_t value) {
  return type.zero == 0 ? std::to_string(value) : std::to_string(distance(type.zero, value));
}

}  // namespace

std::uint64_t Type::cardinality() const {
  if (is_machine()) return std::uint64_t{1} << bits;
  if (kind != Kind::unite) return distance(lo, hi) + 1;
  std::uint64_t count = 0;
  for (const Type* member : members) count += member->cardinality();
  return count;
}

bool Type::contains(std::int64_t value) const {
  if (is_machine()) return value != undefined;  // what is written is cut to size
  if (kind != Kind::unite) return lo <= value && value <= hi;
  return std::ranges::any_of(members, [&](const Type* member) { return member->contains(value); });
}

std::uint64_t Type::code(std::int64_t value) const {
  if (is_machine()) return static_cast<std::uint64_t>(value) & mask_of(bits);
  if (kind != Kind::unite) return distance(lo, value) + 1;
  std::uint64_t before = 0;
  for (const Type* member : members) {
    if (member->contains(value)) return before + member->code(value);
    before += member->cardinality();
  }
  return 0;
}

std::int64_t Type::value(std::uint64_t code) const {
  if (is_machine()) {
    const bool negative = is_signed && ((code >> (bits - 1)) & 1) != 0;
    return static_cast<std::int64_t>(negative ? code | ~mask_of(bits) : code);
  }
  if (kind != Kind::unite) return static_cast<std::int64_t>(static_cast<std::uint64_t>(lo) + (code - 1));
  for (const Type* member : members) {
    if (code <= member->cardinality()) return member->value(code);
    code -= member->cardinality();
  }
  return undefined;
}

const Field* Type::field(std::string_view wanted) const {
  const auto found = std::ranges::find(fields, wanted, &Field::name);
  return found == fields.end() ? nullptr : &*found;
}

const Type& integer() {
  static const Type type = unbounded(0);
  return type;
}

const Type& natural() {
  static const Type type = unbounded(FATHOM_NATURAL_ZERO);
  return type;
}

const Type& machine_int() {
  static const Type type = [] {
    Type result;
    result.kind = Type::Kind::machine;
    result.name = "int";
    result.bits = 32;
    result.is_signed = true;
    return result;
  }();
  return type;
}

std::string show(const Type& type, std::int64_t value) {
  if (value == undefined) return "Undefined";
  if (type.is_machine()) {
    const bool named = value > 0 && static_cast<std::uint64_t>(value) <= type.value_names.size();
    return named ? type.value_names[static_cast<std::size_t>(value) - 1] : std::to_string(value);
  }
  if (type.kind == Type::Kind::unite) {
    for (const Type* member : type.members)
      if (member->contains(value)) return show(*member, value);
  }
  if (!type.contains(value)) return show_number(type, value);
  const std::uint64_t position = type.code(value) - 1;
  if (position < type.value_names.size()) return type.value_names[position];
  if (type.kind == Type::Kind::scalarset)
    return (type.name.empty() ? "scalarset" : type.name) + "_" + std::to_string(position + 1);
  return show_number(type, value);
}

}  // namespace fathom::ir
