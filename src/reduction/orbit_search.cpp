#include "reduction/orbit_search.hpp"

#include <algorithm>

#include "support/hash.hpp"

namespace fathom {

namespace {

// Colours are invariant, so their sequence tells partitions apart that no permutation maps to each other.
std::uint64_t trace_of(const Partition& partition) {
  std::uint64_t hash = partition.cells;
  for (const std::uint32_t element : partition.order) hash = mix_bijective(hash + partition.colour[element]);
  return hash;
}

}  // namespace

CellRange unsettled_cell(const SymmetryLayout& layout, const Partition& partition,
                         const std::vector<std::uint32_t>& twin) {
  for (const auto& set : layout.sets) {
    const std::uint32_t limit = set.first + set.size;
    for (std::uint32_t begin = set.first; begin < limit;) {
      const std::uint32_t end = partition.cell_end(begin, limit);
      for (std::uint32_t k = begin + 1; k < end; ++k) {
        if (twin[partition.order[k]] != twin[partition.order[begin]]) return {begin, end};
      }
      begin = end;
    }
  }
  return {layout.elements, layout.elements};
}

void label(const Partition& partition, std::vector<std::uint32_t>& image) {
  for (std::uint32_t k = 0; k < image.size(); ++k) image[partition.order[k]] = k;
}

OrbitSearch::OrbitSearch(const SymmetryLayout& layout, Refinement& refinement, StatePermuter& permuter,
                         std::uint64_t limit)
    : layout_(layout),
      refinement_(refinement),
      permuter_(permuter),
      limit_(limit),
      candidate_(layout.words),
      image_(layout.elements),
      orbit_(layout.elements) {
  best_.element_at.resize(layout.elements);
}

bool OrbitSearch::run(std::uint64_t* state, const Partition& root, const std::vector<std::uint32_t>& twin) {
  state_ = state;
  twin_ = &twin;
  visited_ = 0;
  complete_ = true;
  found_ = false;
  resume_ = layout_.elements;
  automorphisms_.clear();
  chosen_.clear();
  level(0) = root;
  descend(0);
  std::ranges::copy(best_.state, state);
  return complete_;
}

void OrbitSearch::descend(std::uint32_t depth) {
  ++visited_;
  const Partition& here = level(depth);
  trace_.resize(depth);
  trace_.push_back(trace_of(here));
  if (found_ && compare_trace(depth) > 0) return;
  const CellRange cell = unsettled_cell(layout_, here, *twin_);
  if (cell.begin == layout_.elements) return finish(depth);
  if (depth == layout_.elements) {
    // Only a hash collision can keep a cell together for so long. Any labelling is a state of the orbit.
    complete_ = false;
    return finish(depth);
  }
  branch(depth, cell.begin, cell.end);
}

void OrbitSearch::branch(std::uint32_t depth, std::uint32_t begin, std::uint32_t end) {
  const Partition& here = level(depth);
  Partition& below = level(depth + 1);
  for (std::uint32_t k = begin; k < end; ++k) {
    if (is_covered(depth, begin, k)) continue;
    if (found_ && visited_ >= limit_) {
      complete_ = false;
      return;
    }
    below = here;
    chosen_.resize(depth);
    chosen_.push_back(here.order[k]);
    refinement_.individualise(below, here.order[k]);
    refinement_.refine(state_, below);
    descend(depth + 1);
    if (resume_ < depth) return;
    resume_ = layout_.elements;
  }
}

void OrbitSearch::finish(std::uint32_t depth) {
  label(level(depth), image_);
  std::copy_n(state_, layout_.words, candidate_.begin());
  permuter_.apply(candidate_.data(), image_);
  const bool same_way = found_ && compare_trace(depth) == 0 && trace_.size() == best_.trace.size();
  if (same_way && candidate_ == best_.state) return add_automorphism();
  if (same_way && best_.state < candidate_) return;
  found_ = true;
  best_.trace = trace_;
  best_.chosen = chosen_;
  best_.state = candidate_;
  for (std::uint32_t e = 0; e < layout_.elements; ++e) best_.element_at[image_[e]] = e;
}

// Where the two ways part, the automorphism maps the subtree in which we are to the one of the best result. That one
// has been seen in full, so we leave ours at once.
void OrbitSearch::add_automorphism() {
  Automorphism automorphism(layout_.elements);
  for (std::uint32_t e = 0; e < layout_.elements; ++e) automorphism[e] = best_.element_at[image_[e]];
  const auto fork = std::ranges::mismatch(chosen_, best_.chosen);
  const auto depth = static_cast<std::uint32_t>(fork.in1 - chosen_.begin());
  const bool maps_choices = depth < chosen_.size() && automorphism[*fork.in1] == *fork.in2;
  if (maps_choices && is_fixed(automorphism, depth)) resume_ = depth;
  automorphisms_.push_back(std::move(automorphism));
}

// A way that goes on where the best one ended counts as greater, one that ends earlier as smaller.
int OrbitSearch::compare_trace(std::uint32_t depth) const {
  for (std::uint32_t k = 0; k <= depth; ++k) {
    if (k == best_.trace.size()) return 1;
    if (trace_[k] != best_.trace[k]) return trace_[k] < best_.trace[k] ? -1 : 1;
  }
  return 0;
}

// Whether a known automorphism that keeps the choices so far maps an earlier candidate of the cell to this one.
bool OrbitSearch::is_covered(std::uint32_t depth, std::uint32_t begin, std::uint32_t position) {
  if (position == begin) return false;
  orbit_ = *twin_;
  for (const Automorphism& automorphism : automorphisms_) {
    if (!is_fixed(automorphism, depth)) continue;
    for (std::uint32_t e = 0; e < layout_.elements; ++e) unite(e, automorphism[e]);
  }
  const auto& order = level(depth).order;
  const std::uint32_t mine = find(order[position]);
  return std::any_of(order.begin() + begin, order.begin() + position,
                     [&](std::uint32_t earlier) { return find(earlier) == mine; });
}

bool OrbitSearch::is_fixed(const Automorphism& automorphism, std::uint32_t depth) const {
  return std::all_of(chosen_.begin(), chosen_.begin() + depth,
                     [&](std::uint32_t element) { return automorphism[element] == element; });
}

void OrbitSearch::unite(std::uint32_t a, std::uint32_t b) {
  orbit_[find(a)] = find(b);
}

std::uint32_t OrbitSearch::find(std::uint32_t element) const {
  while (orbit_[element] != element) element = orbit_[element];
  return element;
}

Partition& OrbitSearch::level(std::uint32_t depth) {
  while (levels_.size() <= depth) levels_.push_back(refinement_.partition());
  return levels_[depth];
}

}  // namespace fathom
