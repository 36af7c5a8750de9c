// Types of the intermediate representation, together with their packed layout.
//
// A scalar value is a 64-bit integer. Enumeration and scalarset values carry numbers that are unique in the whole
// program, so a union needs no tag: a value of one of its members is already a value of the union, equality is integer
// equality, and membership is a range test. Ranges and booleans use their natural numbers.
//
// Packed, a scalar of n values takes bit_width(n) bits: code 0 is "undefined", code k is the k-th value. Aggregates
// are the concatenation of their parts without padding, so equal types have equal bit patterns wherever they lie and a
// copy of an aggregate is a copy of bits.
//
// A machine integer is different: it has a fixed width of at most 32 bits, its code is its bit pattern, it is never
// undefined (all zero bits are the number 0), writing a value keeps its lowest bits, and arithmetic wraps at 32 bits.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace fathom::ir {

// How a register (an unpacked scalar) says "undefined". No scalar type contains this value.
inline constexpr std::int64_t undefined = std::numeric_limits<std::int64_t>::min();

struct Type;

struct Field {
  std::string name;
  const Type* type = nullptr;
  std::uint32_t offset = 0;  // in bits, from the start of the record
};

struct Type {
  enum class Kind : std::uint8_t { boolean, range, enumeration, scalarset, machine, unite, array, record, multiset };

  Kind kind = Kind::range;
  std::string name;  // as declared; "" for an anonymous type

  // Scalars. The values are lo..hi; for a union they are those of the members, in order (flattened: no nested unions).
  std::int64_t lo = 0;
  std::int64_t hi = 0;
  std::int64_t zero = 0;  // range: how the number 0 is held; see natural()
  std::vector<std::string>
      value_names;                   // enumeration and boolean: one per value; machine: of 1, 2, ... where it has any
  bool is_signed = false;            // machine: two's complement in `bits` bits
  std::vector<const Type*> members;  // union

  // Arrays are indexed by a scalar type; a multiset has `capacity` slots, each one occupancy bit and then the element.
  const Type* index = nullptr;
  const Type* element = nullptr;
  std::uint32_t capacity = 0;
  std::uint32_t stride = 0;  // array and multiset: bits from one element (slot) to the next
  std::vector<Field> fields;

  std::uint32_t bits = 0;  // packed size

  [[nodiscard]] bool is_scalar() const { return kind <= Kind::unite; }
  [[nodiscard]] bool is_machine() const { return kind == Kind::machine; }
  [[nodiscard]] std::uint64_t cardinality() const;  // scalars: the number of values
  [[nodiscard]] bool contains(std::int64_t value) const;
  // Scalars: the code of a value the type contains (1..cardinality), and back.
  [[nodiscard]] std::uint64_t code(std::int64_t value) const;
  [[nodiscard]] std::int64_t value(std::uint64_t code) const;
  // Scalars in packed bits: what a place with this code holds, which may be `undefined`, and the code to store.
  [[nodiscard]] std::int64_t decode(std::uint64_t code) const {
    return code == 0 && !is_machine() ? undefined : value(code);
  }
  [[nodiscard]] std::uint64_t encode(std::int64_t value) const { return value == undefined ? 0 : code(value); }
  // What is left of a value that the type contains when it is stored.
  [[nodiscard]] std::int64_t fit(std::int64_t value) const { return is_machine() ? this->value(encode(value)) : value; }
  [[nodiscard]] const Field* field(std::string_view name) const;
};

// The unbounded integers of expressions: arithmetic results and `for` variables. Only registers have this type.
const Type& integer();

// The same for a program in which some number is 2^63 or more: 0..2^64-2, and no negative numbers. A register holds any
// number of such a program less 2^63 - 1, so that numbers keep their order and `undefined` stays free. Only arithmetic
// and printing have to know; the slots of multisets are no numbers and stay as they are.
const Type& natural();

// C's int: the machine integer of 32 bits that expressions of machine integers have.
const Type& machine_int();

// "NODE_1" for a scalarset, "Inv" for an enumeration, "true", "-3"; "Undefined" for `undefined`.
std::string show(const Type& type, std::int64_t value);

}  // namespace fathom::ir
