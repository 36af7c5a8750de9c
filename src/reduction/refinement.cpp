#include "reduction/refinement.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "state/bits.h"
#include "support/hash.hpp"

namespace fathom {

namespace {

constexpr std::uint64_t own_colour = 0x9e3779b97f4a7c15ULL;
constexpr std::uint64_t self_reference = 0xd1b54a32d192ed03ULL;

// What a fact says, in terms of colours.
struct Statement {
  std::uint64_t hash = 0;
  std::uint32_t value = SymmetryLayout::none;  // the element that is its value
};

// An undefined value is left out of account: its absence says the same.
bool read_fact(const SymmetryLayout& layout, const std::uint64_t* state, const SymmetryLayout::Fact& fact,
               const std::vector<std::uint64_t>& colour, Statement& statement) {
  const std::uint64_t bits = fathom_get(state, fact.offset, fact.width);
  if (bits == 0) return false;
  const std::span indices{layout.fact_indices.data() + fact.first_index, fact.index_count};
  statement.value = fact.value_class == SymmetryLayout::none ? fact.value_class
                                                             : layout.classes[fact.value_class].element_of_code[bits];
  std::uint64_t hash = fact.salt + (statement.value == SymmetryLayout::none ? bits : colour[statement.value]);
  for (const std::uint32_t index : indices) {
    hash = mix_bijective(hash) + colour[index] + (index == statement.value ? self_reference : 0);
  }
  statement.hash = mix_bijective(hash);
  return true;
}

}  // namespace

Refinement::Refinement(const SymmetryLayout& layout)
    : layout_(layout), next_(layout.elements), rank_(layout.elements), pointed_at_(layout.elements) {}

Partition Refinement::partition() const {
  return {std::vector<std::uint64_t>(layout_.elements), std::vector<std::uint32_t>(layout_.elements), 0};
}

void Refinement::start(const std::uint64_t* state, Partition& partition) {
  std::ranges::fill(partition.colour, 0);
  add_runs(state, partition.colour);
  add_pointers(state, partition.colour);
  sort(partition);
}

void Refinement::add_runs(const std::uint64_t* state, std::vector<std::uint64_t>& colour) const {
  for (const auto& run : layout_.runs) {
    const auto& set = layout_.sets[run.set];
    std::uint64_t* const key = colour.data() + set.first;
    const std::uint32_t span = (set.size - 1) * run.stride + run.width;
    if (span <= 64) {
      std::uint64_t rows = fathom_get(state, run.offset, span);
      const std::uint64_t mask = fathom_mask(run.width);
      for (std::uint32_t k = 0; k < set.size; ++k, rows >>= run.stride)
        key[k] = key[k] * run.multiplier + (rows & mask);
      continue;
    }
    for (std::uint32_t k = 0; k < set.size; ++k) {
      key[k] = key[k] * run.multiplier + fathom_get(state, run.offset + k * run.stride, run.width);
    }
  }
}

void Refinement::add_pointers(const std::uint64_t* state, std::vector<std::uint64_t>& colour) {
  std::ranges::fill(pointed_at_, 0);
  for (const auto& pointer : layout_.pointers) {
    const auto& values = layout_.classes[pointer.value_class];
    const std::uint32_t element = values.element_of_code[fathom_get(state, pointer.offset, values.width)];
    if (element == SymmetryLayout::none) continue;
    colour[element] += pointer.salt;
    pointed_at_[element] = 1;
  }
}

void Refinement::refine(const std::uint64_t* state, Partition& partition) {
  while (partition.cells < layout_.elements) {
    for (std::uint32_t e = 0; e < layout_.elements; ++e) next_[e] = mix_bijective(partition.colour[e] + own_colour);
    for (const auto& group : layout_.groups) add_group(state, group, partition.colour);
    const std::uint32_t before = partition.cells;
    std::swap(partition.colour, next_);
    sort(partition);
    if (partition.cells > before) continue;
    std::swap(partition.colour, next_);
    sort(partition);
    return;
  }
}

// In a slot every statement is coloured by all of them, so that a sender is related to the kind of its message.
void Refinement::add_group(const std::uint64_t* state, const SymmetryLayout::Group& group,
                           const std::vector<std::uint64_t>& colour) {
  const std::span facts{layout_.facts.data() + group.first, layout_.facts.data() + group.last};
  Statement statement;
  std::uint64_t whole = 0;
  if (group.occupancy != SymmetryLayout::none) {
    if (fathom_get(state, group.occupancy, 1) == 0) return;
    for (const auto& fact : facts) {
      if (read_fact(layout_, state, fact, colour, statement)) whole += statement.hash;
    }
  }
  for (const auto& fact : facts) {
    if (!read_fact(layout_, state, fact, colour, statement)) continue;
    std::uint64_t role = statement.hash + whole;
    if (statement.value != SymmetryLayout::none) next_[statement.value] += mix_bijective(role);
    for (std::uint32_t k = 0; k < fact.index_count; ++k) {
      role += own_colour;
      next_[layout_.fact_indices[fact.first_index + k]] += mix_bijective(role);
    }
  }
}

void Refinement::individualise(Partition& partition, std::uint32_t element) {
  // The number of cells grows from choice to choice, so that two choices from one cell get different colours.
  partition.colour[element] = mix_bijective((partition.colour[element] ^ self_reference) + partition.cells);
  sort(partition);
}

void Refinement::sort(Partition& partition) {
  partition.cells = 0;
  for (const auto& set : layout_.sets) sort_set(partition, set);
}

void Refinement::sort_set(Partition& partition, const SymmetryLayout::Set& set) {
  constexpr std::uint32_t small = 16;
  const std::uint64_t* const colour = partition.colour.data() + set.first;
  std::uint32_t* const order = partition.order.data() + set.first;
  if (set.size <= small) {
    // Ranks by counting: quadratic, but without a branch to mispredict.
    std::uint32_t* const rank = rank_.data();
    for (std::uint32_t j = 0; j < set.size; ++j) {
      std::uint32_t smaller = 0;
      for (std::uint32_t k = 0; k < j; ++k) {
        const bool less = colour[j] < colour[k];
        smaller += !less;
        rank[k] += less;
      }
      rank[j] = smaller;
    }
    for (std::uint32_t k = 0; k < set.size; ++k) order[rank[k]] = set.first + k;
  } else {
    std::iota(order, order + set.size, set.first);
    std::sort(order, order + set.size,
              [&](std::uint32_t a, std::uint32_t b) { return partition.colour[a] < partition.colour[b]; });
  }
  ++partition.cells;
  for (std::uint32_t k = 1; k < set.size; ++k) {
    partition.cells += partition.colour[order[k]] != partition.colour[order[k - 1]];
  }
}

}  // namespace fathom
