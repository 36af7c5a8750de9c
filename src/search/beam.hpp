// Beam search: level by level, and of each level only the best states are kept. It goes deep with little memory and can
// miss everything: unless no state was left out, finding nothing decides nothing.
//
// What is kept of a level can be said in several ways, which come from scheduling (Wijs: What To Do Next? Analysing and
// Optimising System Behaviour in Time, 2007; survey on directed model checking, section 7):
//
//   detailed      the `width` states with the least cost plus estimate
//   priority      of the steps of each state the best few, on the first levels, and then the best one
//   flexible      also those that are as good as the last one kept, so that nothing is decided by chance
//   by cost       levels are made of states of equal cost instead of equal depth, cheapest level first: then the first
//                 violation found is the best the beam can find
//
// Only kept states are stored. A state that was left out may come again on another path.
#pragma once

#include <map>
#include <numeric>
#include <utility>

#include "open/state_layer.hpp"
#include "search/expander.hpp"
#include "search/incumbent.hpp"
#include "search/pace.hpp"
#include "search/step_costs.hpp"
#include "support/plain_list.hpp"

namespace fathom {

struct BeamPlan {
  enum class Rank : std::uint8_t { total, estimate, cost };
  std::uint64_t width = UINT64_MAX;  // states of a level that are kept
  Rank rank = Rank::total;
  bool keeps_ties = false;
  std::uint64_t steps = UINT64_MAX;  // of each state that are followed ...
  std::uint64_t steps_until = 0;     // ... on levels above this one; below it is one step, if `steps` is limited
  bool by_cost = false;              // levels of equal cost
  bool first_is_enough = true;       // false: it goes on for a cheaper violation
  bool leaves_dead_ends = false;
};

template <Model M, class Costs = UnitCosts>
class Beam {
 public:
  Beam(M& model, const SearchOptions& options, Evaluator& evaluator, const BeamPlan& plan, Costs costs = {})
      : options_(options),
        evaluator_(evaluator),
        plan_(plan),
        costs_(costs),
        expander_(model, options),
        recorder_(options) {}

  SearchResult run() {
    start();
    while (going() && !levels_.empty() && !at_depth_bound()) {
      take_level();
      for (const Number chosen : chosen_) {
        if (!going()) break;
        expand(chosen);
      }
      level_cost_ = dead_end;
      ++depth_;
    }
    return finish();
  }

 private:
  using Number = StateLayer::Number;  // of a kept state
  static constexpr Number no_parent = UINT32_MAX;

  struct Node {
    Number parent;
    Cost cost;
  };
  struct Candidate {
    Number parent;
    Cost cost;
    Cost estimate;
    Cost progress;
  };
  // The states that were reached for one level, and how.
  struct Level {
    StateLayer states;
    PlainList<Candidate> candidates;

    [[nodiscard]] std::uint64_t bytes() const { return states.bytes() + candidates.bytes(); }
  };
  struct Step {
    std::uint32_t number;  // in the batch
    Cost cost;
    Cost estimate;
  };

  [[nodiscard]] bool going() const { return running_ && !(plan_.first_is_enough && best_due()); }

  // With levels by cost a violation waits until nothing cheaper can come.
  [[nodiscard]] bool best_due() const {
    if (!best_.exists() || !plan_.by_cost) return best_.exists();
    return !best_.improved_by(level_cost_) && (levels_.empty() || !best_.improved_by(levels_.begin()->first));
  }

  [[nodiscard]] bool at_depth_bound() const { return options_.max_depth && depth_ >= *options_.max_depth; }

  void start() {
    expander_.starts(batch_);
    for (std::uint32_t k = 0; k < batch_.size() && going(); ++k) {
      const Outcome outcome = batch_.outcome(k);
      if (outcome.is_fault())
        found({Violation::Kind::fault, 0, outcome.site()}, 0, Counterexample{{}, {}, batch_.instance(k), false});
      if (!outcome.has_successor()) continue;
      const StateView state = expander_.successor(batch_, k);
      const Cost estimate = expander_.estimate(evaluator_, state);
      least_at_start_ = std::min(least_at_start_, evaluator_.promise().admissible ? estimate : 0);
      reach(state, no_parent, 0, estimate);
    }
  }

