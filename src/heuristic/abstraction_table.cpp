#include "heuristic/abstraction_table.hpp"

#include <algorithm>

namespace fathom {

AbstractionTable::AbstractionTable(ProjectedSteps& projected, const MaySteps& steps, const ModelFacts& facts,
                                   const Aim& aim, const StepWeights& weights, const AbstractionLimits& limits)
    : projection_(projected.projection()) {
  find_relevant(projected, steps, facts, aim);
  enumerate(projected, steps, aim, weights, limits);
  graph_.sort(numbers_.size());
  distances_ =
      counting(std::vector<bool>(weights.owners.empty() ? 1 : *std::ranges::max_element(weights.owners) + 1, true));
  shares_.assign(numbers_.size(), 0);
  if (weights.owners.empty()) forget_steps();
  for (const StateBuffer& start : steps.starts()) at_start_ = std::min(at_start_, distance(start));
}

// ---- Enumeration ----------------------------------------------------------------------------------------------------

// Steps that change nothing of the pattern lead back to where they began.
void AbstractionTable::find_relevant(const ProjectedSteps& projected, const MaySteps& steps, const ModelFacts& facts,
                                     const Aim& aim) {
  BitSet own(facts.cells.size());
  for (const Projection::Field& field : projection_.fields()) own.set(field.cell);
  for (std::uint32_t k = 0; k < steps.instances().size(); ++k) {
    const MaySteps::Instance& instance = steps.instances()[k];
    const std::uint32_t step = facts.actions.number(instance.edge, instance.number);
    const bool changes_it = facts.actions.all()[step].touches.writes.intersects(own);
    if (!changes_it && (aim.failing.empty() || !aim.failing[k])) continue;
    relevant_.push_back(k);
    by_place_.add(projected.place_of(k), k);
  }
}

void AbstractionTable::enumerate(ProjectedSteps& projected, const MaySteps& steps, const Aim& aim,
                                 const StepWeights& weights, const AbstractionLimits& limits) {
  for (const StateBuffer& start : steps.starts()) numbers_.add(projection_.key_of(start));
  std::uint32_t number = 0;
  for (; number < numbers_.size(); ++number) {
    const bool late = number % states_between_looks == states_between_looks - 1 && ThreadClock::now() > limits.deadline;
    if (numbers_.size() > limits.states || graph_.size() > edges_per_state * limits.states || late) break;
    ends_.push_back(never);
    expand(projected, number, aim, weights);
  }
  complete_ = number == numbers_.size() && ThreadClock::now() <= limits.deadline;  // later, nothing is found out
  ends_.resize(numbers_.size(), 0);
}

void AbstractionTable::expand(ProjectedSteps& projected, std::uint32_t number, const Aim& aim,
                              const StepWeights& weights) {
  const std::uint64_t key = numbers_.key(number);
  if (is_violation(projected, key, aim)) ends_[number] = 0;
  const std::size_t own_edges = graph_.size();
  by_place_.each_at(key, [&](std::uint32_t k) {
    const ProjectedSteps::Effect& effect = projected.step(k, key);
    if (effect.unknown) ends_[number] = 0;
    if (effect.fails && !aim.failing.empty() && aim.failing[k])
      ends_[number] = std::min(ends_[number], weights.costs[k]);
    for (const ProjectedSteps::Result& result : effect.results) {
      const std::uint32_t to = numbers_.add((key & ~result.written) | result.values).first;
      if (to == number) continue;
      graph_.add_cheapest({number, to, weights.costs[k], weights.owners.empty() ? 0 : weights.owners[k]}, own_edges);
    }
  });
}

bool AbstractionTable::is_violation(ProjectedSteps& projected, std::uint64_t key, const Aim& aim) {
  for (const std::size_t violation : aim.violations)
    if (projected.may_violate(violation, key)) return true;
  return !aim.blocked.empty() && projected.may_be_blocked(key);
}

}  // namespace fathom
