// Applies a permutation of scalarset elements to a packed state: rows move, values are renamed, multisets are sorted
// again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reduction/symmetry_layout.hpp"

namespace fathom {

class StatePermuter {
 public:
  explicit StatePermuter(const SymmetryLayout& layout);

  // image[e] is the element that takes the place of element e; both belong to the same set.
  void apply(std::uint64_t* state, std::span<const std::uint32_t> image);

  // Every multiset with elements in it into normal form: filled slots first, ascending.
  void sort_multisets(std::uint64_t* state) const;

 private:
  void move_rows(std::uint64_t* state, const SymmetryLayout::Array& array, std::span<const std::uint32_t> image);
  void rename_values(std::uint64_t* state, std::size_t value_class, std::span<const std::uint32_t> image);

  const SymmetryLayout& layout_;
  std::vector<std::uint8_t> moved_;                  // per set: whether the permutation moves one of its elements
  std::vector<std::vector<std::uint64_t>> renamed_;  // per value class: the new code of a code
  std::vector<std::uint64_t> old_;                   // rows before they are moved
};

}  // namespace fathom
