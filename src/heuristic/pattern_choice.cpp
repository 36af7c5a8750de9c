#include "heuristic/pattern_choice.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "state/bits.h"

namespace fathom {

namespace {

constexpr std::uint32_t widest = 16;       // bits of a cell that can be in a pattern
constexpr std::size_t most_attempts = 5;   // cells that are tried before it stays as it is
constexpr std::size_t longest_way = 5000;  // steps of a way that is tried out
constexpr double small_part = 32;          // while a table is so many times smaller than its limit it grows in leaps

}  // namespace

PatternChoice::PatternChoice(MaySteps& steps, const ModelFacts& facts, InterpretedModel& model, const Aim& aim,
                             const StepWeights& weights)
    : steps_(steps),
      facts_(facts),
      model_(model),
      aim_(aim),
      weights_(weights),
      projected_(steps, facts, aim.blocked) {}

void PatternChoice::set(const AbstractionLimits& limits) {
  limits_ = limits;
  projected_.set_deadline(limits.deadline);
}

double PatternChoice::values(std::uint32_t cell) const {
  const CellSet& possible = steps_.possible(cell);
  if (possible.is_small()) return std::max(1, std::popcount(possible.codes()));
  return static_cast<double>(std::uint64_t{1} << facts_.cells[cell].type->bits);
}

bool PatternChoice::can_be_added(std::uint32_t cell) const {
  const ir::Type& type = *facts_.cells[cell].type;
  return type.is_scalar() && type.bits <= widest && projected_.projection().field_of(cell) == nullptr &&
         projected_.projection().has_room_for(facts_.cells, cell);
}

PatternChoice::Made PatternChoice::table() {
  return std::make_unique<AbstractionTable>(projected_, steps_, facts_, aim_, weights_, limits_);
}

void PatternChoice::begin_with(const BitSet& cells) {
  while (!projected_.projection().fields().empty()) projected_.remove_last();
  cells.for_each([&](std::size_t cell) {
    if (can_be_added(static_cast<std::uint32_t>(cell))) projected_.add(static_cast<std::uint32_t>(cell));
  });
}

PatternChoice::Made PatternChoice::make(const BitSet& cells, const AbstractionLimits& limits) {
  set(limits);
  begin_with(cells);
  return table();
}

// A table that would be very much too large is not even begun.
PatternChoice::Made PatternChoice::begin(const BitSet& seeds, const BitSet& few_seeds,
                                         const AbstractionLimits& limits) {
  const auto now = ThreadClock::now();
  double states = 1;
  seeds.for_each([&](std::size_t cell) { states *= values(static_cast<std::uint32_t>(cell)); });
  if (states < small_part * static_cast<double>(limits.states)) {
    Made result = make(seeds, {limits.states, now + (limits.deadline - now) / 2});
    if (result->is_complete()) return result;
  }
  Made result = make(few_seeds, limits);
  return result->is_complete() ? std::move(result) : make({}, limits);
}

PatternChoice::Made PatternChoice::refined(const AbstractionTable& before, const std::vector<StateView>& from,
                                           const AbstractionLimits& limits) {
  set(limits);
  Made result;
  for (const StateView state : from) {
    if (result != nullptr || is_late()) break;
    if (before.distance(state) != AbstractionTable::never) result = with_some_of(missing_cells(before, state), before);
  }
  return result;
}

PatternChoice::Made PatternChoice::with_some_of(const std::vector<std::uint32_t>& missing,
                                                const AbstractionTable& before) {
  std::size_t attempts = 0;
  for (std::size_t first = 0; first < missing.size() && attempts < most_attempts && !is_late(); ++first) {
    std::size_t added = 0;
    double states = static_cast<double>(before.size());
    for (std::size_t k = first; k < missing.size(); ++k) {
      const bool leap = states * values(missing[k]) * small_part < static_cast<double>(limits_.states);
      if ((added > 0 && !leap) || !can_be_added(missing[k])) continue;
      projected_.add(missing[k]);
      states *= values(missing[k]);
      ++added;
    }
    if (added == 0) continue;
    ++attempts;
    Made result = table();
    if (result->is_complete()) return result;
    for (; added > 0; --added) projected_.remove_last();
  }
  return nullptr;
}

// ---- What is missing ------------------------------------------------------------------------------------------------

std::vector<std::uint32_t> PatternChoice::missing_cells(const AbstractionTable& table, StateView from) {
  StateBuffer state(from.begin(), from.end());
  for (std::size_t length = 0; length < longest_way && table.distance(state) > 0; ++length)
    if (!go_nearer(table, state)) break;
  return is_there(state) ? std::vector<std::uint32_t>{} : missing_at(table, state);
}

bool PatternChoice::is_there(StateView state) {
  steps_.forget_all();
  for (std::uint32_t cell = 0; cell < facts_.cells.size(); ++cell)
    if (facts_.cells[cell].type->is_scalar())
      steps_.know(cell, fathom_get(state.data(), facts_.cells[cell].offset, facts_.cells[cell].type->bits));
  for (const std::size_t violation : aim_.violations)
    if (steps_.may_violate(steps_.state_violations()[violation])) return true;
  if (!aim_.blocked.empty() && steps_.may_be_blocked(aim_.blocked)) return true;
  for (std::uint32_t k = 0; k < aim_.failing.size(); ++k)
    if (aim_.failing[k] && steps_.take(steps_.instances()[k], [](const std::vector<CellSet>&) {}).fails) return true;
  return false;
}

bool PatternChoice::go_nearer(const AbstractionTable& table, StateBuffer& state) {
  const std::uint32_t here = table.distance(state);
  Batch steps;
  model_.quiet(true);
  model_.successors(state, steps);
  for (std::uint32_t k = 0; k < steps.size(); ++k) {
    if (!steps.outcome(k).has_successor() || table.distance(steps.state(k)) >= here) continue;
    state.assign(steps.state(k).begin(), steps.state(k).end());
    return true;
  }
  return false;
}

// What has looked at cells outside the pattern, and would bring a violation nearer if it were possible.
std::vector<std::uint32_t> PatternChoice::missing_at(const AbstractionTable& table, StateView state) {
  const std::uint64_t key = table.projection().key_of(state);
  const std::uint32_t here = table.distance(state);
  std::map<std::uint32_t, double> wanted;
  const auto want = [&](const BitSet& looked_at) {
    looked_at.for_each([&](std::size_t cell) {
      if (table.projection().field_of(static_cast<std::uint32_t>(cell)) == nullptr)
        wanted[static_cast<std::uint32_t>(cell)] += 1;
    });
  };
  if (here == 0) {
    for (const std::size_t violation : aim_.violations)
      if (projected_.may_violate(violation, key)) want(projected_.seen_by_violation(violation));
    if (!aim_.blocked.empty() && projected_.may_be_blocked(key)) want(projected_.seen_by_blocked());
  }
  for (const std::uint32_t k : table.relevant()) {
    const ProjectedSteps::Effect& effect = projected_.step(k, key);
    const bool fails = effect.fails && !aim_.failing.empty() && aim_.failing[k];
    const bool nearer = std::ranges::any_of(effect.results, [&](const ProjectedSteps::Result& result) {
      return table.distance_of_key((key & ~result.written) | result.values) < here;
    });
    if (nearer || effect.unknown || fails) want(projected_.seen_by_step(k));
  }
  std::vector<std::uint32_t> cells;
  for (const auto& [cell, times] : wanted)
    if (can_be_added(cell)) cells.push_back(cell);
  std::ranges::stable_sort(cells, std::ranges::greater(),
                           [&](std::uint32_t cell) { return wanted[cell] / (1 + std::log2(values(cell))); });
  return cells;
}

}  // namespace fathom
