#include "trace/fewer_switches.hpp"

#include <algorithm>

#include "trace/violation_test.hpp"

namespace fathom {

namespace {

class Regrouping {
 public:
  Regrouping(ConcreteRun run, InterpretedModel& model, const SwitchRules& rules)
      : model_(model), rules_(rules), run_(std::move(run)), test_(model, rules.options, run_.violation) {
    for (const InstanceId step : run_.steps) agents_.push_back(rules.agent(step));
  }

  ConcreteRun run() {
    if (!execute_from(0, run_.steps)) return run_;
    states_.swap(executed_);
    while (improve()) {
    }
    return std::move(run_);
  }

 private:
  // One pass over the run: wherever the agent changes, its next step is moved up.
  bool improve() {
    bool better = false;
    for (std::size_t at = 1; at < run_.steps.size(); ++at) {
      if (agents_[at] == agents_[at - 1]) continue;
      const auto next = std::find(agents_.begin() + static_cast<std::ptrdiff_t>(at), agents_.end(), agents_[at - 1]);
      if (next != agents_.end()) better |= move_up(static_cast<std::size_t>(next - agents_.begin()), at);
    }
    return better;
  }

  bool move_up(std::size_t from, std::size_t to) {
    std::vector<std::string> agents = agents_;
    rotate(agents, from, to);
    if (switches(agents) >= switches(agents_)) return false;
    std::vector<InstanceId> steps = run_.steps;
    rotate(steps, from, to);
    if (!execute_from(to, steps)) return false;
    run_.steps = std::move(steps);
    agents_ = std::move(agents);
    states_.resize(to);
    std::ranges::move(executed_, std::back_inserter(states_));
    return true;
  }

  template <class T>
  static void rotate(std::vector<T>& items, std::size_t from, std::size_t to) {
    const auto begin = items.begin();
    std::rotate(begin + static_cast<std::ptrdiff_t>(to), begin + static_cast<std::ptrdiff_t>(from),
                begin + static_cast<std::ptrdiff_t>(from) + 1);
  }

  static std::size_t switches(const std::vector<std::string>& agents) {
    std::size_t count = 0;
    for (std::size_t k = 1; k < agents.size(); ++k) count += agents[k] != agents[k - 1] ? 1 : 0;
    return count;
  }

  // Whether the steps from number `first` on can be taken and the violation then shows. The states before each of them
  // are in executed_.
  bool execute_from(std::size_t first, const std::vector<InstanceId>& steps) {
    executed_.clear();
    StateBuffer state;
    if (first == 0)
      model_.start(run_.start, state);
    else
      state = states_[first];
    for (std::size_t k = first; k < steps.size(); ++k) {
      executed_.push_back(state);
      const Outcome outcome = take(steps[k], state);
      const bool fails = run_.fails_inside && k + 1 == steps.size();
      if (fails ? !test_.shows(outcome) : !outcome.ok()) return false;
    }
    return run_.fails_inside || shows_at_the_end(state);
  }

  bool shows_at_the_end(const StateBuffer& state) {
    if (!test_.deadlock()) return test_.shows(state);
    batch_.clear();
    model_.successors(state, batch_);
    return test_.is_deadlock(state, batch_);
  }

  Outcome take(InstanceId step, StateBuffer& state) {
    if (++spent_ > rules_.effort) return Outcome::blocked();
    batch_.clear();
    model_.successors(state, batch_);
    for (std::uint32_t k = 0; k < batch_.size(); ++k) {
      if (batch_.instance(k) != step) continue;
      const Outcome outcome = batch_.outcome(k);
      if (outcome.has_successor()) state.assign(batch_.words(k), batch_.words(k) + state.size());
      return outcome;
    }
    return Outcome::blocked();
  }

  InterpretedModel& model_;
  const SwitchRules& rules_;
  ConcreteRun run_;
  ViolationTest<InterpretedModel> test_;
  std::vector<std::string> agents_;    // of each step
  std::vector<StateBuffer> states_;    // before each step
  std::vector<StateBuffer> executed_;  // the same of the part that was tried last
  Batch batch_;
  std::uint64_t spent_ = 0;
};

bool ends_in_a_violation(const ConcreteRun& run) {
  using Kind = Violation::Kind;
  const Kind kind = run.violation.kind;
  return !run.loop && (kind == Kind::invariant || kind == Kind::fault || kind == Kind::deadlock);
}

}  // namespace

ConcreteRun with_fewer_switches(ConcreteRun run, InterpretedModel& model, const SwitchRules& rules) {
  if (!ends_in_a_violation(run) || run.steps.size() < 3) return run;
  model.quiet(true);
  run = Regrouping(std::move(run), model, rules).run();
  model.quiet(false);
  return run;
}

}  // namespace fathom
