#include "reduction/state_permuter.hpp"

#include <algorithm>
#include <numeric>

#include "state/bits.h"
#include "state/multiset.h"

namespace fathom {

StatePermuter::StatePermuter(const SymmetryLayout& layout)
    : layout_(layout), moved_(layout.sets.size()), old_(layout.words) {
  for (const auto& value_class : layout.classes) {
    renamed_.emplace_back(value_class.element_of_code.size());
    std::iota(renamed_.back().begin(), renamed_.back().end(), 0);
  }
}

void StatePermuter::apply(std::uint64_t* state, std::span<const std::uint32_t> image) {
  bool any = false;
  for (std::size_t k = 0; k < layout_.sets.size(); ++k) {
    const auto& set = layout_.sets[k];
    std::uint32_t difference = 0;
    for (std::uint32_t e = set.first; e < set.first + set.size; ++e) difference |= image[e] ^ e;
    moved_[k] = difference != 0;
    any |= difference != 0;
  }
  if (!any) return;
  for (const auto& array : layout_.arrays) {
    if (moved_[array.set]) move_rows(state, array, image);
  }
  for (std::size_t k = 0; k < layout_.classes.size(); ++k) {
    const auto& segments = layout_.classes[k].segments;
    if (std::ranges::any_of(segments, [&](const auto& segment) { return moved_[segment.set]; })) {
      rename_values(state, k, image);
    }
  }
  sort_multisets(state);
}

void StatePermuter::move_rows(std::uint64_t* state, const SymmetryLayout::Array& array,
                              std::span<const std::uint32_t> image) {
  const auto& set = layout_.sets[array.set];
  const std::uint32_t bits = set.size * array.stride;
  const std::uint32_t* const target = image.data() + set.first;
  if (bits <= 64) {
    std::uint64_t from = fathom_get(state, array.offset, bits);
    const std::uint64_t mask = fathom_mask(array.stride);
    std::uint64_t to = 0;
    for (std::uint32_t k = 0; k < set.size; ++k, from >>= array.stride) {
      to |= (from & mask) << ((target[k] - set.first) * array.stride);
    }
    fathom_set(state, array.offset, bits, to);
    return;
  }
  fathom_copy(old_.data(), array.offset, state, array.offset, bits);
  for (std::uint32_t k = 0; k < set.size; ++k) {
    const std::uint32_t to = target[k] - set.first;
    if (to == k) continue;
    fathom_copy(state, array.offset + to * array.stride, old_.data(), array.offset + k * array.stride, array.stride);
  }
}

void StatePermuter::rename_values(std::uint64_t* state, std::size_t value_class, std::span<const std::uint32_t> image) {
  const auto& values = layout_.classes[value_class];
  auto& renamed = renamed_[value_class];
  for (const auto& segment : values.segments) {
    const auto& set = layout_.sets[segment.set];
    for (std::uint32_t k = 0; k < set.size; ++k) {
      renamed[segment.first_code + k] = segment.first_code + image[set.first + k] - set.first;
    }
  }
  for (const std::uint32_t offset : values.offsets) {
    fathom_set(state, offset, values.width, renamed[fathom_get(state, offset, values.width)]);
  }
}

void StatePermuter::sort_multisets(std::uint64_t* state) const {
  for (const auto& multiset : layout_.multisets) {
    fathom_sort_slots(state, multiset.offset, multiset.capacity, multiset.stride);
  }
}

}  // namespace fathom
