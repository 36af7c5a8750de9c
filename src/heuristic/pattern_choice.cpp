#include "heuristic/pattern_choice.hpp"

#include <algorithm>
#include <bit>
#include <map>

namespace fathom {

namespace {

constexpr std::uint32_t widest = 16;  // bits of a cell that can be in a pattern
constexpr int rounds = 6;

bool is_late(const AbstractionLimits& limits) {
  return std::chrono::steady_clock::now() > limits.deadline;
}

}  // namespace

double PatternChoice::values(std::uint32_t cell) const {
  const CellSet& possible = steps_.possible(cell);
  if (possible.is_small()) return std::max(1, std::popcount(possible.codes()));
  return static_cast<double>(std::uint64_t{1} << facts_.cells[cell].type->bits);
}

bool PatternChoice::can_be_added(std::uint32_t cell, std::uint32_t bits) const {
  const ir::Type& type = *facts_.cells[cell].type;
  return type.is_scalar() && type.bits <= widest && bits + type.bits <= AbstractionTable::max_key_bits;
}

std::vector<std::uint32_t> PatternChoice::list(const BitSet& cells) const {
  std::vector<std::uint32_t> result;
  std::uint32_t bits = 0;
  cells.for_each([&](std::size_t cell) {
    const auto number = static_cast<std::uint32_t>(cell);
    if (!can_be_added(number, bits)) return;
    result.push_back(number);
    bits += facts_.cells[cell].type->bits;
  });
  return result;
}

// A cell is the more relevant the more steps that write the pattern ask for it; of several alike the smaller one.
std::vector<std::uint32_t> PatternChoice::candidates(const BitSet& pattern) const {
  std::map<std::uint32_t, double> weight;
  for (std::size_t k = 0; k < facts_.actions.steps(); ++k) {
    const Action& action = facts_.actions.all()[k];
    if (action.touches.unfollowed || !action.touches.writes.intersects(pattern)) continue;
    action.guard_reads.for_each([&](std::size_t cell) { weight[static_cast<std::uint32_t>(cell)] += 1; });
    action.touches.reads.for_each([&](std::size_t cell) { weight[static_cast<std::uint32_t>(cell)] += 0.25; });
  }
  std::vector<std::uint32_t> result;
  for (const auto& [cell, steps] : weight)
    if (!pattern.test(cell) && can_be_added(cell, 0)) result.push_back(cell);
  std::ranges::stable_sort(result, std::ranges::greater(),
                           [&](std::uint32_t cell) { return weight[cell] / values(cell); });
  return result;
}

std::unique_ptr<AbstractionTable> PatternChoice::make(const Aim& aim, std::vector<std::uint32_t> pattern) {
  return std::make_unique<AbstractionTable>(steps_, facts_, std::move(pattern), aim, limits_);
}

// The number of projected states is at most the product of the values, and mostly far less: so we fill up to that
// product first, and then again as long as the table leaves room. A table that proves something is enough.
std::unique_ptr<AbstractionTable> PatternChoice::grow(const Aim& aim, const BitSet& seeds) {
  std::vector<std::uint32_t> pattern = list(seeds);
  std::unique_ptr<AbstractionTable> best = make(aim, pattern);
  const auto is_enough = [&] { return best->is_complete() && best->at_start() == AbstractionTable::never; };
  double room = static_cast<double>(limits_.states);
  for (int round = 0; round < rounds && best->is_complete() && !is_enough() && !is_late(limits_); ++round) {
    BitSet cells(facts_.cells.size());
    std::uint32_t bits = 0;
    for (const std::uint32_t cell : pattern) {
      cells.set(cell);
      bits += facts_.cells[cell].type->bits;
    }
    std::vector<std::uint32_t> larger = pattern;
    double states = static_cast<double>(best->size());
    for (bool added = true; added;) {
      added = false;
      for (const std::uint32_t cell : candidates(cells)) {
        const bool fits = states * values(cell) <= room || larger.size() == pattern.size();
        if (!fits || !can_be_added(cell, bits)) continue;
        larger.push_back(cell);
        cells.set(cell);
        bits += facts_.cells[cell].type->bits;
        states *= values(cell);
        added = states < room;
        break;
      }
    }
    if (larger.size() == pattern.size()) break;
    std::unique_ptr<AbstractionTable> table = make(aim, larger);
    if (!table->is_complete() && larger.size() > pattern.size() + 1) {
      room /= 16;
      continue;
    }
    // One that is cut off may still say more.
    if (!table->is_complete() && table->at_start() <= best->at_start()) break;
    pattern = larger;
    best = std::move(table);
  }
  return best;
}

}  // namespace fathom
