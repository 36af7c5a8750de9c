#include "heuristic/useless.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fathom {

Useless::Useless(std::unique_ptr<Evaluator> part, const Goals& goals, ModelFacts& facts)
    : part_(std::move(part)), matters_(goals.program.edges().size(), true) {
  find_what_matters(goals, facts);
}

// Where nothing is stated but that there is no deadlock, everything matters.
void Useless::find_what_matters(const Goals& goals, ModelFacts& facts) {
  MaySteps steps(goals, facts);
  if (!steps.refusal().empty()) return;
  BitSet decisive(facts.cells.size());
  for (const StateViolation& violation : steps.state_violations()) decisive |= violation.reads;
  steps.forget_all();
  const auto action_of = [&](const MaySteps::Instance& instance) -> const Action& {
    return facts.actions.all()[facts.actions.number(instance.edge, instance.number)];
  };
  for (const MaySteps::Instance& instance : steps.instances()) {
    const MayStep step = steps.take(instance, [](const std::vector<CellSet>&) {});
    if (step.fails || step.unknown) decisive |= action_of(instance).touches.reads;
  }
  if (decisive.empty()) return;
  BitSet helpful = decisive;
  for (const MaySteps::Instance& instance : steps.instances())
    if (const Action& action = action_of(instance); action.touches.writes.intersects(decisive))
      helpful |= action.guard_reads;
  std::fill(matters_.begin(), matters_.end(), false);
  for (const MaySteps::Instance& instance : steps.instances())
    if (const Action& action = action_of(instance);
        action.touches.unfollowed || action.touches.writes.intersects(helpful))
      matters_[instance.edge] = true;
}

std::string Useless::about() const {
  return fmt::format("{} of {} kinds of steps matter", std::ranges::count(matters_, true), matters_.size());
}

void Useless::came_by(InstanceId step, Cost estimate_before) {
  if (part_->wants_step()) part_->came_by(step, estimate_before);
  helps_ = matters_[edge_of(step)];
  before_ = estimate_before >= penalty && estimate_before != dead_end ? estimate_before - penalty : estimate_before;
}

// A start state was reached by no step.
Cost Useless::estimate(StateView state, const Batch& enabled) {
  const Cost own = part_->estimate(state, enabled);
  if (own == dead_end) return dead_end;
  const Cost cut = std::min(own, penalty - 1);
  const bool helps = std::exchange(helps_, true) || cut < before_;
  return helps ? cut : cut + penalty;
}

}  // namespace fathom
