#include "heuristic/deadlock_agents.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace fathom {

namespace {

constexpr std::size_t most_neighbours = 4;  // of an agent that are blocked together with it
constexpr std::size_t largest_window = 4;   // agents
constexpr std::size_t most_windows = 96;

std::size_t count_of(const BitSet& cells) {
  std::size_t count = 0;
  cells.for_each([&](std::size_t) { ++count; });
  return count;
}

std::vector<std::uint32_t> components_of_edges(const ir::Program& program) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t number = 0; number < program.components.size(); ++number)
    result.insert(result.end(), program.components[number].edges.size(), number);
  return result;
}

BitSet location_of(const ir::Component& component, const Cells& cells) {
  BitSet result(cells.size());
  if (component.location == nullptr) return result;
  if (const auto cell = cells.at(component.location->offset)) result.set(*cell);
  return result;
}

}  // namespace

DeadlockAgents::DeadlockAgents(const ir::Program& program, const ModelFacts& facts, const MaySteps& steps,
                               std::vector<bool> moves)
    : facts_(facts), steps_(steps), moves_(std::move(moves)) {
  const std::vector<std::uint32_t> components = components_of_edges(program);
  const bool are_processes = program.components.size() > 1;
  std::map<std::pair<std::uint32_t, std::int64_t>, std::vector<std::uint32_t>> instances;
  for (std::uint32_t k = 0; k < steps.instances().size(); ++k) {
    const MaySteps::Instance& instance = steps.instances()[k];
    const bool is_owned = !are_processes && !instance.parameters.empty();
    instances[{components[instance.edge], is_owned ? instance.parameters.front() : -1}].push_back(k);
  }
  owners_.resize(steps.instances().size());
  for (auto& [key, its_instances] : instances) {
    Agent agent{std::move(its_instances), BitSet(facts.cells.size()), BitSet(facts.cells.size())};
    for (const std::uint32_t k : agent.instances) {
      agent.waits_for |= action_of(k).guard_reads;
      agent.writes |= action_of(k).touches.writes;
      owners_[k] = static_cast<std::uint32_t>(agents_.size());
    }
    if (are_processes) agent.location = location_of(program.components[key.first], facts.cells);
    agents_.push_back(std::move(agent));
  }
}

const Action& DeadlockAgents::action_of(std::uint32_t instance) const {
  const MaySteps::Instance& which = steps_.instances()[instance];
  return facts_.actions.all()[facts_.actions.number(which.edge, which.number)];
}

std::vector<std::uint32_t> DeadlockAgents::instances_of(const Set& set) const {
  std::vector<std::uint32_t> result;
  for (const std::uint32_t agent : set)
    result.insert(result.end(), agents_[agent].instances.begin(), agents_[agent].instances.end());
  return result;
}

// ---- One agent ------------------------------------------------------------------------------------------------------

DeadlockAgents::Set DeadlockAgents::with_neighbours(std::uint32_t agent) const {
  Set result{agent};
  for (std::uint32_t other = 0; other < agents_.size() && result.size() <= most_neighbours; ++other)
    if (other != agent && agents_[other].writes.intersects(agents_[agent].waits_for)) result.push_back(other);
  return result;
}

BitSet DeadlockAgents::seeds_of(std::uint32_t agent) const {
  return agents_[agent].location.empty() ? agents_[agent].waits_for : agents_[agent].location;
}

// It is enough to know of one step that it can take.
BitSet DeadlockAgents::few_seeds_of(std::uint32_t agent) const {
  BitSet best(facts_.cells.size());
  std::size_t fewest = SIZE_MAX;
  for (const std::uint32_t k : agents_[agent].instances) {
    if (!moves_[k] || count_of(action_of(k).guard_reads) >= fewest) continue;
    best = action_of(k).guard_reads;
    fewest = count_of(best);
  }
  return best;
}

// ---- Windows --------------------------------------------------------------------------------------------------------

bool DeadlockAgents::are_neighbours(std::uint32_t a, std::uint32_t b) const {
  return agents_[a].writes.intersects(agents_[b].waits_for) || agents_[b].writes.intersects(agents_[a].waits_for);
}

bool DeadlockAgents::hangs_together(const Set& set) const {
  Set reached{set.front()};
  for (std::size_t k = 0; k < reached.size(); ++k)
    for (const std::uint32_t other : set)
      if (std::ranges::count(reached, other) == 0 && are_neighbours(reached[k], other)) reached.push_back(other);
  return reached.size() == set.size();
}

// By one agent each; those that cannot be are left out.
std::vector<DeadlockAgents::Set> DeadlockAgents::extended(const std::vector<Set>& sets, std::size_t most) const {
  std::set<Set> result;
  for (const Set& set : sets)
    for (std::uint32_t other = 0; other < agents_.size() && result.size() < most; ++other) {
      const auto is_near = [&](std::uint32_t agent) { return are_neighbours(agent, other); };
      if (std::ranges::count(set, other) > 0 || std::ranges::none_of(set, is_near)) continue;
      Set larger = set;
      larger.insert(std::ranges::upper_bound(larger, other), other);
      result.insert(std::move(larger));
    }
  return {result.begin(), result.end()};
}

std::vector<DeadlockAgents::Set> DeadlockAgents::windows() const {
  const std::size_t for_each = std::max(largest_window, most_windows / std::max<std::size_t>(1, agents_.size()));
  std::set<Set> result;
  for (std::uint32_t agent = 0; agent < agents_.size() && result.size() < most_windows; ++agent) {
    std::vector<Set> sets{{agent}};
    for (std::size_t size = 2; size <= largest_window; ++size)
      if (auto larger = extended(sets, for_each); !larger.empty()) sets = std::move(larger);
    if (sets.front().size() > 1) result.insert(sets.begin(), sets.end());
  }
  return {result.begin(), result.end()};
}

std::vector<DeadlockAgents::Set> DeadlockAgents::parts_of(const Set& window) const {
  std::vector<Set> result;
  for (std::size_t k = 0; k < window.size() && window.size() > 2; ++k) {
    Set part = window;
    part.erase(part.begin() + static_cast<std::ptrdiff_t>(k));
    if (hangs_together(part)) result.push_back(std::move(part));
  }
  return result;
}

BitSet DeadlockAgents::cells_of(const Set& window) const {
  BitSet written_by_others(facts_.cells.size());
  for (std::uint32_t agent = 0; agent < agents_.size(); ++agent)
    if (std::ranges::count(window, agent) == 0) written_by_others |= agents_[agent].writes;
  BitSet result(facts_.cells.size());
  for (const std::uint32_t agent : window) {
    const BitSet& location = agents_[agent].location;
    if (!location.empty()) result |= location;
    agents_[agent].waits_for.for_each([&](std::size_t cell) {
      if (!written_by_others.test(cell)) result.set(cell);
    });
  }
  return result;
}

}  // namespace fathom
