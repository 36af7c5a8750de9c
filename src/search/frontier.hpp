// Frontier search: breadth first, but only the last few levels are kept, and runs are found afterwards by divide and
// conquer: each state remembers through which state half-way it was reached, and then the same is asked of both halves
// (Korf, Zhang: Divide-and-Conquer Frontier Search, AAAI 2000). layer_window.hpp says how many levels are needed.
//
// Under a bound on the length plus the estimate this is breadth-first heuristic search (Zhou, Hansen: Breadth-First
// Heuristic Search, Artificial Intelligence 170, 2006): states that cannot be on a run within the bound are left, and
// the bound is raised by as little as possible until there is a run or nothing was left. Breadth first the levels are
// smaller than the open list of a best-first search.
//
// Traces are shortest ones, for the heuristic search if the evaluator is admissible.
#pragma once

#include <algorithm>
#include <stdexcept>

#include "search/expander.hpp"
#include "search/incumbent.hpp"
#include "search/layer_window.hpp"
#include "search/pace.hpp"

namespace fathom {

struct FrontierPlan {
  std::uint64_t locality = 0;  // levels that are kept; 0: all
  bool bounded = false;        // breadth-first heuristic search
  Promise promise = {};
  bool leaves_dead_ends = false;
};

template <Model M>
class FrontierSearch {
 public:
  FrontierSearch(M& model, const SearchOptions& options, Evaluator& evaluator, const FrontierPlan& plan)
      : options_(options),
        evaluator_(evaluator),
        plan_(plan),
        locality_(plan.locality),
        expander_(model, options),
        recorder_(options) {}

  SearchResult run() {
    bound_ = plan_.bounded ? estimate_at_start() : dead_end;
    for (;; bound_ = *next_larger_) {
      next_larger_ = std::nullopt;
      search_levels();
      if (!running_ || best_.exists() || !next_larger_) break;
    }
    return finish();
  }

 private:
  using Number = StateLayer::Number;

  // One level: its states and, for a search for the middle of a run, through which one each was reached.
  struct Level {
    StateLayer states;
    std::vector<Number> relays;
  };
  // What ends a run: a state, and the step there that fails.
  struct End {
    StateBuffer state;
    std::optional<InstanceId> failing_step;
    std::uint64_t depth = 0;  // of the state
  };

  [[nodiscard]] Level empty_level() const { return {StateLayer(expander_.words()), {}}; }

  Cost estimate_at_start() {
    Cost least = dead_end;
    expander_.starts(batch_);
    for (std::uint32_t k = 0; k < batch_.size(); ++k)
      if (batch_.outcome(k).has_successor())
        least = std::min(least, expander_.estimate(evaluator_, expander_.successor(batch_, k)));
    return least == dead_end ? 0 : least;
  }

  // ---- The search.

  void search_levels() {
    LayerWindow window(locality_, expander_.words());
    depth_ = states_ = 0;
    StateLayer level = first_level();
    while (running_ && !level.empty() && !best_.exists()) {
      at_depth_bound_ = options_.max_depth && depth_ >= *options_.max_depth;
      if (at_depth_bound_) return;
      window.push(std::move(level));
      level = expand_level(window);
      ++depth_;
      deepest_ = std::max(deepest_, depth_);
    }
  }

  StateLayer first_level() {
    StateLayer level(expander_.words());
    expander_.starts(batch_);
    for (std::uint32_t k = 0; k < batch_.size(); ++k) {
      const Outcome outcome = batch_.outcome(k);
      if (outcome.is_fault() && best_.improved_by(0))
        best_.replace({Violation::Kind::fault, 0, outcome.site()}, 0, {{}, {}, batch_.instance(k), false});
      if (outcome.has_successor()) add(expander_.successor(batch_, k), 0, level);
    }
    return level;
  }

  StateLayer expand_level(LayerWindow& window) {
    StateLayer next(expander_.words());
    const StateLayer& level = window.last();
    for (Number k = 0; k < level.size() && running_ && !is_done(); ++k) {
      const StateView state = level.state(k);
      expander_.steps(state, false, batch_);
      if (expander_.is_stuck(state, batch_)) found({Violation::Kind::deadlock}, depth_, {copy(state), {}, depth_});
      for (std::uint32_t s = 0; s < batch_.size() && running_; ++s) take_step(state, s, window, next);
      if (pace_.is_due(1 + batch_.size())) pause(window, next);
    }
    return next;
  }

