#include "reduction/stubborn_sets.hpp"

#include <algorithm>
#include <utility>

namespace fathom {

namespace {

bool contains(const BitSet& set, const BitSet& part) {
  for (std::size_t k = 0; k < part.word_count(); ++k)
    if ((part.word(k) & ~set.word(k)) != 0) return false;
  return true;
}

}  // namespace

StubbornSets::StubbornSets(const ir::Program& program, const Cells& cells, Dependence& dependence, BitSet always,
                           BitSet visible)
    : dependence_(dependence),
      actions_(dependence.actions().all()),
      cells_(cells),
      routes_(cells, dependence.actions().all()),
      interpreter_(program),
      always_(std::move(always)),
      visible_(std::move(visible)),
      possible_(actions_.size()),
      weights_(actions_.size()),
      refused_(actions_.size()),
      choices_(actions_.size()),
      set_(actions_.size()) {}

void StubbornSets::begin(StateView state, std::span<const std::uint32_t> steps, const std::vector<bool>& idle) {
  state_ = state;
  ++visit_;
  choice_sets_.clear();
  routes_.read(state, places_);
  possible_.clear();
  refused_ = visible_;
  limit_ = 0;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    possible_.set(steps[k]);
    for (const Split& split : actions_[steps[k]].splits) possible_.set(dependence_.actions().part_in(split, state));
    if (idle[k]) continue;
    ++weights_[steps[k]];
    ++limit_;
  }
}

// Steps that change nothing are kept in any case: they lead to no other state, and what is counted of them is right.
bool StubbornSets::find(StateView state, std::span<const std::uint32_t> steps, const std::vector<bool>& idle,
                        std::vector<bool>& kept) {
  begin(state, steps, idle);
  bool found = false;
  for (std::size_t k = 0; k < steps.size() && limit_ > 1; ++k) {
    if (idle[k] || refused_.test(steps[k])) continue;
    const bool better = close_around(steps[k]);
    refused_.set(steps[k]);
    if (!better) continue;
    found = true;
    limit_ = size_;
    kept.resize(steps.size());
    for (std::size_t j = 0; j < steps.size(); ++j) kept[j] = idle[j] || set_.test(steps[j]);
  }
  for (const std::uint32_t action : steps) weights_[action] = 0;
  return found;
}

bool StubbornSets::close_around(std::uint32_t seed) {
  set_.clear();
  waiting_.clear();
  waiting_near_.clear();
  waiting_far_.clear();
  set_.set(seed);
  waiting_.push_back(seed);
  size_ = weights_[seed];
  if (size_ >= limit_ || !add(always_)) return false;
  while (!waiting_.empty() || !waiting_near_.empty() || !waiting_far_.empty())
    if (!take_in_next()) return false;
  return true;
}

bool StubbornSets::take_in_next() {
  ++effort_;
  if (!waiting_.empty()) {
    const std::uint32_t action = waiting_.back();
    waiting_.pop_back();
    const std::uint32_t whole = actions_[action].whole;
    return whole == action ? add(dependence_.conflicts(action, state_)) : add(whole);
  }
  std::vector<std::uint32_t>& waiting = waiting_near_.empty() ? waiting_far_ : waiting_near_;
  const std::uint32_t action = waiting.back();
  waiting.pop_back();
  return add_awaited(action);
}

bool StubbornSets::add(const BitSet& actions) {
  for (std::size_t k = 0; k < actions.word_count(); ++k) {
    const std::uint64_t fresh = actions.word(k) & ~set_.word(k);
    if (fresh == 0) continue;
    const std::uint64_t possible = fresh & possible_.word(k);
    if ((possible & refused_.word(k)) != 0) return false;
    set_.word(k) |= fresh;
    const auto base = static_cast<std::uint32_t>(k * 64);
    for (std::uint64_t bits = possible; bits != 0; bits &= bits - 1) {
      waiting_.push_back(base + static_cast<std::uint32_t>(std::countr_zero(bits)));
      size_ += weights_[waiting_.back()];
    }
    for (std::uint64_t bits = fresh & ~possible; bits != 0; bits &= bits - 1)
      add_impossible(base + static_cast<std::uint32_t>(std::countr_zero(bits)));
  }
  return size_ < limit_;
}

// An action that is possible, as a part of it is.
bool StubbornSets::add(std::uint32_t action) {
  if (set_.test(action)) return true;
  if (refused_.test(action)) return false;
  set_.set(action);
  waiting_.push_back(action);
  size_ += weights_[action];
  return size_ < limit_;
}

void StubbornSets::add_impossible(std::uint32_t action) {
  if (actions_[action].is_part() && set_.test(actions_[action].whole)) return;
  (is_far(action) ? waiting_far_ : waiting_near_).push_back(action);
}