  // A state has been reached: it is examined, and becomes a candidate for its level.
  void reach(StateView state, Number from, Cost cost, Cost estimate) {
    const Cost key = plan_.by_cost ? cost : 0;
    auto level = levels_.find(key);
    if (level == levels_.end()) level = levels_.emplace(key, Level{StateLayer(expander_.words()), {}}).first;
    const auto [number, fresh] = level->second.states.insert(state);
    PlainList<Candidate>& candidates = level->second.candidates;
    if (fresh) {
      candidates.push_back({from, cost, estimate, progress_of(state)});
      examine(state, from, cost);
    } else if (cost < candidates[number].cost) {
      candidates[number].cost = cost;
      candidates[number].parent = from;
      examine(state, from, cost);
    }
  }

  [[nodiscard]] Cost progress_of(StateView state) {
    if constexpr (ToldOfRuns<Costs>)
      if (costs_.request->progress != nullptr) return expander_.estimate(*costs_.request->progress, state);
    return 0;
  }

  void examine(StateView state, Number from, Cost cost) {
    if (!options_.check_states) return;
    for (const Violation& violation : recorder_.examine(expander_.model(), state))
      if (best_.improved_by(cost)) found(violation, cost, run_through(from, state));
  }

  // Stores the best states of the next level, which becomes the current one.
  void take_level() {
    const auto first = levels_.begin();
    level_ = std::move(first->second);
    level_cost_ = first->first;
    levels_.erase(first);
    chosen_.clear();
    std::uint64_t last_rank = 0;
    for (const Number number : by_rank()) {
      const Candidate& candidate = level_.candidates[number];
      const bool full = chosen_.size() >= plan_.width && !(plan_.keeps_ties && rank(candidate) == last_rank);
      if (candidate.estimate == dead_end && plan_.leaves_dead_ends) {
        ++recorder_.result.statistics.dead_ends;
      } else if (is_wanted(number)) {
        if (full) {
          ++dropped_;
        } else {
          keep(level_.states.state(number), candidate);
          last_rank = rank(candidate);
        }
      }
    }
  }

  std::vector<Number> by_rank() const {
    std::vector<Number> order(level_.states.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](Number number) {
      const Candidate& candidate = level_.candidates[number];
      return std::pair(rank(candidate), ~candidate.progress);
    });
    return order;
  }

  [[nodiscard]] std::uint64_t rank(const Candidate& candidate) const {
    switch (plan_.rank) {
      case BeamPlan::Rank::estimate:
        return candidate.estimate;
      case BeamPlan::Rank::cost:
        return candidate.cost;
      default:
        return std::uint64_t{candidate.cost} + candidate.estimate;
    }
  }

  // Not if it was expanded before at no higher cost, nor if something as cheap was found.
  [[nodiscard]] bool is_wanted(Number number) const {
    const Cost cost = level_.candidates[number].cost;
    const std::optional<Number> known = kept_.find(level_.states.state(number));
    return best_.improved_by(cost) && (!known || cost < nodes_[*known].cost);
  }

  void keep(StateView state, const Candidate& candidate) {
    const auto [number, fresh] = kept_.insert(state);
    if (fresh)
      nodes_.push_back({candidate.parent, candidate.cost});
    else
      ++recorder_.result.statistics.revisits;
    nodes_[number] = {candidate.parent, candidate.cost};
    chosen_.push_back(number);
  }

  void expand(Number number) {
    const StateView state = kept_.state(number);
    const Cost cost = nodes_[number].cost;
    expander_.steps(state, false, batch_);
    if (expander_.is_stuck(state, batch_) && best_.improved_by(cost))
      found({Violation::Kind::deadlock}, cost, run_to(number));
    for (std::uint32_t k = 0; k < batch_.size() && going(); ++k) {
      recorder_.fire(batch_.instance(k));
      const Cost after = Additive::then(cost, costs_.of_step(state, batch_.instance(k)));
      if (recorder_.is_violation(batch_.outcome(k)) && best_.improved_by(after))
        found({Violation::Kind::fault, 0, batch_.outcome(k).site()}, after, run_to(number, batch_.instance(k)));
    }
    if (going()) follow_steps(number, state, cost);
    if (pace_.is_due(1 + batch_.size())) pause();
  }

  void follow_steps(Number from, StateView state, Cost cost) {
    steps_.clear();
    for (std::uint32_t k = 0; k < batch_.size(); ++k) {
      if (!batch_.outcome(k).has_successor()) continue;
      const Cost after = Additive::then(cost, costs_.of_step(state, batch_.instance(k)));
      steps_.push_back({k, after, expander_.estimate(evaluator_, expander_.successor(batch_, k))});
    }
    if (steps_.size() > most_steps()) keep_best_steps();
    for (const Step& step : steps_)
      if (going()) reach({batch_.words(step.number), expander_.words()}, from, step.cost, step.estimate);
  }

