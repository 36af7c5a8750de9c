// Symmetry reduction for scalarsets (Ip and Dill, "Better verification through symmetry", 1993): states that differ
// only by a permutation of scalarset elements are represented by one of them.
//
// The representative is exact: two states have the same one if and only if a permutation maps one to the other. Nothing
// is stored per state. docs/reductions.md has the conditions and the argument.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/program.hpp"
#include "reduction/canonicaliser.hpp"
#include "reduction/orbit_search.hpp"
#include "reduction/refinement.hpp"
#include "reduction/state_permuter.hpp"
#include "reduction/symmetry_layout.hpp"

namespace fathom {

// The scalarset types of a program with at least two elements.
std::vector<const ir::Type*> scalarsets(const ir::Program& program);

class Symmetry final : public Canonicaliser {
 public:
  static constexpr std::uint64_t default_effort = 5040;

  // `effort` bounds the partitions looked at for one state. Beyond it the best representative so far is taken: still a
  // state of the class, so that a search stays sound and only meets a class more than once. `companion`, if given, is
  // the type of one more variable at the end of the state (symmetry_agents.hpp).
  Symmetry(const ir::Program& program, const std::vector<const ir::Type*>& permuted,
           std::uint64_t effort = default_effort, const ir::Type* companion = nullptr);
  Symmetry(const Symmetry&) = delete;
  Symmetry& operator=(const Symmetry&) = delete;

  void canonicalise(std::uint64_t* state) override;

  // The same without a look at earlier answers, so that the permutation is known afterwards ...
  void canonicalise_anew(std::uint64_t* state);
  // ... and this is what it makes of a value: elements of permuted sets are renamed.
  [[nodiscard]] std::int64_t image(std::int64_t value) const;

  // How many states ran into the effort bound.
  [[nodiscard]] std::uint64_t capped() const { return capped_; }

 private:
  [[nodiscard]] std::uint64_t* memo_entry(const std::uint64_t* state);
  void find_representative(std::uint64_t* state);
  // Classes of elements that a transposition exchanges without changing the state, inside the cells of some sets.
  void find_twins(std::uint64_t* state, bool in_local_sets);
  [[nodiscard]] bool are_twins(const std::uint64_t* state, const SymmetryLayout::Set& set, std::uint32_t a,
                               std::uint32_t b);
  [[nodiscard]] bool are_equal_rows(const std::uint64_t* state, const SymmetryLayout::Set& set, std::uint32_t a,
                                    std::uint32_t b) const;
  [[nodiscard]] bool is_settled() const;
  void apply_order(std::uint64_t* state);

  const SymmetryLayout layout_;
  Refinement refinement_;
  StatePermuter permuter_;
  OrbitSearch search_;
  Partition partition_;
  std::vector<std::uint32_t> twin_;
  std::vector<std::uint32_t> image_;
  std::vector<std::uint64_t> swapped_;
  // A direct-mapped cache of recent answers: pairs of a state and its representative. Zeros are right to begin with,
  // because the all-undefined state represents itself.
  std::vector<std::uint64_t> memo_;
  std::uint64_t capped_ = 0;
};

}  // namespace fathom
