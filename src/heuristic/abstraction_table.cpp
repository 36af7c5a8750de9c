#include "heuristic/abstraction_table.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "state/bits.h"

namespace fathom {

// ---- Keys -----------------------------------------------------------------------------------------------------------

std::size_t KeyNumbers::slot_of(std::uint64_t key) const {
  std::uint64_t hash = key * 0x9e3779b97f4a7c15U;
  hash ^= hash >> 29;
  std::size_t slot = hash & (slots_.size() - 1);
  while (slots_[slot] != none && keys_[slots_[slot]] != key) slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

void KeyNumbers::grow() {
  slots_.assign(slots_.size() * 2, none);
  for (std::uint32_t number = 0; number < keys_.size(); ++number) slots_[slot_of(keys_[number])] = number;
}

std::pair<std::uint32_t, bool> KeyNumbers::add(std::uint64_t key) {
  if (keys_.size() * 2 >= slots_.size()) grow();
  const std::size_t slot = slot_of(key);
  if (slots_[slot] != none) return {slots_[slot], false};
  slots_[slot] = static_cast<std::uint32_t>(keys_.size());
  keys_.push_back(key);
  return {slots_[slot], true};
}

std::uint32_t KeyNumbers::find(std::uint64_t key) const {
  return slots_[slot_of(key)];
}

// ---- Enumeration ----------------------------------------------------------------------------------------------------

namespace {

constexpr std::uint8_t later = 2;

}  // namespace

AbstractionTable::AbstractionTable(MaySteps& steps, const ModelFacts& facts, std::vector<std::uint32_t> pattern,
                                   const Aim& aim, const AbstractionLimits& limits)
    : steps_(steps), facts_(facts), pattern_(std::move(pattern)) {
  std::uint32_t shift = 0;
  for (const std::uint32_t cell : pattern_) {
    fields_.push_back({facts.cells[cell].offset, facts.cells[cell].type->bits, shift});
    shift += facts.cells[cell].type->bits;
  }
  find_relevant(aim);
  enumerate(aim, limits);
  find_distances();
  for (const StateBuffer& start : steps.starts()) at_start_ = std::min(at_start_, distance(start));
}

std::uint64_t AbstractionTable::key_of(StateView state) const {
  std::uint64_t key = 0;
  for (const Field& field : fields_) key |= fathom_get(state.data(), field.offset, field.bits) << field.shift;
  return key;
}

std::uint32_t AbstractionTable::distance(StateView state) const {
  const std::uint32_t number = numbers_.find(key_of(state));
  return number == KeyNumbers::none ? 0 : distances_[number];
}

// Steps that change nothing of the pattern lead back to where they began.
void AbstractionTable::find_relevant(const Aim& aim) {
  BitSet own(facts_.cells.size());
  for (const std::uint32_t cell : pattern_) own.set(cell);
  for (std::uint32_t k = 0; k < steps_.instances().size(); ++k) {
    const MaySteps::Instance& instance = steps_.instances()[k];
    const std::uint32_t step = facts_.actions.number(instance.edge, instance.number);
    const bool changes_it = facts_.actions.all()[step].touches.writes.intersects(own);
    if (changes_it || (!aim.failing.empty() && aim.failing[k])) relevant_.push_back(k);
  }
}

void AbstractionTable::enumerate(const Aim& aim, const AbstractionLimits& limits) {
  for (const StateBuffer& start : steps_.starts()) numbers_.add(key_of(start));
  std::uint32_t number = 0;
  for (; number < numbers_.size(); ++number) {
    const bool late = number % 64 == 63 && std::chrono::steady_clock::now() > limits.deadline;
    if (numbers_.size() > limits.states || late) break;
    ends_.push_back(later);
    expand(number, aim);
  }
  complete_ = number == numbers_.size();
  ends_.resize(numbers_.size(), 0);
}

void AbstractionTable::expand(std::uint32_t number, const Aim& aim) {
  steps_.forget_all();
  for (std::size_t k = 0; k < pattern_.size(); ++k)
    steps_.know(pattern_[k], (numbers_.key(number) >> fields_[k].shift) & fathom_mask(fields_[k].bits));
  if (is_violation(aim)) ends_[number] = 0;
  for (const std::uint32_t k : relevant_) {
    bool lost = false;
    const MayStep step = steps_.take(
        steps_.instances()[k], [&](const std::vector<CellSet>& cells) { lost = lost || !add_results(number, cells); });
    if (lost || step.unknown) ends_[number] = 0;
    if (step.fails && !aim.failing.empty() && aim.failing[k]) ends_[number] = std::min<std::uint8_t>(ends_[number], 1);
  }
}

bool AbstractionTable::is_violation(const Aim& aim) {
  for (const std::size_t violation : aim.violations)
    if (steps_.may_violate(steps_.state_violations()[violation])) return true;
  return aim.deadlock && steps_.may_be_deadlock();
}

bool AbstractionTable::codes_of(const CellSet& set, std::vector<std::uint64_t>& codes) const {
  codes.clear();
  if (set.is_small()) {
    for (std::uint64_t left = set.codes(); left != 0; left &= left - 1)
      codes.push_back(static_cast<std::uint64_t>(std::countr_zero(left)));
    return true;
  }
  const ValueSet values = set.values();
  if (values.undefined) codes.push_back(0);
  if (!values.has_numbers()) return true;
  if (static_cast<std::uint64_t>(values.hi) - static_cast<std::uint64_t>(values.lo) >= max_results) return false;
  for (std::int64_t value = values.lo; value <= values.hi; ++value) codes.push_back(set.type()->code(value));
  return true;
}

// The states that agree with what a path has led to. False: there are too many.
bool AbstractionTable::add_results(std::uint32_t from, const std::vector<CellSet>& cells) {
  std::vector<std::uint64_t> keys{0}, codes;
  for (std::size_t k = 0; k < pattern_.size(); ++k) {
    if (!codes_of(cells[pattern_[k]], codes) || keys.size() * codes.size() > max_results) return false;
    const std::size_t before = keys.size();
    for (std::size_t c = 1; c < codes.size(); ++c)
      for (std::size_t j = 0; j < before; ++j) keys.push_back(keys[j] | (codes[c] << fields_[k].shift));
    if (codes.empty()) return true;  // a path that cannot be
    for (std::size_t j = 0; j < before; ++j) keys[j] |= codes.front() << fields_[k].shift;
  }
  for (const std::uint64_t key : keys) {
    const std::uint32_t to = numbers_.add(key).first;
    if (to != from) edges_.emplace_back(from, to);
  }
  return true;
}

// ---- Distances ------------------------------------------------------------------------------------------------------

void AbstractionTable::find_distances() {
  std::ranges::sort(edges_, {}, [](const auto& edge) { return std::pair(edge.second, edge.first); });
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  distances_.assign(numbers_.size(), never);
  std::vector<std::uint32_t> now, next;
  for (std::uint32_t number = 0; number < numbers_.size(); ++number)
    if (ends_[number] == 0) now.push_back(number);
  for (const std::uint32_t number : now) distances_[number] = 0;
  for (std::uint32_t steps = 1; steps == 1 || !now.empty(); ++steps) {
    next.clear();
    const auto reach = [&](std::uint32_t number) {
      if (distances_[number] != never) return;
      distances_[number] = steps;
      next.push_back(number);
    };
    for (const std::uint32_t to : now) {
      auto edge = std::ranges::lower_bound(edges_, to, {}, &std::pair<std::uint32_t, std::uint32_t>::second);
      for (; edge != edges_.end() && edge->second == to; ++edge) reach(edge->first);
    }
    for (std::uint32_t number = 0; steps == 1 && number < numbers_.size(); ++number)
      if (ends_[number] == 1) reach(number);
    now.swap(next);
  }
  edges_ = {};
}

}  // namespace fathom
