#include "heuristic/hamming.hpp"

#include <algorithm>

#include "state/bits.h"
#include "state/leaves.hpp"

namespace fathom {

namespace {

// How many leaves one step may change. The slots of a multiset may all move.
std::uint32_t most_leaves_changed(const Leaves& leaves, const ModelFacts& facts) {
  std::vector<std::uint32_t> in_cell(facts.cells.size());
  for (const Leaf& leaf : leaves.all())
    facts.cells.each_in(leaf.offset, leaf.type->bits, [&](std::uint32_t cell) { ++in_cell[cell]; });
  std::uint32_t most = 1;
  const auto count = [&](std::uint32_t action) {
    std::uint32_t changed = 0;
    facts.actions.all()[action].touches.writes.for_each([&](std::size_t cell) { changed += in_cell[cell]; });
    most = std::max(most, changed);
  };
  for (std::uint32_t step = 0; step < facts.actions.steps(); ++step) facts.actions.each_case(step, count);
  return most;
}

}  // namespace

Hamming::Hamming(const ir::Program& program, StateView target, Form form, const ModelFacts& facts) : form_(form) {
  const Leaves leaves(program);
  for (const fathom::Leaf& leaf : leaves.all())
    if (leaf.type->bits > 0)
      leaves_.push_back({leaf.offset, leaf.type->bits, fathom_get(target.data(), leaf.offset, leaf.type->bits)});
  if (form == Form::divided) per_step_ = most_leaves_changed(leaves, facts);
}

Cost Hamming::estimate(StateView state, const Batch&) {
  Cost different = 0;
  for (const Leaf& leaf : leaves_) different += fathom_get(state.data(), leaf.offset, leaf.bits) != leaf.wanted ? 1 : 0;
  return std::min((different + per_step_ - 1) / per_step_, largest_estimate);
}

}  // namespace fathom