  // A deadlock in the level itself is nearer than what its steps lead to, so the whole level is looked through.
  [[nodiscard]] bool is_done() const { return best_.exists() && best_.cost() <= depth_; }

  void take_step(StateView from, std::uint32_t s, LayerWindow& window, StateLayer& next) {
    const Outcome outcome = batch_.outcome(s);
    recorder_.fire(batch_.instance(s));
    if (recorder_.is_violation(outcome))
      found({Violation::Kind::fault, 0, outcome.site()}, depth_ + 1, {copy(from), batch_.instance(s), depth_});
    if (!outcome.has_successor()) return;
    const StateView state = expander_.successor(batch_, s);
    if (window.contains(state)) return;
    if (!add(state, depth_ + 1, next)) return;
    if (!window.is_new(next.hash(next.size() - 1))) widen(window);
  }

  void widen(LayerWindow& window) {
    window.forget_nothing_more();
    locality_ = 0;
    recorder_.result.warnings.push_back(
        "a state came again after " + std::to_string(plan_.locality) +
        " levels had been kept: the locality is larger than that, and from here on every level is kept");
  }

  // True if the state is new in its level.
  bool add(StateView state, std::uint64_t depth, StateLayer& level) {
    const Cost estimate = plan_.bounded ? expander_.estimate(evaluator_, state) : 0;
    const bool dead = estimate == dead_end && plan_.leaves_dead_ends;
    if (dead) ++recorder_.result.statistics.dead_ends;
    if (dead || total(depth, estimate) > bound_) {
      if (depth <= bound_) examine(state, depth);
      if (!dead) note_cut(total(depth, estimate));
      return false;
    }
    if (!level.insert(state).fresh) return false;
    ++states_;
    examine(state, depth);
    return true;
  }

  static Cost total(std::uint64_t depth, Cost estimate) {
    return static_cast<Cost>(std::min<std::uint64_t>(depth + estimate, dead_end));
  }

  void note_cut(Cost larger) { next_larger_ = next_larger_ ? std::min(*next_larger_, larger) : larger; }

  void examine(StateView state, std::uint64_t depth) {
    if (!options_.check_states) return;
    for (const Violation& violation : recorder_.examine(expander_.model(), state))
      found(violation, depth, {copy(state), {}, depth});
  }

  void found(const Violation& violation, std::uint64_t length, End end) {
    if (length > bound_) return note_cut(total(length, 0));
    if (!best_.improved_by(static_cast<Cost>(length))) return;
    best_.replace(violation, static_cast<Cost>(length), {});
    end_ = std::move(end);
  }

  static StateBuffer copy(StateView state) { return {state.begin(), state.end()}; }

  // ---- Runs.

  Counterexample run_to_end() {
    Counterexample run;
    expander_.model().quiet(true);
    expander_.starts(batch_);
    StateLayer starts(expander_.words());
    for (std::uint32_t k = 0; k < batch_.size(); ++k) {
      if (!batch_.outcome(k).has_successor()) continue;
      const StateView state = expander_.successor(batch_, k);
      if (!is_cut(state, 0)) starts.insert(state);
    }
    run.states = path(std::move(starts), end_->state, 0, end_->depth);
    run.failing_step = end_->failing_step;
    expander_.model().quiet(false);
    return run;
  }

  // The states from one of `starts`, which are so many steps from a start state, to the target, which is `steps` away
  // from them.
  std::vector<StateBuffer> path(StateLayer starts, const StateBuffer& target, std::uint64_t depth,
                                std::uint64_t steps) {
    if (steps == 0) return {target};
    const std::uint64_t half = steps / 2;
    const StateBuffer middle = state_half_way(starts, target, depth, steps);
    if (steps == 1) return {middle, target};
    std::vector<StateBuffer> result = path(std::move(starts), middle, depth, half);
    StateLayer from_middle(expander_.words());
    from_middle.insert(middle);
    const std::vector<StateBuffer> rest = path(std::move(from_middle), target, depth + half, steps - half);
    result.insert(result.end(), rest.begin() + 1, rest.end());
    return result;
  }

