#include "reduction/stubborn_sets.hpp"

#include <algorithm>
#include <utility>

namespace fathom {

StubbornSets::StubbornSets(const ir::Program& program, const Cells& cells, const Dependence& dependence, BitSet always)
    : dependence_(dependence),
      actions_(dependence.actions().all()),
      cells_(cells),
      interpreter_(program),
      always_(std::move(always)),
      remembered_(actions_.size()),
      possible_(actions_.size()),
      weights_(actions_.size()),
      set_(actions_.size()) {}

bool StubbornSets::find(StateView state, std::span<const std::uint32_t> steps, std::vector<bool>& kept) {
  state_ = state;
  ++visit_;
  possible_.clear();
  for (const std::uint32_t action : steps) {
    possible_.set(action);
    ++weights_[action];
  }
  auto best = static_cast<std::uint32_t>(steps.size());
  for (std::size_t k = 0; k < steps.size() && best > 1; ++k) {
    const bool seen = std::find(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(k), steps[k]) !=
                      steps.begin() + static_cast<std::ptrdiff_t>(k);
    if (seen || !close_around(steps[k], best)) continue;
    best = size_;
    kept.resize(steps.size());
    for (std::size_t j = 0; j < steps.size(); ++j) kept[j] = set_.test(steps[j]);
  }
  for (const std::uint32_t action : steps) weights_[action] = 0;
  return best < steps.size();
}

bool StubbornSets::close_around(std::uint32_t seed, std::uint32_t limit) {
  set_.clear();
  waiting_.clear();
  size_ = 0;
  set_.set(seed);
  waiting_.push_back(seed);
  add(always_);
  while (!waiting_.empty()) {
    const std::uint32_t action = waiting_.back();
    waiting_.pop_back();
    if (!take_in(action, limit)) return false;
  }
  return true;
}

bool StubbornSets::take_in(std::uint32_t action, std::uint32_t limit) {
  if (!possible_.test(action)) {
    add_enabling(action);
    return true;
  }
  size_ += weights_[action];
  if (size_ >= limit) return false;
  add(dependence_.conflicts(action));
  return true;
}

void StubbornSets::add(const BitSet& actions) {
  for (std::size_t k = 0; k < actions.word_count(); ++k) {
    const std::uint64_t fresh = actions.word(k) & ~set_.word(k);
    set_.word(k) |= fresh;
    for (std::uint64_t bits = fresh; bits != 0; bits &= bits - 1)
      waiting_.push_back(static_cast<std::uint32_t>(k * 64) + static_cast<std::uint32_t>(std::countr_zero(bits)));
  }
}

std::uint32_t StubbornSets::cost_of(const BitSet& actions) const {
  std::uint32_t cost = 0;
  for (std::size_t k = 0; k < actions.word_count(); ++k)
    for (std::uint64_t bits = actions.word(k) & possible_.word(k) & ~set_.word(k); bits != 0; bits &= bits - 1)
      cost += weights_[k * 64 + static_cast<std::size_t>(std::countr_zero(bits))];
  return cost;
}

void StubbornSets::add_enabling(std::uint32_t action) {
  Remembered& known = remembered_[action];
  const bool is_known = known.visit == visit_;
  const BitSet* const set = is_known ? known.set : awaited(action);
  if (set == nullptr) return;
  if (!is_known && !set->intersects(possible_)) known = {visit_, set};
  add(*set);
}

// Any conjunct that is false will do; we take one that adds the fewest possible steps. Behind a conjunct that would
// fault there are none: the guard goes wrong as soon as those before it hold.
const BitSet* StubbornSets::awaited(std::uint32_t number) {
  const Action& action = actions_[number];
  const BitSet* best = nullptr;
  std::uint32_t least = UINT32_MAX;
  bool certain = true;
  bool holds_so_far = true;
  for (std::size_t k = 0; k < action.guard.size() && least > 0; ++k) {
    const Truth truth = truth_of(action, action.guard[k]);
    certain = certain && truth != Truth::unknown;
    if (truth == Truth::fault || (truth == Truth::unknown && action.guard[k].may_fault)) break;
    const bool all_so_far = std::exchange(holds_so_far, holds_so_far && truth == Truth::yes);
    if (truth != Truth::no || (action.guard[k].at_front_of_queue && !all_so_far)) continue;
    const BitSet& candidates = dependence_.enabling(number, k);
    const std::uint32_t cost = cost_of(candidates);
    if (cost >= least) continue;
    best = &candidates;
    least = cost;
  }
  if (best != nullptr) return best;
  // A watch that sees something now has been reported; a step is impossible for a reason outside its own guard.
  const bool is_watch = number >= dependence_.actions().steps();
  return !is_watch || !certain ? &dependence_.enabling(number) : nullptr;
}

StubbornSets::Truth StubbornSets::truth_of(const Action& action, const Conjunct& conjunct) {
  if (conjunct.timeout) return Truth::no;
  if (!conjunct.test) return action.has_unknown_locals ? Truth::unknown : evaluate(action, conjunct);
  const std::int64_t present = cells_[conjunct.test->cell].value(state_);
  if (present == ir::undefined && conjunct.test->faults_if_undefined) return Truth::fault;
  return conjunct.test->accepts(present) ? Truth::yes : Truth::no;
}

StubbornSets::Truth StubbornSets::evaluate(const Action& action, const Conjunct& conjunct) {
  interpreter_.enter(*action.routine, const_cast<std::uint64_t*>(state_.data()));
  for (const auto& [local, value] : conjunct.locals) interpreter_.set_register(*local, value);
  const bool holds = interpreter_.eval(*conjunct.expr) != 0;
  if (interpreter_.failed()) return Truth::fault;
  return holds == conjunct.wanted ? Truth::yes : Truth::no;
}

}  // namespace fathom
