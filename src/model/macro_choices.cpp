// Which of the enabled edges a step of the system may begin with: ranks, priorities, and choices that must not be.
#include <algorithm>

#include "model/macro_steps.hpp"
#include "state/bits.h"

namespace fathom {

void MacroSteps::drop_outranked(Batch& steps, std::uint32_t first) {
  bool ranked = false;
  for (std::uint32_t k = first; k < steps.size() && !ranked; ++k)
    ranked = edges_[edge_of(steps.instance(k))].can_be_outranked();
  if (!ranked) return;
  std::vector<std::uint32_t> kept;
  for (std::uint32_t k = first; k < steps.size(); ++k)
    if (!is_outranked(steps, first, k)) kept.push_back(k);
  if (kept.size() + first < steps.size()) steps.keep(first, kept, words_);
}

// A batch holds few steps, so we compare each with each.
bool MacroSteps::is_outranked(const Batch& steps, std::uint32_t first, std::uint32_t k) const {
  const EdgeFacts& edge = edges_[edge_of(steps.instance(k))];
  for (std::uint32_t j = first; j < steps.size(); ++j)
    if (edges_[edge_of(steps.instance(j))].outranks(edge, j < k)) return true;
  return false;
}

// An `else` has a rank above 0 and gives way to what stands before it, and to escapes, but not to options behind it:
// they are those of a choice around its own.
bool MacroSteps::EdgeFacts::outranks(const EdgeFacts& other, bool earlier) const {
  if (component != other.component) return false;
  if (rank < other.rank && (rank < 0 || other.rank <= 0 || earlier)) return true;
  if (earlier && first_of != 0 && first_of == other.first_of) return true;
  const bool same_offer = joint && other.joint && offer == other.offer && next == other.next;
  return same_offer && accepting_rank < other.accepting_rank;
}

std::uint64_t MacroSteps::priority_of(std::uint32_t component, const std::uint64_t* state) const {
  const ir::Variable* const variable = components_[component].priority;
  return variable == nullptr ? 0 : fathom_get(state, variable->offset, variable->type->bits);
}

void MacroSteps::drop_lower_priorities(StateView state, Batch& steps, std::uint32_t first) {
  std::uint64_t largest = 0;
  const auto priority = [&](std::uint32_t k) {
    return priority_of(edges_[edge_of(steps.instance(k))].component, state.data());
  };
  for (std::uint32_t k = first; k < steps.size(); ++k) largest = std::max(largest, priority(k));
  std::vector<std::uint32_t> kept;
  for (std::uint32_t k = first; k < steps.size(); ++k)
    if (priority(k) == largest) kept.push_back(k);
  if (kept.size() + first < steps.size()) steps.keep(first, kept, words_);
}

bool MacroSteps::is_held_back(std::uint32_t component, const std::uint64_t* state) {
  for (std::uint32_t other = 0; other < components_.size(); ++other) {
    if (priority_of(other, state) <= priority_of(component, state)) continue;
    scratch_.clear();
    micro_.micro_successors_of({state, words_}, other, scratch_);
    if (!scratch_.empty()) return true;
  }
  return false;
}

void MacroSteps::note_choices(Batch& steps, std::uint32_t first) const {
  for (std::uint32_t k = first; k < steps.size(); ++k)
    if (steps.outcome(k).ok()) steps.raw()->steps[k].fault = Outcome::going_on(choice_at(steps, first, k)).raw();
}

// The site to be noted at a step that a component could take instead of an earlier one. Several partners for one offer
// are no choice of the offering side; several ways to accept it are one of the accepting side.
ir::SiteId MacroSteps::choice_at(const Batch& steps, std::uint32_t first, std::uint32_t k) const {
  const EdgeFacts& edge = edges_[edge_of(steps.instance(k))];
  for (std::uint32_t j = first; j < k; ++j) {
    const EdgeFacts& earlier = edges_[edge_of(steps.instance(j))];
    if (earlier.component != edge.component) continue;
    const bool same_offer = edge.joint && earlier.joint && edge.offer == earlier.offer;
    const ir::SiteId offering = same_offer ? ir::SiteId::none : components_[edge.component].choice;
    const bool same_partner = same_offer && edge.next == earlier.next;
    const ir::SiteId site = same_partner ? components_[edge.next].choice : offering;
    if (site != ir::SiteId::none) return site;
  }
  return ir::SiteId::none;
}

}  // namespace fathom