  StateBuffer state_half_way(const StateLayer& starts, const StateBuffer& target, std::uint64_t depth,
                             std::uint64_t steps) {
    LayerWindow window(locality_, expander_.words());
    StateLayer relays(expander_.words());
    Level level{starts, {}};
    for (std::uint64_t step = 0; step < steps; ++step) {
      if (step == steps / 2) {
        relays = level.states;
        level.relays.resize(relays.size());
        for (Number k = 0; k < relays.size(); ++k) level.relays[k] = k;
      }
      window.push(std::move(level.states));
      level = next_level(window, level.relays, depth + step + 1);
    }
    const std::optional<Number> found = level.states.find(target);
    if (!found) throw std::logic_error("a state that a frontier search found is not there when it looks again");
    return copy(relays.state(level.relays[*found]));
  }

  Level next_level(const LayerWindow& window, const std::vector<Number>& relays, std::uint64_t depth) {
    Level next = empty_level();
    const StateLayer& level = window.last();
    for (Number k = 0; k < level.size(); ++k) {
      expander_.steps(level.state(k), true, batch_);
      for (std::uint32_t s = 0; s < batch_.size(); ++s) {
        if (!batch_.outcome(s).has_successor()) continue;
        const StateView state = expander_.successor(batch_, s);
        const bool left = window.contains(state) || is_cut(state, depth);
        if (!left && next.states.insert(state).fresh && !relays.empty()) next.relays.push_back(relays[k]);
      }
    }
    return next;
  }

  // The end of the run itself was examined although its estimate may have been too large.
  [[nodiscard]] bool is_cut(StateView state, std::uint64_t depth) {
    if (!plan_.bounded || std::ranges::equal(state, end_->state)) return false;
    return total(depth, expander_.estimate(evaluator_, state)) > bound_;
  }

  // ---- The end.

  void pause(const LayerWindow& window, const StateLayer& next) {
    const std::uint64_t bytes = window.bytes_with(next);
    bytes_ = std::max(bytes_, bytes);
    if (bytes > options_.memory_limit) return stop(Ending::memory_limit);
    const Progress progress{.states = states_,
                            .transitions = recorder_.result.statistics.transitions,
                            .depth = depth_,
                            .queue = next.size(),
                            .bytes = bytes_};
    if (!options_.tick(progress)) stop(Ending::time_or_user);
  }

  void stop(Ending ending) {
    running_ = false;
    recorder_.result.ending = ending;
  }

  SearchResult finish() {
    if (best_.exists()) {
      if (running_) recorder_.result.ending = Ending::error_limit;
      const bool kept = keeps_promise();
      if (end_) best_.set_run(run_to_end());
      best_.report(recorder_, running_ && kept);
    } else if (running_ && at_depth_bound_) {
      recorder_.result.ending = Ending::bound;
      recorder_.result.scope.depth = options_.max_depth;
    }
    recorder_.result.statistics.states = states_;
    const bool again = locality_ != plan_.locality || recorder_.result.statistics.dead_ends > 0;
    if (again) recorder_.result.statistics.counting = Counting::with_again;
    recorder_.result.statistics.depth = deepest_;
    recorder_.result.statistics.store_bytes = bytes_;
    return std::move(recorder_.result);
  }

  // An evaluator that says at a violation that there is still some way to go is not admissible, whatever it promises.
  bool keeps_promise() {
    if (!plan_.bounded) return true;
    if (!plan_.promise.admissible) return false;
    if (!end_ || expander_.estimate(evaluator_, end_->state) <= (end_->failing_step ? step_cost : 0)) return true;
    recorder_.result.warnings.emplace_back(
        "the evaluator is not admissible: at a violation its estimate is larger than what the run still costs; that "
        "the "
        "trace is shortest is not promised any more");
    return false;
  }

  const SearchOptions& options_;
  Evaluator& evaluator_;
  const FrontierPlan plan_;
  std::uint64_t locality_;
  Expander<M> expander_;
  Recorder recorder_;
  Incumbent best_;
  std::optional<End> end_;  // of the best run; none if a start state faults
  bool running_ = true;
  bool at_depth_bound_ = false;

  Cost bound_ = dead_end;
  std::optional<Cost> next_larger_;
  Batch batch_;
  std::uint64_t depth_ = 0, deepest_ = 0;
  std::uint64_t states_ = 0;
  Pace pace_;
  std::uint64_t bytes_ = 0;
};

}  // namespace fathom
