#include "heuristic/aims.hpp"

#include <algorithm>
#include <map>

#include "heuristic/pattern_choice.hpp"
#include "model/macro_steps.hpp"

namespace fathom {

namespace {

constexpr std::size_t most_aims = 48;
constexpr std::size_t states_of_proof = 2000;
constexpr int rounds_of_proof = 8;

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

  void plan_deadlock() {
    steps_.forget_all();
    if (!steps_.may_be_deadlock()) return;
    PlannedAims deadlock;
    deadlock.agents = std::make_unique<DeadlockAgents>(goals_.program, facts_, steps_, those_that_move());
    for (std::uint32_t agent = 0; agent < deadlock.agents->size(); ++agent) {
      AimPart part{{}, deadlock.agents->seeds_of(agent), deadlock.agents->few_seeds_of(agent)};
      part.agents = deadlock.agents->with_neighbours(agent);
      part.aim.blocked = deadlock.agents->instances_of(part.agents);
      deadlock.parts.push_back(std::move(part));
    }
    plans_.push_back(std::move(deadlock));
  }

  // Instances that are possible at the start.
  [[nodiscard]] std::vector<bool> those_that_move() {
    std::vector<bool> moves(steps_.instances().size());
    if (steps_.starts().empty()) return moves;
    Batch batch;
    model_.successors(steps_.starts().front(), batch);
    const bool has_chains = ir::has_macro_steps(goals_.program);
    for (std::uint32_t k = 0; k < batch.size(); ++k) {
      const InstanceId step = batch.instance(k);
      const InstanceId first = has_chains ? MacroSteps::first_micro_step(step) : step;
      moves[steps_.number_of(edge_of(first), parameters_of(first))] = true;
    }
    return moves;
  }

  const Goals& goals_;
  const ModelFacts& facts_;
  MaySteps& steps_;
  const std::vector<Cost>& weights_;  // per instance
  const ThreadClock::time_point deadline_;
  InterpretedModel model_;
  std::vector<PlannedAims> plans_;
};

}  // namespace

std::vector<PlannedAims> plan_aims(const Goals& goals, const ModelFacts& facts, MaySteps& steps,
                                   const std::vector<Cost>& costs, ThreadClock::time_point deadline) {
  return Planner(goals, facts, steps, costs, deadline).plan();
}

}  // namespace fathom
