#include "heuristic/abstraction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "heuristic/pattern_choice.hpp"
#include "state/leaves.hpp"

namespace fathom {

namespace {

constexpr std::size_t most_aims = 24;
constexpr std::size_t fewest_states = 500;
constexpr std::size_t most_neighbours = 4;  // of an agent that are blocked together with it

// An aim, the cells it is about, and the instances that count in its share.
struct Part {
  Aim aim;
  BitSet seeds;
  std::vector<std::uint32_t> share = {};
};

// Aims that have to be reached together.
struct Planned {
  std::vector<Part> parts = {};
  std::uint32_t at_least = 0;
};

class Planner {
 public:
  Planner(const Goals& goals, const ModelFacts& facts, MaySteps& steps, const std::vector<Cost>& weights,
          ThreadClock::time_point deadline)
      : goals_(goals), facts_(facts), steps_(steps), weights_(weights), deadline_(deadline) {}

  std::vector<Planned> plan() {
    plan_violations();
    plan_failing();
    if (goals_.deadlock) plan_deadlock();
    return std::move(plans_);
  }

 private:
  // Their instances, by component and parameters.
  using Agents = std::map<std::pair<std::uint32_t, std::vector<std::int64_t>>, std::vector<std::uint32_t>>;

  void add(Part part) {
    plans_.emplace_back();
    plans_.back().parts.push_back(std::move(part));
  }

  // The cells that decide whether an instance can be taken, and those that it reads at all.
  [[nodiscard]] BitSet guard_reads(const MaySteps::Instance& instance) const {
    return facts_.actions.all()[facts_.actions.number(instance.edge, instance.number)].guard_reads;
  }
  [[nodiscard]] BitSet all_reads(const MaySteps::Instance& instance) const {
    return facts_.actions.all()[facts_.actions.number(instance.edge, instance.number)].touches.reads;
  }

  // Alternatives that read the same cells belong together; if there are too many, all do.
  void plan_violations() {
    std::map<BitSet, Aim> by_cells;
    for (std::size_t k = 0; k < steps_.state_violations().size(); ++k)
      by_cells[steps_.state_violations()[k].reads].violations.push_back(k);
    Part all{{}, BitSet(facts_.cells.size())};
    const bool too_many = by_cells.size() > most_aims;
    for (auto& [reads, aim] : by_cells) {
      all.seeds |= reads;
      all.aim.violations.insert(all.aim.violations.end(), aim.violations.begin(), aim.violations.end());
      if (!too_many) add({std::move(aim), reads});
    }
    if (too_many) add(std::move(all));
  }

  // A step that fails in no state at all is left out for good. After the deadline any may fail.
  void plan_failing() {
    std::map<std::uint32_t, std::vector<std::uint32_t>> of_edge;
    steps_.forget_all();
    for (std::uint32_t k = 0; k < steps_.instances().size(); ++k) {
      const bool late = ThreadClock::now() > deadline_;
      const MayStep step =
          late ? MayStep{true, true} : steps_.take(steps_.instances()[k], [](const std::vector<CellSet>&) {});
      if (step.fails || step.unknown) of_edge[steps_.instances()[k].edge].push_back(k);
    }
    const bool too_many = of_edge.size() + plans_.size() > most_aims;
    for (const auto& [edge, instances] : of_edge) {
      if (!too_many || &instances == &of_edge.begin()->second) {
        add({{}, BitSet(facts_.cells.size())});
        plans_.back().at_least = largest_estimate;
        plans_.back().parts.front().aim.failing.resize(steps_.instances().size());
      }
      Part& part = plans_.back().parts.front();
      for (const std::uint32_t k : instances) {
        plans_.back().at_least = std::min(plans_.back().at_least, weights_[k]);
        part.aim.failing[k] = true;
        part.seeds |= guard_reads(steps_.instances()[k]);
        if (instances.size() == 1) part.seeds |= all_reads(steps_.instances()[k]);
      }
    }
  }

  // In a deadlock nobody can move: so that an agent cannot is an aim of its own, and the way to the deadlock is a way
  // to all of them. Those it waits for cannot move either: otherwise it would be enough that one of them is busy. An
  // agent is a process, or the rules with the same parameters.
  void plan_deadlock() {
    steps_.forget_all();
    if (!steps_.may_be_deadlock()) return;
    Agents agents;
    const auto components = components_of_edges();
    const bool by_parameters = goals_.program.components.size() == 1;
    for (std::uint32_t k = 0; k < steps_.instances().size(); ++k) {
      const MaySteps::Instance& instance = steps_.instances()[k];
      agents[{components[instance.edge], by_parameters ? instance.parameters : std::vector<std::int64_t>{}}].push_back(
          k);
    }
    Planned deadlock;
    for (const auto& [agent, instances] : agents) {
      Part part{{}, BitSet(facts_.cells.size())};
      const BitSet waits_for = guard_reads(instances);
      if (by_parameters) part.seeds = waits_for;
      part.share = part.aim.blocked = instances;
      if (!by_parameters) set_location(agent.first, part.seeds);
      add_neighbours(agent, agents, waits_for, part);
      deadlock.parts.push_back(std::move(part));
    }
    plans_.push_back(std::move(deadlock));
  }

  // Those that write what it waits for.
  void add_neighbours(const Agents::key_type& agent, const Agents& agents, const BitSet& waits_for, Part& part) const {
    std::size_t neighbours = 0;
    for (const auto& [other, theirs] : agents) {
      if (other == agent || neighbours == most_neighbours || !writes(theirs).intersects(waits_for)) continue;
      part.aim.blocked.insert(part.aim.blocked.end(), theirs.begin(), theirs.end());
      ++neighbours;
    }
  }