bool StubbornSets::is_far(std::uint32_t action) const {
  return std::ranges::any_of(routes_.demands(action),
                             [this](const Routes::Demand& demand) { return places_[demand.tracked] != demand.value; });
}

std::uint32_t StubbornSets::cost_of(const BitSet& actions) const {
  std::uint32_t cost = 0;
  for (std::size_t k = 0; k < actions.word_count(); ++k)
    for (std::uint64_t bits = actions.word(k) & possible_.word(k) & ~set_.word(k); bits != 0; bits &= bits - 1)
      cost += cost_of(actions_[k * 64 + static_cast<std::size_t>(std::countr_zero(bits))].whole);
  return cost;
}

// Any of the sets will do; we take one that adds the fewest possible steps.
bool StubbornSets::add_awaited(std::uint32_t action) {
  for (const Routes::Demand& demand : routes_.demands(action)) {
    if (places_[demand.tracked] == demand.value) continue;
    const BitSet& ways = routes_.ways(places_[demand.tracked], demand);
    if (contains(set_, ways)) return true;
  }
  const Choices& choices = choices_of(action);
  const BitSet* best = nullptr;
  std::uint32_t least = UINT32_MAX;
  for (std::uint32_t k = choices.first; k < choices.first + choices.count && least > 0; ++k) {
    const std::uint32_t cost = cost_of(*choice_sets_[k]);
    if (cost >= least) continue;
    best = choice_sets_[k];
    least = cost;
  }
  return best == nullptr || add(*best);
}

// They are found once for each state.
const StubbornSets::Choices& StubbornSets::choices_of(std::uint32_t action) {
  Choices& known = choices_[action];
  if (known.visit != visit_) {
    const auto first = static_cast<std::uint32_t>(choice_sets_.size());
    const bool settled = find_choices(action);
    const auto end = static_cast<std::uint32_t>(choice_sets_.size());
    known = settled ? Choices{visit_, end - 1, 1} : Choices{visit_, first, end - first};
  }
  return known;
}

// True: the last one adds no possible step whatever the set, so there is no better choice.
bool StubbornSets::find_choices(std::uint32_t action) {
  const std::size_t first = choice_sets_.size();
  bool certain = true;
  if (find_false_conjuncts(action, certain)) return true;
  for (const Routes::Demand& demand : routes_.demands(action))
    if (places_[demand.tracked] != demand.value && offer(routes_.ways(places_[demand.tracked], demand))) return true;
  // A watch that sees something now has been reported; a step is impossible for a reason outside its own guard.
  const bool is_watch = dependence_.actions().is_watch(action);
  return choice_sets_.size() == first && (!is_watch || !certain) && offer(dependence_.enabling(action));
}

// Behind a conjunct that would fault there is nothing to wait for: the guard goes wrong as soon as those before it
// hold.
bool StubbornSets::find_false_conjuncts(std::uint32_t number, bool& certain) {
  const Action& action = actions_[number];
  bool holds_so_far = true;
  for (std::size_t k = 0; k < action.guard.size(); ++k) {
    const Truth truth = truth_of(action, action.guard[k]);
    certain = certain && truth != Truth::unknown;
    if (truth == Truth::fault || (truth == Truth::unknown && action.guard[k].may_fault)) break;
    const bool all_so_far = std::exchange(holds_so_far, holds_so_far && truth == Truth::yes);
    if (truth != Truth::no || (action.guard[k].at_front_of_queue && !all_so_far)) continue;
    if (offer(dependence_.enabling(number, k))) return true;
  }
  return false;
}

bool StubbornSets::offer(const BitSet& set) {
  choice_sets_.push_back(&set);
  return !set.intersects(possible_);
}

StubbornSets::Truth StubbornSets::truth_of(const Action& action, const Conjunct& conjunct) {
  if (conjunct.timeout) return Truth::no;
  if (!conjunct.test) return action.has_unknown_locals ? Truth::unknown : evaluate(action, conjunct);
  const std::int64_t present = cells_[conjunct.test->cell].value(state_);
  if (present == ir::undefined && conjunct.test->faults_if_undefined) return Truth::fault;
  return conjunct.test->accepts(present) ? Truth::yes : Truth::no;
}

StubbornSets::Truth StubbornSets::evaluate(const Action& action, const Conjunct& conjunct) {
  interpreter_.enter(conjunct.routine != nullptr ? *conjunct.routine : *action.routine,
                     const_cast<std::uint64_t*>(state_.data()));
  for (const auto& [local, value] : conjunct.locals) interpreter_.set_register(*local, value);
  const bool holds = interpreter_.eval(*conjunct.expr) != 0;
  if (interpreter_.failed()) return Truth::fault;
  return holds == conjunct.wanted ? Truth::yes : Truth::no;
}

}  // namespace fathom
