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
constexpr std::size_t most_tables_of_deadlocks = 4;

// An aim and the cells it is about; for deadlocks also what each process looks at.
struct Planned {
  Aim aim;
  BitSet seeds;
  std::vector<BitSet> processes = {};
  std::uint32_t at_least = 0;
};

class Planner {
 public:
  Planner(const Goals& goals, const ModelFacts& facts, MaySteps& steps) : goals_(goals), facts_(facts), steps_(steps) {}

  std::vector<Planned> plan() {
    plan_violations();
    plan_failing();
    if (goals_.deadlock) plan_deadlock();
    return std::move(plans_);
  }

 private:
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
    Planned all{{}, BitSet(facts_.cells.size())};
    const bool too_many = by_cells.size() > most_aims;
    for (auto& [reads, aim] : by_cells) {
      all.seeds |= reads;
      all.aim.violations.insert(all.aim.violations.end(), aim.violations.begin(), aim.violations.end());
      if (!too_many) plans_.push_back({std::move(aim), reads});
    }
    if (too_many) plans_.push_back(std::move(all));
  }

  // A step that fails in no state at all is left out for good.
  void plan_failing() {
    std::map<std::uint32_t, std::vector<std::uint32_t>> of_edge;
    steps_.forget_all();
    for (std::uint32_t k = 0; k < steps_.instances().size(); ++k) {
      const MayStep step = steps_.take(steps_.instances()[k], [](const std::vector<CellSet>&) {});
      if (step.fails || step.unknown) of_edge[steps_.instances()[k].edge].push_back(k);
    }
    const bool too_many = of_edge.size() + plans_.size() > most_aims;
    for (const auto& [edge, instances] : of_edge) {
      if (!too_many || &instances == &of_edge.begin()->second) {
        plans_.push_back({{}, BitSet(facts_.cells.size())});
        plans_.back().at_least = 1;
        plans_.back().aim.failing.resize(steps_.instances().size());
      }
      for (const std::uint32_t k : instances) {
        plans_.back().aim.failing[k] = true;
        plans_.back().seeds |= guard_reads(steps_.instances()[k]);
        if (instances.size() == 1) plans_.back().seeds |= all_reads(steps_.instances()[k]);
      }
    }
  }

  void plan_deadlock() {
    steps_.forget_all();
    if (!steps_.may_be_deadlock()) return;
    Planned deadlock{{}, BitSet(facts_.cells.size())};
    deadlock.aim.deadlock = true;
    std::map<std::pair<std::uint32_t, std::vector<std::int64_t>>, BitSet> of_agent;
    const auto components = components_of_edges();
    for (const MaySteps::Instance& instance : steps_.instances()) {
      const bool by_parameters = goals_.program.components.size() == 1;
      const auto agent =
          std::pair(components[instance.edge], by_parameters ? instance.parameters : std::vector<std::int64_t>{});
      auto [found, fresh] = of_agent.try_emplace(agent, BitSet(facts_.cells.size()));
      found->second |= guard_reads(instance);
    }
    for (const auto& [agent, reads] : of_agent) deadlock.processes.push_back(reads);
    plans_.push_back(std::move(deadlock));
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

}  // namespace

Abstraction::Abstraction(const Goals& goals, std::unique_ptr<ModelFacts> facts, const AbstractionChoice& choice)
    : goals_(goals), facts_(std::move(facts)), steps_(goals_, *facts_), symmetric_(choice.symmetric) {
  using Clock = std::chrono::steady_clock;
  complaint_ = steps_.refusal();
  if (complaint_.empty() && steps_.properties_may_fault())
    complaint_ = "evaluating a property may end in a run-time error in any state";
  useful_ = complaint_.empty();
  proves_ = !wants_everything_visited(goals);
  if (!useful_) return;
  std::string unknown;
  const BitSet named = named_cells(goals, *facts_, choice, unknown);
  if (!unknown.empty()) complaint_ = fmt::format("the model has no variable or process `{}`", unknown);
  std::vector<Planned> plans = Planner(goals_, *facts_, steps_).plan();
  const std::size_t fewest = std::min(fewest_states, choice.size);
  const std::size_t share = std::max(fewest, choice.size / std::max<std::size_t>(1, plans.size()));
  double seconds = choice.seconds;
  for (std::size_t k = 0; k < plans.size(); ++k) {
    const auto begin = Clock::now();
    const double own = seconds / static_cast<double>(plans.size() - k);
    const auto deadline = begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(own));
    PatternChoice patterns(steps_, *facts_, {share, deadline});
    Planned& plan = plans[k];
    Group group;
    group.at_least = plan.at_least;
    if (!named.empty()) {
      std::vector<std::uint32_t> cells;
      named.for_each([&](std::size_t cell) { cells.push_back(static_cast<std::uint32_t>(cell)); });
      group.tables.push_back(patterns.make(plan.aim, std::move(cells)));
    } else if (plan.processes.empty()) {
      group.tables.push_back(patterns.grow(plan.aim, plan.seeds));
    } else {
      for (std::size_t p = 0; p < std::min(plan.processes.size(), most_tables_of_deadlocks); ++p) {
        const std::size_t which = p * plan.processes.size() / std::min(plan.processes.size(), most_tables_of_deadlocks);
        group.tables.push_back(patterns.grow(plan.aim, plan.processes[which]));
      }
    }
    groups_.push_back(std::move(group));
    seconds -= std::chrono::duration<double>(Clock::now() - begin).count();
  }
  for (const StateBuffer& start : steps_.starts()) at_start_ = std::min(at_start_, nearest(start));
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
    for (const auto& table : group.tables) cells = std::max(cells, table->pattern().size());
  return fmt::format("{} aims, {} tables of {} states, up to {} variables, {} at the start", groups_.size(), tables(),
                     states(), cells,
                     at_start_ == AbstractionTable::never ? "out of reach" : std::to_string(at_start_));
}

std::uint32_t Abstraction::nearest(StateView state) const {
  std::uint32_t nearest = AbstractionTable::never;
  for (const Group& group : groups_) {
    std::uint32_t farthest = group.at_least;
    for (const auto& table : group.tables) {
      farthest = std::max(farthest, table->distance(state));
      if (farthest >= nearest) break;
    }
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
