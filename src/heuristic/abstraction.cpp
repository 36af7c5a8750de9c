#include "heuristic/abstraction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "heuristic/straight_way.hpp"
#include "state/leaves.hpp"

namespace fathom {

namespace {

bool is_below(const std::string& name, const std::string& whole) {
  return name.starts_with(whole) &&
         (name.size() == whole.size() || std::string_view("[.{").find(name[whole.size()]) != std::string_view::npos);
}

// The cells of variables and processes that the user named; a name that fits nothing is put into `unknown`.
BitSet named_cells(const Goals& goals, const ModelFacts& facts, const AbstractionChoice& choice, std::string& unknown) {
  BitSet cells(facts.cells.size());
  std::vector<std::string> names = choice.variables;
  names.insert(names.end(), choice.processes.begin(), choice.processes.end());
  const Leaves leaves(goals.program);
  for (const std::string& name : names) {
    bool found = false;
    for (const Leaf& leaf : leaves.all()) {
      if (!is_below(leaf.name, name)) continue;
      if (const auto cell = facts.cells.at(leaf.offset)) cells.set(*cell);
      found = true;
    }
    if (!found) unknown = name;
  }
  return cells;
}

std::vector<Cost> costs_of_instances(const MaySteps& steps, const std::vector<Cost>& of_edge) {
  std::vector<Cost> result;
  for (const MaySteps::Instance& instance : steps.instances())
    result.push_back(of_edge.empty() ? step_cost : of_edge[instance.edge]);
  return result;
}

}  // namespace

// Patterns that are chosen get half of the time: what they lack in the end is for all variables together.
Abstraction::Abstraction(const Goals& goals, std::unique_ptr<ModelFacts> facts, const AbstractionChoice& choice)
    : goals_(goals),
      facts_(std::move(facts)),
      steps_(goals_, *facts_),
      in_costs_(!choice.costs.empty()),
      symmetric_(choice.canonicalise != nullptr) {
  const bool named = !choice.variables.empty() || !choice.processes.empty();
  const auto end = ThreadClock::now() +
                   std::chrono::duration_cast<ThreadClock::duration>(std::chrono::duration<double>(choice.seconds));
  complaint_ = steps_.refusal();
  followed_ = complaint_.empty();
  proves_ = !wants_everything_visited(goals);
  const auto executor = choice.executor != nullptr
                            ? choice.executor->for_another_thread()
                            : std::make_unique<Executor>(goals_.program, EngineChoice::interpret);
  const auto leads_there = [&](const StraightWay::Estimate& estimate) {
    return StraightWay(goals_, *executor, choice.costs, estimate).is_there(end);
  };
  if (followed_) make_groups(choice, {choice.size, named ? choice.seconds : choice.seconds / 2, leads_there});
  const bool is_proven = followed_ && groups_.empty();
  if (!named && !is_proven && !leads_there([this](StateView state) { return nearest(state); }))
    add_whole(choice, *executor, end);
  for (StateBuffer start : steps_.starts()) {
    if (symmetric_) choice.canonicalise(start.data());
    at_start_ = std::min(at_start_, nearest(start));
  }
}

void Abstraction::make_groups(const AbstractionChoice& choice, const TableLimits& limits) {
  std::string unknown;
  const BitSet named = named_cells(goals_, *facts_, choice, unknown);
  if (!unknown.empty()) complaint_ = fmt::format("the model has no variable or process `{}`", unknown);
  const std::vector<Cost> costs = costs_of_instances(steps_, choice.costs);
  groups_ = make_tables(goals_, *facts_, steps_, costs, named, limits);
}

void Abstraction::add_whole(const AbstractionChoice& choice, Executor& executor, ThreadClock::time_point deadline) {
  const WholeLimits limits{choice.size - std::min(choice.size, states()), choice.bytes, deadline};
  whole_ = std::make_unique<WholeTable>(goals_, executor, choice.costs, choice.canonicalise, limits);
  if (!whole_->tells()) return whole_.reset();
  complaint_.clear();
}

std::size_t Abstraction::tables() const {
  std::size_t count = 0;
  for (const AimTables& group : groups_) count += group.tables.size();
  return count;
}

std::size_t Abstraction::states() const {
  std::size_t count = 0;
  for (const AimTables& group : groups_)
    for (const auto& table : group.tables) count += table->size();
  return count;
}

std::string Abstraction::about() const {
  if (!is_useful()) return "nothing to go by";
  std::size_t cells = 0;
  for (const AimTables& group : groups_)
    for (const auto& table : group.tables) cells = std::max(cells, table->projection().fields().size());
  std::vector<std::string> parts;
  if (followed_)
    parts = {fmt::format("{} aims", groups_.size()), fmt::format("{} tables of {} states", tables(), states()),
             fmt::format("up to {} variables", cells)};
  if (whole_ != nullptr) parts.push_back(fmt::format("a table of all variables with {} states", whole_->size()));
  if (!steps_.starts().empty())
    parts.push_back((at_start_ == AbstractionTable::never ? "out of reach" : std::to_string(at_start_)) +
                    " at the start");
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::uint32_t Abstraction::nearest(StateView state) const {
  std::uint32_t nearest = followed_ ? AbstractionTable::never : 0;
  for (const AimTables& group : groups_) {
    nearest = std::min(nearest, group.distance(state, nearest));
    if (nearest == 0) break;
  }
  return whole_ == nullptr ? nearest : std::max(nearest, whole_->distance(state));
}

Cost Abstraction::estimate(StateView state, const Batch&) {
  const std::uint32_t nearest = this->nearest(state);
  if (nearest == AbstractionTable::never) return proves_ ? dead_end : largest_estimate;
  return std::min(nearest, largest_estimate);
}

}  // namespace fathom
