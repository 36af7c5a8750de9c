// The search behind a canonical form when refinement leaves elements together that are not interchangeable: it gives
// one element of a cell a colour of its own, refines, and so on until the labelling is settled. The smallest result
// over all choices is canonical (McKay, "Practical graph isomorphism", 1981).
//
// Results are compared by the hashes of the partitions on the way and then by the state, so that a hopeless branch ends
// early. Two equal results reveal an automorphism, which spares branches that would repeat what is known.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "reduction/refinement.hpp"
#include "reduction/state_permuter.hpp"

namespace fathom {

class OrbitSearch {
 public:
  OrbitSearch(const SymmetryLayout& layout, Refinement& refinement, StatePermuter& permuter, std::uint64_t limit);

  // Replaces `state` by the best representative found; false when `limit` partitions were not enough to see them all.
  // twin[e] names the class of elements that may be exchanged with e by a transposition.
  bool run(std::uint64_t* state, const Partition& root, const std::vector<std::uint32_t>& twin);

  // The element that went to a place in the last run.
  [[nodiscard]] std::uint32_t element_at(std::uint32_t place) const { return best_.element_at[place]; }

 private:
  struct Result {
    std::vector<std::uint64_t> trace;
    std::vector<std::uint32_t> chosen;
    std::vector<std::uint64_t> state;
    std::vector<std::uint32_t> element_at;  // the element that went to each place
  };
  using Automorphism = std::vector<std::uint32_t>;

  void descend(std::uint32_t depth);
  void branch(std::uint32_t depth, std::uint32_t begin, std::uint32_t end);
  void finish(std::uint32_t depth);
  void add_automorphism();
  // Negative, zero, positive: the way so far against the beginning of the way to the best result.
  [[nodiscard]] int compare_trace(std::uint32_t depth) const;
  [[nodiscard]] bool is_covered(std::uint32_t depth, std::uint32_t begin, std::uint32_t position);
  [[nodiscard]] bool is_fixed(const Automorphism& automorphism, std::uint32_t depth) const;
  void unite(std::uint32_t a, std::uint32_t b);
  [[nodiscard]] std::uint32_t find(std::uint32_t element) const;
  Partition& level(std::uint32_t depth);

  const SymmetryLayout& layout_;
  Refinement& refinement_;
  StatePermuter& permuter_;
  const std::uint64_t limit_;

  const std::uint64_t* state_ = nullptr;
  const std::vector<std::uint32_t>* twin_ = nullptr;
  std::uint64_t visited_ = 0;
  bool complete_ = true;
  bool found_ = false;
  std::uint32_t resume_ = 0;  // after an automorphism: the depth at which there is something new to see again
  std::deque<Partition> levels_;
  std::vector<std::uint32_t> chosen_;  // the elements on the way
  std::vector<std::uint64_t> trace_;
  Result best_;
  std::vector<std::uint64_t> candidate_;
  std::vector<std::uint32_t> image_;
  std::vector<Automorphism> automorphisms_;
  std::vector<std::uint32_t> orbit_;  // union-find over the elements
};

// The cell that has to be split next, as positions of `order`; both `elements` when all cells are classes of twins.
struct CellRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};
CellRange unsettled_cell(const SymmetryLayout& layout, const Partition& partition,
                         const std::vector<std::uint32_t>& twin);

// The permutation that sends every element to its position in the order.
void label(const Partition& partition, std::vector<std::uint32_t>& image);

}  // namespace fathom
