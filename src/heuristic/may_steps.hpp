// The steps that are possible in some state that agrees with what is known of it, and what may be violated there.
//
// A step here is one of the system: where a process keeps control (Promela's atomic and d_step), all ways on are
// followed to their ends. Priorities and timeouts, which only forbid steps, are left out of account; ranks (`else`,
// `unless`) are not, because `else` would be possible everywhere. Everything that can be reported about a state or a
// step is here: conditions that are false, faults and assertions in steps, and deadlocks, which are states in which no
// step is surely possible.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/condition.hpp"
#include "heuristic/goals.hpp"
#include "heuristic/may_interpreter.hpp"
#include "model/model.hpp"

namespace fathom {

// One way to violate something in a state: all conjuncts are so. They are asked in order, as the program does, and a
// fault on the way is a violation, too; of a property that is not looked for it is the only one.
struct StateViolation {
  const ir::Routine* routine = nullptr;
  Condition conjuncts;
  BitSet reads;
  bool only_faults = false;
};

// What may come of an instance of an edge.
struct MayStep {
  bool fails = false;    // it may fault, or an assertion may
  bool unknown = false;  // too much to follow: it may do anything
};

class MaySteps {
 public:
  struct Instance {
    std::uint32_t edge = 0;
    std::uint32_t number = 0;  // among those of the edge
    std::vector<std::int64_t> parameters;
  };

  // Both must outlive this.
  MaySteps(const Goals& goals, ModelFacts& facts);

  // Why the program is not followed at all; "" if it is.
  [[nodiscard]] const std::string& refusal() const { return refusal_; }
  [[nodiscard]] const std::vector<Instance>& instances() const { return instances_; }
  // The one of these with the number among those of its edge.
  [[nodiscard]] std::uint32_t number_of(std::uint32_t edge, std::uint32_t number) const {
    return of_edge_[edge][number];
  }
  // Where the process must be to take it: a cell and its code; nothing if it is not a process.
  [[nodiscard]] std::optional<std::pair<std::uint32_t, std::uint64_t>> place_of(const Instance& instance) const;
  [[nodiscard]] const std::vector<StateBuffer>& starts() const { return starts_; }
  // What a cell can hold in any reachable state.
  [[nodiscard]] const CellSet& possible(std::uint32_t cell) const { return possible_[cell]; }
  // The selected invariants, alternative by alternative, and where the others may fault.
  [[nodiscard]] const std::vector<StateViolation>& state_violations() const { return violations_; }
  // Whether evaluating some property may fault in some state.
  [[nodiscard]] bool properties_may_fault() const { return properties_may_fault_; }

  // From here on this is what is known: the rest is anything possible.
  void forget_all();
  void know(std::uint32_t cell, std::uint64_t code);

  // Whatever was asked since watch() depends on these cells alone.
  void watch() { run_.watch(); }
  [[nodiscard]] const std::vector<std::uint32_t>& looked_at() const { return run_.looked_at(); }
  // For take(): calls visit(cell) for what the step has written on its way.
  template <class Visit>
  void each_written(Visit visit) const {
    run_.each_written(visit);
  }

  // Calls visit(cells) for each state that the step may lead to.
  template <class Visit>
  MayStep take(const Instance& instance, Visit visit);
  [[nodiscard]] bool may_violate(const StateViolation& violation);
  [[nodiscard]] bool may_be_deadlock();
  // Whether the instance leads to another state, whatever is not known.
  [[nodiscard]] bool is_surely_possible(const Instance& instance);
  // Whether it may be that none of these instances leads to another state: in a deadlock none of any does. Ask first
  // whether one of them is surely possible: there are only so many paths that can be followed for all together.
  [[nodiscard]] bool may_be_blocked(const std::vector<std::uint32_t>& instances);
  // Whether the guard of the instance holding is enough for the state to be no deadlock.
  [[nodiscard]] bool surely_moves(const Instance& instance);

 private:
  struct Edge {
    const ir::Edge* ir = nullptr;
    std::uint32_t component = 0;
    std::uint32_t next = 0;             // who goes on after it
    std::vector<std::uint32_t> rivals;  // edges that are taken instead of it
  };

  void find_starts();
  void find_possible();
  void find_instances();
  void find_rivals();
  void find_violations();
  void find_violations(const ir::Property& property, bool looked_for, const LocalValues& locals,
                       const TouchFinder& finder);
  void find_violations(const ir::Routine& routine, const ir::Expr& condition, bool looked_for,
                       const LocalValues& locals, const TouchFinder& finder);
  [[nodiscard]] std::optional<std::uint32_t> location_of(std::uint32_t component) const;

  // Along one path. False: the path has ended.
  bool take_system_step(const Instance& instance);
  bool take_edge(const Instance& instance);
  bool go_on(std::uint32_t edge);
  bool go_on_once(std::uint32_t& edge);
  [[nodiscard]] bool is_at(std::uint32_t edge);
  [[nodiscard]] bool is_enabled(const Instance& instance);
  bool meets_assumptions();
  [[nodiscard]] bool no_step_is_taken();
  [[nodiscard]] bool surely_goes_on(const Instance& instance);
  [[nodiscard]] bool is_known_to_move(const Instance& instance);
  void load(const ir::Routine& routine, const std::vector<ir::Parameter>& parameters,
            const std::vector<std::int64_t>& values);

  static constexpr unsigned max_paths = 400;
  static constexpr unsigned max_chain = 60;
  static constexpr std::uint64_t max_starts = 4096;
  static constexpr std::uint64_t max_instances = 4096;

  const Goals& goals_;
  ModelFacts& facts_;
  std::string refusal_;
  std::vector<Edge> edges_;
  std::vector<Instance> instances_;
  std::vector<std::vector<std::uint32_t>> of_edge_;       // instances
  std::vector<std::vector<std::uint32_t>> of_component_;  // edges
  std::vector<StateBuffer> starts_;
  std::vector<CellSet> possible_;
  std::vector<StateViolation> violations_;
  std::vector<bool> surely_moves_;  // per edge
  bool has_priorities_ = false;     // of processes
  bool equal_priorities_ = true;    // of edges
  bool properties_may_fault_ = false;
  MayInterpreter run_;
};

template <class Visit>
MayStep MaySteps::take(const Instance& instance, Visit visit) {
  MayStep result;
  unsigned paths = 0;
  run_.choices().forget();
  do {
    run_.begin();
    if (take_system_step(instance)) visit(run_.cells());
    result.fails |= run_.may_fault() || (goals_.assertions && run_.may_fail_assertion());
    result.unknown |= run_.gave_up() || ++paths > max_paths;
  } while (!result.unknown && run_.choices().advance());
  run_.begin();
  return result;
}

}  // namespace fathom
