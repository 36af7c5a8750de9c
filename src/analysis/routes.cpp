#include "analysis/routes.hpp"

#include <algorithm>

#include "state/bits.h"

namespace fathom {

namespace {

constexpr std::uint32_t max_bits = 10;

bool is_place_test(const Conjunct& conjunct) {
  return conjunct.test && conjunct.test->relation == CellTest::Relation::equal && conjunct.test->value != ir::undefined;
}

// The tests of a guard that are surely made: what comes behind a possible fault may never be looked at.
template <class Visit>
void each_place_test(const Action& action, Visit visit) {
  for (const Conjunct& conjunct : action.guard) {
    if (is_place_test(conjunct) && !conjunct.test->faults_if_undefined) visit(*conjunct.test);
    if (conjunct.may_fault) return;
  }
}

}  // namespace

Routes::Routes(const Cells& cells, const std::vector<Action>& actions)
    : action_count_(actions.size()), of_cell_(cells.size(), any) {
  find_tracked(cells, actions);
  find_demands(cells, actions);
  for (Tracked& tracked : tracked_) {
    find_reachable(tracked);
    tracked.ways.resize(tracked.count);
  }
}

void Routes::find_tracked(const Cells& cells, const std::vector<Action>& actions) {
  std::vector<bool> tested(cells.size());
  for (const Action& action : actions) each_place_test(action, [&](const CellTest& test) { tested[test.cell] = true; });
  for (std::uint32_t number = 0; number < cells.size(); ++number) {
    const Cell& cell = cells[number];
    if (!tested[number] || !cell.type->is_scalar() || cell.type->bits > max_bits) continue;
    Tracked tracked{
        cell.offset, cell.type->bits, std::vector<std::uint32_t>(std::size_t{1} << cell.type->bits), 1, {}, {}, {}};
    if (!find_movers(cell, number, actions, tracked)) continue;
    of_cell_[number] = static_cast<std::uint32_t>(tracked_.size());
    tracked_.push_back(std::move(tracked));
  }
}

std::uint32_t Routes::Tracked::number_of(std::uint64_t code) {
  if (values[code] == 0) values[code] = count++;
  return values[code];
}

// False if some action may write a value that is not known. A value outside the type is never written: that is a fault.
bool Routes::find_movers(const Cell& cell, std::uint32_t number, const std::vector<Action>& actions, Tracked& tracked) {
  const auto is_storable = [&](std::int64_t value) {
    return value == ir::undefined || cell.type->is_machine() || cell.type->contains(value);
  };
  for (std::uint32_t k = 0; k < actions.size(); ++k) {
    const auto written = actions[k].touches.written.find(number);
    if (!actions[k].touches.writes.test(number)) continue;
    if (written == actions[k].touches.written.end()) return false;
    if (written->second.anything || written->second.more || written->second.less) return false;
    Mover mover{k, any, {}};
    for (const auto& [fact, value] : actions[k].facts)
      if (fact == number && is_storable(value)) mover.from = tracked.number_of(cell.type->encode(value));
    for (const std::int64_t value : written->second.values)
      if (is_storable(value)) mover.to.push_back(tracked.number_of(cell.type->encode(value)));
    tracked.movers.push_back(std::move(mover));
  }
  return true;
}

void Routes::find_demands(const Cells& cells, const std::vector<Action>& actions) {
  for (const Action& action : actions) {
    first_.push_back(demands_.size());
    each_place_test(action, [&](const CellTest& test) {
      const ir::Type& type = *cells[test.cell].type;
      const std::uint32_t tracked = of_cell_[test.cell];
      if (tracked != any && type.contains(test.value))
        demands_.push_back({tracked, tracked_[tracked].number_of(type.encode(test.value))});
    });
  }
  first_.push_back(demands_.size());
}

void Routes::find_reachable(Tracked& tracked) {
  std::vector<BitSet>& reachable = tracked.reachable;
  reachable.assign(tracked.count, BitSet(tracked.count));
  for (std::uint32_t value = 0; value < tracked.count; ++value) {
    reachable[value].set(value);
    for (const Mover& mover : tracked.movers)
      if (mover.from == any || mover.from == value)
        for (const std::uint32_t to : mover.to) reachable[value].set(to);
  }
  for (std::uint32_t via = 0; via < tracked.count; ++via)
    for (std::uint32_t value = 0; value < tracked.count; ++value)
      if (reachable[value].test(via)) reachable[value] |= reachable[via];
}

void Routes::read(std::span<const std::uint64_t> state, std::vector<std::uint32_t>& values) const {
  values.resize(tracked_.size());
  for (std::size_t k = 0; k < tracked_.size(); ++k)
    values[k] = tracked_[k].values[fathom_get(state.data(), tracked_[k].offset, tracked_[k].bits)];
}

const BitSet& Routes::ways(std::uint32_t from, const Demand& demand) {
  Tracked& tracked = tracked_[demand.tracked];
  std::vector<std::unique_ptr<BitSet>>& row = tracked.ways[from];
  if (row.empty()) row.resize(tracked.count);
  if (row[demand.value] == nullptr)
    row[demand.value] = std::make_unique<BitSet>(find_ways(tracked, from, demand.value));
  return *row[demand.value];
}

BitSet Routes::find_ways(const Tracked& tracked, std::uint32_t from, std::uint32_t to) const {
  BitSet result(action_count_);
  for (const Mover& mover : tracked.movers) {
    if (mover.from != any && mover.from != from) continue;
    if (std::ranges::any_of(mover.to, [&](std::uint32_t next) { return tracked.reachable[next].test(to); }))
      result.set(mover.action);
  }
  return result;
}

}  // namespace fathom