  [[nodiscard]] BitSet guard_reads(const std::vector<std::uint32_t>& instances) const {
    BitSet cells(facts_.cells.size());
    for (const std::uint32_t k : instances) cells |= guard_reads(steps_.instances()[k]);
    return cells;
  }

  [[nodiscard]] BitSet writes(const std::vector<std::uint32_t>& instances) const {
    BitSet cells(facts_.cells.size());
    for (const std::uint32_t k : instances) {
      const MaySteps::Instance& instance = steps_.instances()[k];
      cells |= facts_.actions.all()[facts_.actions.number(instance.edge, instance.number)].touches.writes;
    }
    return cells;
  }

  void set_location(std::uint32_t component, BitSet& cells) const {
    const ir::Variable* const location = goals_.program.components[component].location;
    if (location == nullptr) return;
    if (const auto cell = facts_.cells.at(location->offset)) cells.set(*cell);
  }

  [[nodiscard]] std::vector<std::uint32_t> components_of_edges() const {
    std::vector<std::uint32_t> result;
    for (std::uint32_t number = 0; number < goals_.program.components.size(); ++number)
      result.insert(result.end(), goals_.program.components[number].edges.size(), number);
    return result;
  }

  const Goals& goals_;
  const ModelFacts& facts_;
  MaySteps& steps_;
  const std::vector<Cost>& weights_;  // per instance
  const ThreadClock::time_point deadline_;
  std::vector<Planned> plans_;
};

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

Abstraction::Abstraction(const Goals& goals, std::unique_ptr<ModelFacts> facts, const AbstractionChoice& choice)
    : goals_(goals),
      facts_(std::move(facts)),
      steps_(goals_, *facts_),
      in_costs_(!choice.costs.empty()),
      symmetric_(choice.symmetric) {
  complaint_ = steps_.refusal();
  if (complaint_.empty() && steps_.properties_may_fault())
    complaint_ = "evaluating a property may end in a run-time error in any state";
  useful_ = complaint_.empty();
  proves_ = !wants_everything_visited(goals);
  if (useful_) make_groups(choice);
  for (const StateBuffer& start : steps_.starts())
    if (useful_) at_start_ = std::min(at_start_, nearest(start));
}

// Size and time are divided among the tables that are still to be made.
void Abstraction::make_groups(const AbstractionChoice& choice) {
  using Clock = ThreadClock;
  std::string unknown;
  const BitSet named = named_cells(goals_, *facts_, choice, unknown);
  if (!unknown.empty()) complaint_ = fmt::format("the model has no variable or process `{}`", unknown);
  const std::vector<Cost> costs = costs_of_instances(steps_, choice.costs);
  const auto begin = Clock::now();
  const auto allowed = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(choice.seconds));
  const std::vector<Planned> plans = Planner(goals_, *facts_, steps_, costs, begin + allowed / 2).plan();
  std::size_t left = 0;
  for (const Planned& plan : plans) left += plan.parts.size();
  const std::size_t share =
      std::max(std::min(fewest_states, choice.size), choice.size / std::max<std::size_t>(1, left));
  const auto end = begin + allowed;
  InterpretedModel model(goals_.program);
  for (const Planned& plan : plans) {
    Group& group = groups_.emplace_back();
    group.at_least = plan.at_least;
    for (const Part& part : plan.parts) {
      const auto deadline = Clock::now() + (end - Clock::now()) / static_cast<std::int64_t>(left--);
      StepWeights weights{costs};
      if (!part.share.empty()) weights.share.resize(costs.size());
      for (const std::uint32_t k : part.share) weights.share[k] = costs[k];
      PatternChoice pattern(steps_, *facts_, model, part.aim, weights, {share, deadline});
      group.tables.push_back(named.empty() ? pattern.grow(part.seeds) : pattern.make(named));
    }
  }
}

std::size_t Abstraction::tables() const {
  std::size_t count = 0;
  for (const Group& group : groups_) count += group.tables.size();
  return count;
}

std::size_t Abstraction::states() const {
  std::size_t count = 0;
  for (const Group& group : groups_)
    for (const auto& table : group.tables) count += table->size();
  return count;
}

std::string Abstraction::about() const {
  if (!useful_) return "nothing to go by";
  std::size_t cells = 0;
  for (const Group& group : groups_)
    for (const auto& table : group.tables) cells = std::max(cells, table->projection().fields().size());
  return fmt::format("{} aims, {} tables of {} states, up to {} variables, {} at the start", groups_.size(), tables(),
                     states(), cells,
                     at_start_ == AbstractionTable::never ? "out of reach" : std::to_string(at_start_));
}

std::uint32_t Abstraction::nearest(StateView state) const {
  std::uint32_t nearest = AbstractionTable::never;
  for (const Group& group : groups_) {
    std::uint32_t farthest = group.at_least;
    std::uint64_t together = 0;
    for (const auto& table : group.tables) {
      const std::uint32_t number = table->number_of(state);
      farthest = std::max(farthest, table->all_of(number));
      together += table->share_of(number);
      if (std::max<std::uint64_t>(farthest, together) >= nearest) break;
    }
    if (farthest != AbstractionTable::never && together > farthest)
      farthest = static_cast<std::uint32_t>(std::min<std::uint64_t>(together, AbstractionTable::never - 1));
    nearest = std::min(nearest, farthest);
    if (nearest == 0) break;
  }
  return nearest;
}

Cost Abstraction::estimate(StateView state, const Batch&) {
  if (!useful_) return 0;
  const std::uint32_t nearest = this->nearest(state);
  if (nearest == AbstractionTable::never) return proves_ ? dead_end : largest_estimate;
  return std::min(nearest, largest_estimate);
}

}  // namespace fathom
