// Beam-stack search (Zhou, Hansen: Beam-Stack Search: Integrating Backtracking with Beam Search, ICAPS 2005): a beam
// search that comes back for what it left out. Of each level the best states are kept and the place in the order is
// remembered where they were cut off; when nothing is left below, the next ones of the lowest level that was cut have
// their turn. So it is complete, and it holds no more states at a time than the width of the beam times the depth.
//
// The order of a level is by length plus estimate and then by hash: a total one, so that a cut is always possible. A
// state that is in a level above is passed over: what follows from it is looked at from there. Other states are
// expanded again and again, which is the price of the small memory.
//
// The search goes on after a violation for a shorter one, and ends when there is none if the evaluator is admissible.
#pragma once

#include <algorithm>

#include "open/state_layer.hpp"
#include "search/expander.hpp"
#include "search/incumbent.hpp"
#include "search/pace.hpp"
#include "support/plain_list.hpp"

namespace fathom {

template <Model M>
class BeamStack {
 public:
  BeamStack(M& model, const SearchOptions& options, Evaluator& evaluator, std::uint64_t width, bool leaves_dead_ends)
      : options_(options),
        evaluator_(evaluator),
        width_(width),
        leaves_dead_ends_(leaves_dead_ends),
        expander_(model, options),
        recorder_(options) {}

  SearchResult run() {
    levels_.push_back(empty_level());
    fill();
    while (running_ && !levels_.empty()) {
      if (levels_.back().states.empty() || at_depth_bound())
        backtrack();
      else
        descend();
    }
    return finish();
  }

 private:
  using Number = StateLayer::Number;

  struct Key {
    Cost total = 0;
    Hash hash = 0;
    auto operator<=>(const Key&) const = default;
  };
  static constexpr Key end_of_order{dead_end, UINT64_MAX};

  // The states with keys in [from, to); nothing was cut off if `to` is the end of the order.
  struct Level {
    StateLayer states;
    std::vector<Number> parents;  // in the level above
    Key from, to;
  };
  [[nodiscard]] Level empty_level() const { return {StateLayer(expander_.words()), {}, {}, end_of_order}; }
  [[nodiscard]] std::uint64_t depth() const { return levels_.size() - 1; }  // of the last level

  [[nodiscard]] bool at_depth_bound() {
    if (!options_.max_depth || depth() < *options_.max_depth) return false;
    cut_by_depth_ = true;
    return true;
  }

  void descend() {
    levels_.push_back(empty_level());
    fill();
  }

  // Levels that are finished are left; of the lowest one that was cut off the next part is taken.
  void backtrack() {
    while (!levels_.empty() && levels_.back().to == end_of_order) levels_.pop_back();
    if (levels_.empty()) return;
    Level& level = levels_.back();
    level.from = level.to;
    level.to = end_of_order;
    level.states.clear();
    level.parents.clear();
    fill();
  }

  // The last level gets its part of the successors of the level above.
  void fill() {
    candidates_.clear();
    parents_.clear();
    keys_.clear();
    if (levels_.size() == 1)
      reach_starts();
    else
      expand_level(levels_[levels_.size() - 2]);
    if (running_) keep_best(levels_.back());
    deepest_ = std::max(deepest_, depth());
  }

  void reach_starts() {
    expander_.starts(batch_);
    for (std::uint32_t k = 0; k < batch_.size(); ++k) {
      const Outcome outcome = batch_.outcome(k);
      if (outcome.is_fault() && best_.improved_by(0))
        best_.replace({Violation::Kind::fault, 0, outcome.site()}, 0, {{}, {}, batch_.instance(k), false});
      if (outcome.has_successor()) reach(expander_.successor(batch_, k), 0);
    }
  }

  void expand_level(const Level& level) {
    const Cost cost = static_cast<Cost>(depth() - 1);
    for (Number k = 0; k < level.states.size() && running_; ++k) {
      const StateView state = level.states.state(k);
      expander_.steps(state, false, batch_);
      if (expander_.is_stuck(state, batch_) && best_.improved_by(cost))
        best_.replace({Violation::Kind::deadlock}, cost, run_to(k));
      for (std::uint32_t s = 0; s < batch_.size(); ++s) {
        const Outcome outcome = batch_.outcome(s);
        recorder_.fire(batch_.instance(s));
        if (recorder_.is_violation(outcome) && best_.improved_by(cost + step_cost))
          best_.replace({Violation::Kind::fault, 0, outcome.site()}, cost + step_cost, run_to(k, batch_.instance(s)));
        if (outcome.has_successor()) reach(expander_.successor(batch_, s), k);
      }
      if (pace_.is_due(1 + batch_.size())) pause();
    }
  }

  // A state of the last level, reached from this one of the level above.
  void reach(StateView state, Number parent) {
    const auto cost = static_cast<Cost>(depth());
    if (!best_.improved_by(cost) || is_above(state) || candidates_.find(state)) return;
    const Cost estimate = expander_.estimate(evaluator_, state);
    examine(state, cost, parent, estimate);
    const Cost total = static_cast<Cost>(std::min<std::uint64_t>(std::uint64_t{cost} + estimate, dead_end - 1));
    if (estimate == dead_end && leaves_dead_ends_) return void(++recorder_.result.statistics.dead_ends);
    if (!best_.improved_by(total)) return;
    const Hash hash = candidates_.hash(candidates_.insert(state).number);
    parents_.push_back(parent);
    keys_.push_back({total, hash});
  }

