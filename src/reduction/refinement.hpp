// Colour refinement: tells elements of a scalarset apart by what a state says about them.
//
// A colour is a 64-bit number computed from the state in a way that no permutation can change: permute the state, and
// every element takes its colour along. That alone makes the colours usable for a canonical form. They are hashes, and
// a collision only leaves two elements together that could have been told apart (Weisfeiler and Leman, 1968, in one
// dimension; the search on top is that of McKay, 1981).
#pragma once

#include <cstdint>
#include <vector>

#include "reduction/symmetry_layout.hpp"

namespace fathom {

// Elements with their colours. `order` lists the elements of each set by colour; elements of one colour form a cell.
struct Partition {
  std::vector<std::uint64_t> colour;
  std::vector<std::uint32_t> order;
  std::uint32_t cells = 0;

  // The end of the cell that begins at a position of `order`, inside a set that ends at `limit`.
  [[nodiscard]] std::uint32_t cell_end(std::uint32_t begin, std::uint32_t limit) const {
    std::uint32_t end = begin + 1;
    while (end < limit && colour[order[end]] == colour[order[begin]]) ++end;
    return end;
  }
};

class Refinement {
 public:
  explicit Refinement(const SymmetryLayout& layout);

  [[nodiscard]] Partition partition() const;
  // Colours every element by its own rows and by the pointers to it.
  void start(const std::uint64_t* state, Partition& partition);
  // Lets elements see the colours of those they are related to, until no further cell splits.
  void refine(const std::uint64_t* state, Partition& partition);
  // Gives an element a colour of its own.
  void individualise(Partition& partition, std::uint32_t element);

  // Whether a pointer held the element in the state that start() saw.
  [[nodiscard]] bool pointed_at(std::uint32_t element) const { return pointed_at_[element] != 0; }

 private:
  void add_runs(const std::uint64_t* state, std::vector<std::uint64_t>& colour) const;
  void add_pointers(const std::uint64_t* state, std::vector<std::uint64_t>& colour);
  void add_group(const std::uint64_t* state, const SymmetryLayout::Group& group,
                 const std::vector<std::uint64_t>& colour);
  void sort(Partition& partition);
  void sort_set(Partition& partition, const SymmetryLayout::Set& set);

  const SymmetryLayout& layout_;
  std::vector<std::uint64_t> next_;
  std::vector<std::uint32_t> rank_;
  std::vector<std::uint8_t> pointed_at_;
};

}  // namespace fathom
