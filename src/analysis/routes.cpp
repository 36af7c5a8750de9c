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

// Where the values that a step writes depend on a cell that splits it, its parts move the cell. False if some value is
// not known. A value outside the type is never written: that is a fault.
bool Routes::find_movers(const Cell& cell, std::uint32_t number, const std::vector<Action>& actions, Tracked& tracked) {
  for (std::uint32_t step = 0; step < actions.size(); ++step) {
    if (actions[step].whole != step || !actions[step].touches.writes.test(number)) continue;
    std::uint32_t fewest = targets_of(actions[step], number);
    const Split* best = nullptr;
    for (const Split& split : actions[step].splits) {
      std::uint32_t most = 0, sum = 0;
      for (std::uint32_t k = 0; k < split.codes; ++k) {
        const std::uint32_t targets = targets_of(actions[split.first_part + k], number);
        most = std::max(most, targets);
        sum += targets == any ? 0 : targets;
      }
      if (most == any || (fewest != any && sum >= fewest * split.codes)) continue;
      best = &split;
      fewest = most;
    }
    if (fewest == any) return false;
    if (best == nullptr) add_mover(cell, number, step, actions[step], tracked);
    for (std::uint32_t k = 0; best != nullptr && k < best->codes; ++k)
      add_mover(cell, number, best->first_part + k, actions[best->first_part + k], tracked);
  }
  return true;
}

// How many values it may write to the cell.
std::uint32_t Routes::targets_of(const Action& action, std::uint32_t cell) {
  if (!action.touches.writes.test(cell)) return 0;
  const auto written = action.touches.written.find(cell);
  if (written == action.touches.written.end()) return any;
  const Written& what = written->second;
  return what.anything || what.more || what.less ? any : static_cast<std::uint32_t>(what.values.size());
}

void Routes::add_mover(const Cell& cell, std::uint32_t number, std::uint32_t action, const Action& what,
                       Tracked& tracked) {
  if (!what.touches.writes.test(number)) return;
  const auto is_storable = [&](std::int64_t value) {
    return value == ir::undefined || cell.type->is_machine() || cell.type->contains(value);
  };
  Mover mover{action, any, {}};
  for (const auto& [fact, value] : what.facts)
    if (fact == number && is_storable(value)) mover.from = tracked.number_of(cell.type->encode(value));
  for (const std::int64_t value : what.touches.written.at(number).values)
    if (is_storable(value)) mover.to.push_back(tracked.number_of(cell.type->encode(value)));
  tracked.movers.push_back(std::move(mover));
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
