#include "model/macro_steps.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "state/bits.h"
#include "support/errors.hpp"
#include "support/hash.hpp"

namespace fathom {

namespace {

// Of the 32 bits that number the parameters of an edge, those of a micro step; the number of the way is above them.
constexpr std::uint32_t parameter_bits = FATHOM_WAY_SHIFT;
constexpr std::uint32_t max_parameters = std::uint32_t{1} << parameter_bits;
constexpr std::uint32_t max_ways = std::uint32_t{1} << (32 - parameter_bits);

// A way of more edges than this is taken for a mistake of the model: what it does inside is never seen.
constexpr std::size_t max_choices = 20'000;
constexpr std::size_t max_stretch = 200'000;
constexpr std::size_t max_edges = 1'000'000;
// Nobody reads more steps than this: those behind them are shown as one.
constexpr std::size_t max_shown = 1000;

InstanceId with_way(InstanceId step, std::uint32_t way) {
  return make_instance(edge_of(step), parameters_of(step) | (way << parameter_bits));
}

ir::SiteId first_noted(ir::SiteId earlier, Outcome outcome) {
  return earlier == ir::SiteId::none && outcome.goes_on() ? outcome.site() : earlier;
}

}  // namespace

MacroSteps::MacroSteps(const ir::Program& program, MicroModel& micro)
    : micro_(micro), words_(std::max(1U, (program.state_bits + 63) / 64)) {
  for (std::uint32_t number = 0; number < program.components.size(); ++number) {
    const ir::Component& component = program.components[number];
    components_.push_back({component.priority, component.choice});
    uses_priorities_ = uses_priorities_ || component.priority != nullptr;
    has_choices_ = has_choices_ || component.choice != ir::SiteId::none;
    for (const auto& edge : component.edges) {
      if (edge->instances() > max_parameters)
        throw EnvironmentError(fmt::format("{}: `{}` has more than {} instances",
                                           program.sources->location(edge->range), edge->name, max_parameters));
      const std::uint32_t next = edge->participants.empty() ? number : edge->participants.back();
      edges_.push_back({edge->control, edge->blocked, edge->endless, number, next, edge->rank, edge->accepting_rank,
                        edge->offer, edge->first_of, !edge->participants.empty()});
      uses_ranks_ = uses_ranks_ || edges_.back().can_be_outranked();
    }
  }
  for (const ir::Variable& variable : program.variables)
    if (variable.hidden) hidden_.emplace_back(variable.offset, variable.type->bits);
  uses_timeout_ =
      std::ranges::any_of(program.exprs, [](const ir::Expr& expr) { return expr.kind == ir::Expr::Kind::timeout; });
}

InstanceId MacroSteps::first_micro_step(InstanceId step) {
  return make_instance(edge_of(step), parameters_of(step) & (max_parameters - 1));
}

std::uint32_t MacroSteps::way_of(InstanceId step) {
  return parameters_of(step) >> parameter_bits;
}

void MacroSteps::settle(std::uint64_t* state) const {
  for (const auto& [offset, bits] : hidden_) fathom_zero(state, offset, bits);
}

void MacroSteps::find_first_steps(StateView state, Batch& out) {
  const std::uint32_t first = out.size();
  micro_.micro_successors(state, out);
  if (out.size() == first && uses_timeout_) {
    micro_.set_timeout(true);
    micro_.micro_successors(state, out);
    micro_.set_timeout(false);
  }
  if (uses_ranks_) drop_outranked(out, first);
  if (uses_priorities_) drop_lower_priorities(state, out, first);
  if (has_choices_) note_choices(out, first);
}

void MacroSteps::successors(StateView state, Batch& out) {
  const std::uint32_t first = out.size();
  find_first_steps(state, out);
  if (!is_plain(out, first)) {
    first_steps_.clear();
    first_steps_.append(out, first, words_);
    out.truncate(first);
    for (std::uint32_t k = 0; k < first_steps_.size(); ++k) push_ways(first_steps_, k, out);
  }
  if (!hidden_.empty())
    for (std::uint32_t k = first; k < out.size(); ++k) settle(out.words(k));
}

// Most steps are a single edge, and then the batch is as it should be.
bool MacroSteps::is_plain(const Batch& steps, std::uint32_t first) const {
  const fathom_step* const all = steps.steps();
  for (std::uint32_t k = first; k < steps.size(); ++k)
    if (edges_[all[k].instance >> 32].control != ir::Control::release) return false;
  return true;
}

// A first edge after which there is no way to an end still says that its process can move: the state is no deadlock.
void MacroSteps::push_ways(const Batch& steps, std::uint32_t k, Batch& out) {
  std::uint32_t way = 0;
  endless_ = false;
  auto push = [&](const std::uint64_t* state, Outcome outcome) {
    if (way == max_ways) throw EnvironmentError(fmt::format("a step has more than {} ways through", max_ways));
    std::copy_n(state, words_, out.spare(words_));
    out.push(with_way(steps.instance(k), way++), outcome, words_);
    return true;
  };
  take(steps, k, ir::SiteId::none, push);
  if (way == 0 && endless_) push(steps.state(k).data(), Outcome::dropped());
}

template <class End>
bool MacroSteps::take(const Batch& steps, std::uint32_t k, ir::SiteId noted, End& end) {
  const std::size_t length = trail_.size();
  trail_.push_back(steps.instance(k));
  const Outcome outcome = steps.outcome(k);
  const std::uint64_t* const state = steps.state(k).data();
  const bool more = outcome.has_successor()
                        ? go_on({edge_of(steps.instance(k)), state, first_noted(noted, outcome)}, end)
                        : end(state, outcome);
  trail_.resize(length);
  return more;
}

template <class End>
bool MacroSteps::go_on(const Position& at, End& end) {
  switch (edges_[at.edge].control) {
    case ir::Control::release:
      break;
    case ir::Control::keep:
      return go_on_through_all(at, end);
    case ir::Control::keep_first:
      return go_on_with_first(at, end);
  }
  return end(at.state, Outcome::going_on(at.noted));
}

template <class End>
bool MacroSteps::go_on_through_all(const Position& start, End& end) {
  if (levels_.size() == depth_) levels_.emplace_back();
  Level& level = levels_[depth_];
  const std::size_t length = trail_.size();
  Position at = start;
  bool more = true;
  switch (follow_stretch(level, at)) {
    case Stretch::parts:
      more = go_on_from_choice(level, at, end);
      break;
    case Stretch::comes_back:
      more = end_endless(at, end);
      break;
    case Stretch::too_long:
      more = end_too_long(at, end);
      break;
  }
  trail_.resize(length);
  return more;
}

// As long as there is only one way on, and control is kept on it. The loop is noticed as in go_on_with_first.
MacroSteps::Stretch MacroSteps::follow_stretch(Level& level, Position& at) {
  std::size_t since = 0, until = 1;
  std::uint32_t remembered_next = 0;
  for (;;) {
    Batch& choices = level.choices;
    find_choices(at, choices);
    const bool alone = choices.size() == 1 && choices.outcome(0).has_successor() &&
                       edges_[edge_of(choices.instance(0))].control == ir::Control::keep;
    if (!alone) return Stretch::parts;
    if (trail_.size() > max_stretch) return Stretch::too_long;
    trail_.push_back(choices.instance(0));
    level.state.assign(choices.state(0).begin(), choices.state(0).end());
    at = {edge_of(choices.instance(0)), level.state.data(), first_noted(at.noted, choices.outcome(0))};
    const std::uint32_t next = edges_[at.edge].next;
    if (until > 1 && next == remembered_next && level.state == level.remembered) return Stretch::comes_back;
    if (++since < until) continue;
    level.remembered = level.state;
    remembered_next = next;
    since = 0;
    until *= 2;
  }
}

void MacroSteps::find_choices(const Position& at, Batch& choices) {
  const std::uint32_t component = edges_[at.edge].next;
  find_steps_of(component, at.state, choices);
  if (uses_priorities_ && !choices.empty() && is_held_back(component, at.state)) choices.clear();
  if (has_choices_) note_choices(choices, 0);
}

template <class End>
bool MacroSteps::go_on_from_choice(Level& level, const Position& at, End& end) {
  if (level.choices.empty()) return end(at.state, Outcome::going_on(at.noted));
  const Visited here{edges_[at.edge].next, hash_words(at.state, words_), at.state};
  if (was_here(here)) return end_endless(at, end);
  if (depth_ >= max_choices) return end_too_long(at, end);
  visited_.push_back(here);
  ++depth_;
  bool more = true;
  for (std::uint32_t k = 0; k < level.choices.size() && more; ++k) more = take(level.choices, k, at.noted, end);
  --depth_;
  visited_.pop_back();
  return more;
}

// No state comes of this way, but what went wrong on it did.
template <class End>
bool MacroSteps::end_endless(const Position& at, End& end) {
  endless_ = true;
  endless_edge_ = at.edge;
  return at.noted == ir::SiteId::none || end(at.state, Outcome{at.noted});
}

// There can be very many more such ways, so this one stands for all.
template <class End>
bool MacroSteps::end_too_long(const Position& at, End& end) {
  end(at.state, Outcome{at.noted == ir::SiteId::none ? edges_[at.edge].endless : at.noted});
  return false;
}

bool MacroSteps::was_here(const Visited& here) const {
  return std::ranges::any_of(visited_, [&](const Visited& earlier) {
    return earlier.hash == here.hash && earlier.component == here.component &&
           same_words(earlier.state, here.state, words_);
  });
}

// There is no choice here, so a loop instead of a recursion. That it never ends shows when a state comes back to one
// that is remembered; the one that is remembered is replaced whenever the number of edges since has doubled (Brent
// 1980).
template <class End>
bool MacroSteps::go_on_with_first(const Position& at, End& end) {
  const std::size_t length = trail_.size();
  StateBuffer state(at.state, at.state + words_), remembered = state;
  std::size_t since = 0, until = 1;
  Position now{at.edge, state.data(), at.noted};
  while (edges_[now.edge].control == ir::Control::keep_first) {
    scratch_.clear();
    find_steps_of(edges_[now.edge].next, state.data(), scratch_);
    const bool endless = (since > 0 && state == remembered) || trail_.size() > max_edges;
    const bool stuck = endless || scratch_.empty();
    const Outcome fault{endless ? edges_[now.edge].endless : edges_[now.edge].blocked};
    const Outcome outcome = stuck ? fault : scratch_.outcome(0);
    if (!stuck) {
      trail_.push_back(scratch_.instance(0));
      state.assign(scratch_.state(0).begin(), scratch_.state(0).end());
    }
    if (!outcome.has_successor()) {
      const bool more = end(state.data(), outcome);
      trail_.resize(length);
      return more;
    }
    if (++since == until) {
      remembered = state;
      since = 0;
      until *= 2;
    }
    now = {edge_of(trail_.back()), state.data(), first_noted(now.noted, outcome)};
  }
  const bool more = go_on(now, end);
  trail_.resize(length);
  return more;
}

void MacroSteps::find_steps_of(std::uint32_t component, const std::uint64_t* state, Batch& out) {
  out.clear();
  micro_.micro_successors_of({state, words_}, component, out);
  if (uses_ranks_) drop_outranked(out, 0);
}

// Whether there was a choice shows only beside the other steps.
Outcome MacroSteps::take_first(StateBuffer& state, InstanceId step) {
  if (!has_choices_) return micro_.micro_apply(state.data(), step);
  Batch steps;
  find_first_steps({state.data(), words_}, steps);
  for (std::uint32_t k = 0; k < steps.size(); ++k) {
    if (steps.instance(k) != step) continue;
    std::ranges::copy(steps.state(k), state.begin());
    return steps.outcome(k);
  }
  return Outcome::blocked();
}

void MacroSteps::enabled(StateView state, Batch& out) {
  Batch steps;
  successors(state, steps);
  push_without_states(steps, out);
}

void MacroSteps::push_without_states(const Batch& steps, Batch& out) {
  for (std::uint32_t k = 0; k < steps.size(); ++k)
    out.push(steps.instance(k), steps.outcome(k).has_successor() ? Outcome{} : steps.outcome(k), 0);
}

Outcome MacroSteps::apply(StateBuffer& top, InstanceId step) {
  const InstanceId first = first_micro_step(step);
  Outcome outcome = take_first(top, first);
  if (outcome.has_successor() && edges_[edge_of(step)].control != ir::Control::release) {
    std::uint32_t way = 0;
    StateBuffer found;
    auto stop_there = [&](const std::uint64_t* state, Outcome ending) {
      if (way++ != way_of(step)) return true;
      found.assign(state, state + words_);
      outcome = ending;
      return false;
    };
    go_on({edge_of(step), top.data(), first_noted(ir::SiteId::none, outcome)}, stop_there);
    if (found.empty()) return Outcome::dropped();
    top = std::move(found);
  }
  settle(top.data());
  return outcome;
}

MicroPath MacroSteps::micro_steps(StateView state, InstanceId step) {
  MicroPath path;
  Batch steps;
  StateBuffer after(state.begin(), state.end());
  const InstanceId first = first_micro_step(step);
  const Outcome outcome = take_first(after, first);
  std::copy(after.begin(), after.end(), steps.spare(words_));
  steps.push(first, outcome, words_);
  std::uint32_t way = 0;
  auto stop_there = [&](const std::uint64_t* end, Outcome ending) {
    if (way++ != way_of(step)) return true;
    path.state.assign(end, end + words_);
    path.outcome = ending;
    ir::Control before = ir::Control::release;
    for (const InstanceId each : trail_) {
      path.steps.push_back({each, before == ir::Control::keep_first || path.steps.size() >= max_shown});
      before = edges_[edge_of(each)].control;
    }
    return false;
  };
  take(steps, 0, ir::SiteId::none, stop_there);
  if (!path.state.empty()) settle(path.state.data());
  return path;
}

}  // namespace fathom
