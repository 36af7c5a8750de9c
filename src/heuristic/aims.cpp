#include "heuristic/aims.hpp"

#include <algorithm>
#include <map>

#include "heuristic/pattern_choice.hpp"

namespace fathom {

namespace {

constexpr std::size_t most_aims = 48;
constexpr std::size_t states_of_proof = 2000;
constexpr int rounds_of_proof = 8;
constexpr std::size_t most_neighbours = 4;  // of an agent that are blocked together with it

class Planner {
 public:
  Planner(const Goals& goals, const ModelFacts& facts, MaySteps& steps, const std::vector<Cost>& weights,
          ThreadClock::time_point deadline)
      : goals_(goals), facts_(facts), steps_(steps), weights_(weights), deadline_(deadline), model_(goals.program) {
    model_.quiet(true);
  }

  std::vector<PlannedAims> plan() {
    plan_violations();
    plan_failing();
    if (goals_.deadlock) plan_deadlock();
    return std::move(plans_);
  }

 private:
  // Their instances, by component and first parameter.
  using Agents = std::map<std::pair<std::uint32_t, std::int64_t>, std::vector<std::uint32_t>>;

  void add(AimPart part) {
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
    AimPart all{{}, BitSet(facts_.cells.size())};
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
      if ((step.fails || step.unknown) && !never_fails(k)) of_edge[steps_.instances()[k].edge].push_back(k);
      steps_.forget_all();
    }
    const bool too_many = of_edge.size() + plans_.size() > most_aims;
    for (const auto& [edge, instances] : of_edge) {
      if (!too_many || &instances == &of_edge.begin()->second) {
        add({{}, BitSet(facts_.cells.size())});
        plans_.back().at_least = largest_estimate;
        plans_.back().parts.front().aim.failing.resize(steps_.instances().size());
      }
      AimPart& part = plans_.back().parts.front();
      for (const std::uint32_t k : instances) {
        plans_.back().at_least = std::min(plans_.back().at_least, weights_[k]);
        part.aim.failing[k] = true;
        part.seeds |= guard_reads(steps_.instances()[k]);
        if (instances.size() == 1) part.seeds |= all_reads(steps_.instances()[k]);
      }
    }
  }

  // Whether a small table shows that.
  [[nodiscard]] bool never_fails(std::uint32_t k) {
    const auto now = ThreadClock::now();
    const AbstractionLimits limits{states_of_proof, now + (deadline_ - now) / 8};
    const StepWeights weights{weights_};
    Aim aim;
    aim.failing.resize(steps_.instances().size());
    aim.failing[k] = true;
    const BitSet guard = guard_reads(steps_.instances()[k]);
    BitSet seeds = all_reads(steps_.instances()[k]);
    seeds |= guard;
    const std::vector<StateView> from(steps_.starts().begin(), steps_.starts().end());
    PatternChoice pattern(steps_, facts_, model_, aim, weights);
    PatternChoice::Made table = pattern.begin(seeds, guard, limits);
    for (int round = 0; round < rounds_of_proof && table != nullptr; ++round) {
      if (table->at_start() == AbstractionTable::never) return true;
      table = pattern.refined(*table, from, limits);
    }
    return false;
  }

  // In a deadlock nobody can move: so that an agent cannot is an aim of its own, and the way to the deadlock is a way
  // to all of them. Those it waits for cannot move either: otherwise it would be enough that one of them is busy. An
  // agent is a process, or the rules with the same first parameter.
  void plan_deadlock() {
    steps_.forget_all();
    if (!steps_.may_be_deadlock()) return;
    find_those_that_move();
    Agents agents;
    const auto components = components_of_edges();
    const bool by_parameters = goals_.program.components.size() == 1;
    for (std::uint32_t k = 0; k < steps_.instances().size(); ++k) {
      const MaySteps::Instance& instance = steps_.instances()[k];
      const bool is_owned = by_parameters && !instance.parameters.empty();
      agents[{components[instance.edge], is_owned ? instance.parameters.front() : -1}].push_back(k);
    }
    PlannedAims deadlock;
    for (const auto& [agent, instances] : agents) {
      AimPart part{{}, BitSet(facts_.cells.size())};
      const BitSet waits_for = guard_reads(instances);
      if (by_parameters) part.seeds = waits_for;
      part.share = part.aim.blocked = instances;
      if (!by_parameters) set_location(agent.first, part.seeds);
      part.few_seeds = reads_of_one_that_moves(instances);
      add_neighbours(agent, agents, waits_for, part);
      deadlock.parts.push_back(std::move(part));
    }
    plans_.push_back(std::move(deadlock));
  }

  // Instances that are possible at the start.
  void find_those_that_move() {
    moves_.resize(steps_.instances().size());
    if (steps_.starts().empty()) return;
    Batch batch;
    model_.successors(steps_.starts().front(), batch);
    for (std::uint32_t k = 0; k < batch.size(); ++k)
      moves_[steps_.number_of(edge_of(batch.instance(k)), parameters_of(batch.instance(k)))] = true;
  }

  // To keep an agent from being blocked at the start it is enough to know of one step that it can take.
  [[nodiscard]] BitSet reads_of_one_that_moves(const std::vector<std::uint32_t>& instances) const {
    BitSet best(facts_.cells.size());
    std::size_t fewest = SIZE_MAX;
    for (const std::uint32_t k : instances) {
      if (!moves_[k]) continue;
      const BitSet reads = guard_reads(steps_.instances()[k]);
      std::size_t count = 0;
      reads.for_each([&](std::size_t) { ++count; });
      if (count < fewest) best = reads;
      fewest = std::min(fewest, count);
    }
    return best;
  }

  // Those that write what it waits for.
  void add_neighbours(const Agents::key_type& agent, const Agents& agents, const BitSet& waits_for,
                      AimPart& part) const {
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
  InterpretedModel model_;
  std::vector<bool> moves_;  // per instance: at the start
  std::vector<PlannedAims> plans_;
};

}  // namespace

std::vector<PlannedAims> plan_aims(const Goals& goals, const ModelFacts& facts, MaySteps& steps,
                                   const std::vector<Cost>& costs, ThreadClock::time_point deadline) {
  return Planner(goals, facts, steps, costs, deadline).plan();
}

}  // namespace fathom