  [[nodiscard]] std::uint64_t most_steps() const {
    return plan_.steps == UINT64_MAX || depth_ < plan_.steps_until ? plan_.steps : 1;
  }

  void keep_best_steps() {
    const auto rank_of = [this](const Step& step) { return rank({0, step.cost, step.estimate, 0}); };
    std::ranges::stable_sort(steps_, {}, rank_of);
    std::size_t kept = most_steps();
    while (plan_.keeps_ties && kept < steps_.size() && rank_of(steps_[kept]) == rank_of(steps_[kept - 1])) ++kept;
    dropped_ += steps_.size() - kept;
    steps_.resize(kept);
  }

  // ---- Runs.

  Counterexample run_to(Number number, std::optional<InstanceId> failing_step = std::nullopt) {
    Counterexample run;
    for (; number != no_parent; number = nodes_[number].parent) {
      const StateView state = kept_.state(number);
      run.states.emplace_back(state.begin(), state.end());
    }
    std::ranges::reverse(run.states);
    run.failing_step = failing_step;
    return run;
  }

  Counterexample run_through(Number from, StateView state) {
    Counterexample run;
    if (from != no_parent) run = run_to(from);
    run.states.emplace_back(state.begin(), state.end());
    return run;
  }

  void found(const Violation& violation, Cost cost, Counterexample run) {
    if (!best_.improved_by(cost)) return;
    if constexpr (!Costs::unit) run.steps = expander_.cheapest_steps(run.states, costs_);
    best_.replace(violation, cost, std::move(run));
    if constexpr (ToldOfRuns<Costs>) costs_.request->improved(cost, std::min(cost, least_at_start_));
  }

  // ---- The end.

  void stop(Ending ending) {
    running_ = false;
    recorder_.result.ending = ending;
  }

  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t total = kept_.bytes() + nodes_.bytes() + chosen_.bytes() + level_.bytes();
    for (const auto& [cost, level] : levels_) total += level.bytes();
    return total;
  }

  void pause() {
    if (bytes() > options_.memory_limit) return stop(Ending::memory_limit);
    const Progress progress{.states = kept_.size(),
                            .transitions = recorder_.result.statistics.transitions,
                            .depth = depth_,
                            .queue = chosen_.size(),
                            .bytes = bytes()};
    if (!options_.tick(progress)) stop(Ending::time_or_user);
  }

  SearchResult finish() {
    const bool beyond = !levels_.empty();
    if (best_.exists()) {
      if (running_) recorder_.result.ending = Ending::error_limit;
      best_.report(recorder_, false);
    } else if (running_ && dropped_ > 0) {
      recorder_.result.ending = Ending::incomplete;
      recorder_.result.scope.gap = "the search is not exhausted: " + std::to_string(dropped_) +
                                   " times a state was left out because the beam was full, and a violation may lie "
                                   "behind it";
    } else if (running_ && beyond) {
      recorder_.result.ending = Ending::bound;
      recorder_.result.scope.depth = options_.max_depth;
    }
    return recorder_.finish(kept_, depth_, bytes());
  }

  const SearchOptions& options_;
  Evaluator& evaluator_;
  const BeamPlan plan_;
  Costs costs_;
  Expander<M> expander_;
  Recorder recorder_;
  Incumbent best_;
  bool running_ = true;

  std::map<Cost, Level> levels_;                    // by cost, or a single one
  Level level_{StateLayer(expander_.words()), {}};  // being expanded
  StateLayer kept_{expander_.words()};              // all states that were expanded, or are about to be
  PlainList<Node> nodes_;                           // of them
  PlainList<Number> chosen_;                        // of this level
  Batch batch_;
  PlainList<Step> steps_;
  Cost least_at_start_ = dead_end;  // no run costs less
  Cost level_cost_ = dead_end;      // of this level, while it is being expanded
  std::uint64_t dropped_ = 0;
  std::uint64_t depth_ = 0;
  Pace pace_;
};

// Iterative broadening (Ginsberg, Harvey: Iterative Broadening, Artificial Intelligence 55, 1992): the beam is made
// wider until it holds everything, so that the search is complete after all.
template <Model M, class Costs = UnitCosts>
SearchResult broaden(M& model, const SearchOptions& options, Evaluator& evaluator, BeamPlan plan, std::uint64_t factor,
                     Costs costs = {}) {
  for (;; plan.width = plan.width > UINT64_MAX / factor ? UINT64_MAX : plan.width * factor) {
    SearchResult result = Beam(model, options, evaluator, plan, costs).run();
    if (result.ending != Ending::incomplete) return result;
  }
}

}  // namespace fathom
