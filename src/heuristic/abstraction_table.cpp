#include "heuristic/abstraction_table.hpp"

#include <algorithm>

#include "open/bucket_list.hpp"

namespace fathom {

AbstractionTable::AbstractionTable(ProjectedSteps& projected, const MaySteps& steps, const ModelFacts& facts,
                                   const Aim& aim, const StepWeights& weights, const AbstractionLimits& limits)
    : projection_(projected.projection()) {
  find_relevant(projected, steps, facts, aim);
  enumerate(projected, steps, aim, weights, limits);
  sort_edges();
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
    if (numbers_.size() > limits.states || edges_.size() > edges_per_state * limits.states || late) break;
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
  own_edges_ = edges_.size();
  by_place_.each_at(key, [&](std::uint32_t k) {
    const ProjectedSteps::Effect& effect = projected.step(k, key);
    if (effect.unknown) ends_[number] = 0;
    if (effect.fails && !aim.failing.empty() && aim.failing[k])
      ends_[number] = std::min(ends_[number], weights.costs[k]);
    for (const ProjectedSteps::Result& result : effect.results) {
      const std::uint32_t to = numbers_.add((key & ~result.written) | result.values).first;
      if (to != number) add_edge({number, to, weights.costs[k], weights.owners.empty() ? 0 : weights.owners[k]});
    }
  });
}

// Of several steps of an owner between two states the cheapest counts.
void AbstractionTable::add_edge(const Edge& edge) {
  for (std::size_t k = own_edges_; k < edges_.size(); ++k) {
    if (edges_[k].to != edge.to || edges_[k].owner != edge.owner) continue;
    edges_[k].cost = std::min(edges_[k].cost, edge.cost);
    return;
  }
  edges_.push_back(edge);
}

bool AbstractionTable::is_violation(ProjectedSteps& projected, std::uint64_t key, const Aim& aim) {
  for (const std::size_t violation : aim.violations)
    if (projected.may_violate(violation, key)) return true;
  return !aim.blocked.empty() && projected.may_be_blocked(key);
}

// ---- Distances ------------------------------------------------------------------------------------------------------

void AbstractionTable::sort_edges() {
  first_edge_.assign(numbers_.size() + 1, 0);
  for (const Edge& edge : edges_) ++first_edge_[edge.to + 1];
  for (std::size_t k = 1; k < first_edge_.size(); ++k) first_edge_[k] += first_edge_[k - 1];
  std::vector<std::size_t> next(first_edge_.begin(), first_edge_.end() - 1);
  std::vector<Edge> sorted(edges_.size());
  for (const Edge& edge : edges_) sorted[next[edge.to]++] = edge;
  edges_ = std::move(sorted);
}

AbstractionTable::Distances AbstractionTable::counting(const std::vector<bool>& owners) const {
  Distances distances(ends_);
  BucketList<std::uint32_t> open;
  for (std::uint32_t number = 0; number < distances.size(); ++number)
    if (distances[number] != never) open.push(distances[number], number);
  std::vector<bool> done(distances.size());
  while (!open.empty()) {
    const std::uint32_t to = open.pop();
    if (done[to]) continue;
    done[to] = true;
    for (std::size_t k = first_edge_[to]; k < first_edge_[to + 1]; ++k) {
      const std::uint64_t through = std::uint64_t{distances[to]} + (owners[edges_[k].owner] ? edges_[k].cost : 0);
      if (through >= distances[edges_[k].from]) continue;
      distances[edges_[k].from] = static_cast<std::uint32_t>(through);
      open.push(through, edges_[k].from);
    }
  }
  return distances;
}

void AbstractionTable::forget_steps() {
  edges_ = {};
  first_edge_ = {};
}

}  // namespace fathom
