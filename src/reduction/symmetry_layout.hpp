// Where the elements of the permuted scalarsets occur in a packed state, as flat tables.
//
// A state is read as a relational structure over the elements: an array indexed by a scalarset is a row per element, a
// variable that holds an element points at it. The tables come in two groups. Arrays, value classes and multisets are
// what a permutation changes; runs, pointers and facts say the same things in the form in which elements are compared.
// Indices of other types, fields and slots are expanded, so that a loop over a table sees constant offsets only.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/program.hpp"

namespace fathom {

struct SymmetryLayout {
  // `companion`, if given, is the type of one more variable that lies behind the others.
  SymmetryLayout(const ir::Program& program, const std::vector<const ir::Type*>& permuted,
                 const ir::Type* companion = nullptr);

  static constexpr std::uint32_t none = UINT32_MAX;

  // The elements of all sets have one numbering: a set owns first..first+size-1.
  struct Set {
    std::int64_t lo = 0;  // the value of its first element
    std::uint32_t first = 0;
    std::uint32_t size = 0;
    // Whether rows of this set never mention the set again, and only pointers hold its values. Two elements can then
    // be exchanged exactly when nothing points at them and their rows are equal bits.
    bool local = true;
  };

  // ---- What a permutation changes ----

  struct Array {
    std::uint32_t set = 0;
    std::uint32_t offset = 0;
    std::uint32_t stride = 0;
  };
  // All variables of one scalar type that has elements among its values: a scalarset, or a union with one inside.
  struct ValueClass {
    struct Segment {
      std::uint32_t set = 0;
      std::uint32_t first_code = 0;
    };
    const ir::Type* type = nullptr;
    std::uint32_t width = 0;
    std::vector<Segment> segments;
    std::vector<std::uint32_t> element_of_code;  // `none` for "undefined" and for values that stay
    std::vector<std::uint32_t> offsets;
  };
  struct Multiset {
    std::uint32_t offset = 0;
    std::uint32_t stride = 0;
    std::uint32_t capacity = 0;
  };

  // ---- How elements are compared ----

  // At most 64 plain bits in every row of an array that no other permuted set indexes.
  struct Run {
    std::uint32_t set = 0;
    std::uint32_t offset = 0;
    std::uint32_t stride = 0;
    std::uint32_t width = 0;
    std::uint64_t multiplier = 0;  // of the key so far; a power of two while all runs of the set fit one word
  };
  // A variable with elements as values that no permuted set indexes.
  struct Pointer {
    std::uint32_t value_class = 0;
    std::uint32_t offset = 0;
    std::uint64_t salt = 0;
  };
  // Anything else that relates elements: a leaf under some elements as indices, whose value may be one more.
  struct Fact {
    std::uint32_t value_class = none;  // none: plain bits
    std::uint32_t offset = 0;
    std::uint32_t width = 0;
    std::uint32_t first_index = 0;  // in fact_indices
    std::uint32_t index_count = 0;
    std::uint64_t salt = 0;  // equal for facts that a permutation can exchange
  };
  // Facts that belong together: those in one slot of a multiset, otherwise a single one.
  struct Group {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::uint32_t occupancy = none;  // the offset of the slot's occupancy bit
  };

  std::vector<Set> sets;
  std::uint32_t elements = 0;
  std::uint32_t words = 0;  // of a state

  std::vector<Array> arrays;  // outer ones before those inside
  std::vector<ValueClass> classes;
  std::vector<Multiset> multisets;  // inner ones before those around

  std::vector<Run> runs;
  std::vector<Pointer> pointers;
  std::vector<Fact> facts;
  std::vector<std::uint32_t> fact_indices;
  std::vector<Group> groups;
};

}  // namespace fathom