  [[nodiscard]] bool is_above(StateView state) const {
    for (std::size_t k = 0; k + 1 < levels_.size(); ++k)
      if (levels_[k].states.find(state)) return true;
    return false;
  }

  void examine(StateView state, Cost cost, Number parent, Cost estimate) {
    if (!options_.check_states) return;
    for (const Violation& violation : recorder_.examine(expander_.model(), state)) {
      if (!best_.improved_by(cost)) return;
      admissible_ = admissible_ && estimate == 0;
      Counterexample run;
      if (cost > 0) run = run_to(parent);
      run.states.emplace_back(state.begin(), state.end());
      best_.replace(violation, cost, std::move(run));
    }
  }

  // Of states with the same key, which would be one in a world of perfect hashes, all are kept.
  void keep_best(Level& level) {
    std::vector<Number> order;
    order.reserve(candidates_.size());
    for (Number k = 0; k < candidates_.size(); ++k)
      if (level.from <= keys_[k] && best_.improved_by(keys_[k].total)) order.push_back(k);
    std::ranges::sort(order, {}, [this](Number k) { return keys_[k]; });
    std::size_t kept = std::min<std::size_t>(order.size(), width_);
    while (kept > 0 && kept < order.size() && keys_[order[kept]] == keys_[order[kept - 1]]) ++kept;
    if (kept < order.size()) level.to = keys_[order[kept]];
    for (std::size_t k = 0; k < kept; ++k) {
      level.states.insert(candidates_.state(order[k]));
      level.parents.push_back(parents_[order[k]]);
    }
    most_ = std::max<std::uint64_t>(most_, held());
  }

  [[nodiscard]] std::uint64_t held() const {
    std::uint64_t states = 0;
    for (const Level& level : levels_) states += level.states.size();
    return states;
  }

  // The run to a state of the level above the last one.
  Counterexample run_to(Number number, std::optional<InstanceId> failing_step = std::nullopt) {
    Counterexample run;
    for (std::size_t k = levels_.size() - 1; k-- > 0; number = levels_[k].parents[number]) {
      const StateView state = levels_[k].states.state(number);
      run.states.emplace_back(state.begin(), state.end());
    }
    std::ranges::reverse(run.states);
    run.failing_step = failing_step;
    return run;
  }

  // While the last level is being filled, with what choosing from the candidates will take.
  [[nodiscard]] std::uint64_t bytes() const {
    const std::uint64_t kept = std::min<std::uint64_t>(candidates_.size(), width_);
    std::uint64_t bytes = candidates_.bytes() + parents_.bytes() + keys_.bytes() +
                          (candidates_.size() + kept) * sizeof(Number) + levels_.back().states.bytes_with(kept);
    for (const Level& level : levels_) bytes += level.parents.capacity() * sizeof(Number);
    for (std::size_t k = 0; k + 1 < levels_.size(); ++k) bytes += levels_[k].states.bytes();
    return bytes;
  }

  void pause() {
    const std::uint64_t bytes = this->bytes();
    bytes_ = std::max(bytes_, bytes);
    if (bytes > options_.memory_limit) return stop(Ending::memory_limit);
    const Progress progress{.states = most_,
                            .transitions = recorder_.result.statistics.transitions,
                            .depth = depth(),
                            .queue = levels_.back().states.size(),
                            .bytes = bytes};
    if (!options_.tick(progress)) stop(Ending::time_or_user);
  }

  void stop(Ending ending) {
    running_ = false;
    recorder_.result.ending = ending;
  }

  SearchResult finish() {
    if (best_.exists()) {
      if (running_) recorder_.result.ending = Ending::error_limit;
      best_.report(recorder_, running_ && admissible_ && evaluator_.promise().admissible);
    } else if (running_ && cut_by_depth_) {
      recorder_.result.ending = Ending::bound;
      recorder_.result.scope.depth = options_.max_depth;
    }
    recorder_.result.statistics.states = most_;
    recorder_.result.statistics.counting = Counting::held;
    recorder_.result.statistics.depth = deepest_;
    recorder_.result.statistics.store_bytes = bytes_;
    return std::move(recorder_.result);
  }

  const SearchOptions& options_;
  Evaluator& evaluator_;
  const std::uint64_t width_;
  const bool leaves_dead_ends_;
  Expander<M> expander_;
  Recorder recorder_;
  Incumbent best_;
  bool running_ = true;
  bool cut_by_depth_ = false;
  bool admissible_ = true;  // nothing has shown that the evaluator is not

  std::vector<Level> levels_;
  StateLayer candidates_{expander_.words()};  // for the last level
  PlainList<Number> parents_;                 // of the candidates
  PlainList<Key> keys_;
  Batch batch_;
  Pace pace_;
  std::uint64_t most_ = 0;  // states held at a time
  std::uint64_t deepest_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace fathom
