#include "reduction/symmetry.hpp"

#include <algorithm>
#include <numeric>

#include "state/bits.h"
#include "support/hash.hpp"

namespace fathom {

namespace {

constexpr unsigned memo_bits = 12;
constexpr std::uint32_t largest_memo_state = 8;  // words; larger states seldom repeat soon enough to pay

std::vector<const ir::Type*> movable(std::vector<const ir::Type*> types) {
  std::erase_if(types, [](const ir::Type* type) { return type->cardinality() < 2; });
  return types;
}

}  // namespace

std::vector<const ir::Type*> scalarsets(const ir::Program& program) {
  std::vector<const ir::Type*> found;
  for (const ir::Type& type : program.types) {
    const auto is_same = [&](const ir::Type* other) { return other->lo == type.lo; };
    if (type.kind == ir::Type::Kind::scalarset && std::ranges::none_of(found, is_same)) found.push_back(&type);
  }
  return movable(std::move(found));
}

Symmetry::Symmetry(const ir::Program& program, const std::vector<const ir::Type*>& permuted, std::uint64_t effort,
                   const ir::Type* companion)
    : layout_(program, movable(permuted), companion),
      refinement_(layout_),
      permuter_(layout_),
      search_(layout_, refinement_, permuter_, effort),
      partition_(refinement_.partition()),
      twin_(layout_.elements),
      image_(layout_.elements),
      swapped_(layout_.words) {
  std::iota(image_.begin(), image_.end(), 0);
  if (layout_.words <= largest_memo_state) memo_.resize((std::size_t{1} << memo_bits) * 2 * layout_.words);
}

void Symmetry::canonicalise(std::uint64_t* state) {
  if (layout_.elements == 0) return;
  if (memo_.empty()) return find_representative(state);
  std::uint64_t* const known = memo_entry(state);
  std::uint64_t* const answer = known + layout_.words;
  if (!std::equal(known, answer, state)) {
    std::copy_n(state, layout_.words, known);
    find_representative(state);
    std::copy_n(state, layout_.words, answer);
    return;
  }
  std::copy_n(answer, layout_.words, state);
}

void Symmetry::canonicalise_anew(std::uint64_t* state) {
  if (layout_.elements > 0) find_representative(state);
}

std::int64_t Symmetry::image(std::int64_t value) const {
  for (const auto& set : layout_.sets) {
    if (value < set.lo || value - set.lo >= set.size) continue;
    return set.lo + image_[set.first + static_cast<std::uint32_t>(value - set.lo)] - set.first;
  }
  return value;
}

std::uint64_t* Symmetry::memo_entry(const std::uint64_t* state) {
  return memo_.data() + (hash_words(state, layout_.words) >> (64 - memo_bits)) * 2 * layout_.words;
}

// The cheap means first: most states are settled by the rows of their elements alone.
void Symmetry::find_representative(std::uint64_t* state) {
  permuter_.sort_multisets(state);
  refinement_.start(state, partition_);
  if (partition_.cells == layout_.elements) return apply_order(state);
  std::iota(twin_.begin(), twin_.end(), 0);
  find_twins(state, true);
  if (is_settled()) return apply_order(state);
  refinement_.refine(state, partition_);
  find_twins(state, false);
  if (is_settled()) return apply_order(state);
  if (!search_.run(state, partition_, twin_)) ++capped_;
  for (std::uint32_t k = 0; k < layout_.elements; ++k) image_[search_.element_at(k)] = k;
}

void Symmetry::find_twins(std::uint64_t* state, bool in_local_sets) {
  for (const auto& set : layout_.sets) {
    if (set.local != in_local_sets) continue;
    const std::uint32_t limit = set.first + set.size;
    for (std::uint32_t begin = set.first; begin < limit;) {
      const std::uint32_t end = partition_.cell_end(begin, limit);
      for (std::uint32_t k = begin + 1; k < end; ++k) {
        const std::uint32_t element = partition_.order[k];
        for (std::uint32_t j = begin; j < k && twin_[element] == element; ++j) {
          const std::uint32_t other = partition_.order[j];
          if (twin_[other] == other && are_twins(state, set, element, other)) twin_[element] = other;
        }
      }
      begin = end;
    }
  }
}

bool Symmetry::are_twins(const std::uint64_t* state, const SymmetryLayout::Set& set, std::uint32_t a, std::uint32_t b) {
  if (set.local) return !refinement_.pointed_at(a) && !refinement_.pointed_at(b) && are_equal_rows(state, set, a, b);
  std::copy_n(state, layout_.words, swapped_.begin());
  std::iota(image_.begin(), image_.end(), 0);
  std::swap(image_[a], image_[b]);
  permuter_.apply(swapped_.data(), image_);
  return std::equal(swapped_.begin(), swapped_.end(), state);
}

bool Symmetry::are_equal_rows(const std::uint64_t* state, const SymmetryLayout::Set& set, std::uint32_t a,
                              std::uint32_t b) const {
  return std::ranges::all_of(layout_.arrays, [&](const SymmetryLayout::Array& array) {
    if (layout_.sets[array.set].first != set.first) return true;
    const std::uint64_t row_a = array.offset + std::uint64_t{a - set.first} * array.stride;
    const std::uint64_t row_b = array.offset + std::uint64_t{b - set.first} * array.stride;
    return fathom_compare(state, row_a, state, row_b, array.stride) == 0;
  });
}

bool Symmetry::is_settled() const {
  return unsettled_cell(layout_, partition_, twin_).begin == layout_.elements;
}

void Symmetry::apply_order(std::uint64_t* state) {
  label(partition_, image_);
  permuter_.apply(state, image_);
}

}  // namespace fathom
