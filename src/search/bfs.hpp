// Breadth-first search: the first violation found has a shortest trace as long as the store is exact.
//
// States are expanded in groups, whose steps go into the store together (step_group.hpp).
//
// A store that keeps its states is the queue, and no parents are kept: states lie level by level in the order in which
// they were found, so the parent of a state is the first state of the level above that leads to it. Finding a whole
// trace this way expands each level at most once more. A store that does not keep them has the frontier beside it, and
// the parents or a log of births.
//
// Under a reduction states are expanded one by one. The steps it chose are enough if one of them leads to a state of
// the next level: what was put off has its turn further down, and there are only so many levels. States of this level
// and of those above count as closed, whether they have been expanded or not.
#pragma once

#include <algorithm>
#include <cassert>
#include <random>
#include <stdexcept>

#include "search/birth_log.hpp"
#include "search/level_standing.hpp"
#include "search/level_states.hpp"
#include "search/pace.hpp"
#include "search/parents.hpp"
#include "search/recorder.hpp"
#include "search/step_group.hpp"
#include "store/room.hpp"

namespace fathom {

template <Model M, StateSet S>
class BreadthFirst {
 public:
  BreadthFirst(M& model, S& store, const SearchOptions& options)
      : model_(model),
        store_(store),
        options_(options),
        words_(model.state_words()),
        recorder_(options),
        random_(options.seed),
        group_(words_) {}

  SearchResult run() {
    const bool stopped = run_to_level_of(UINT64_MAX);
    assert(!stopped);
    static_cast<void>(stopped);
    return finish();
  }

  // Stops before the first level of at least so many states, or before which there are so many in all. False: there is
  // none, and the search is over.
  bool run_to_level_of(std::uint64_t large, std::uint64_t many = UINT64_MAX) {
    start();
    while (going_ && !level_empty()) {
      if (level_end_ - level_begin_ >= large || level_end_ >= many) return true;
      if (options_.max_depth && depth_ >= *options_.max_depth) {
        recorder_.result.scope.depth = depth_;
        stop(Ending::bound);
      } else {
        expand_level();
      }
    }
    return false;
  }

  // It ended because the memory is full, and has states to go on with.
  [[nodiscard]] bool is_full() const { return recorder_.result.ending == Ending::memory_limit && level_end_ > 0; }

  // Where it stopped, for a search that goes on from there.
  LevelStanding leave() {
    next_frontier_ = {};
    return {.so_far = std::move(recorder_.result),
            .levels = std::move(levels_),
            .level_begin = level_begin_,
            .level_end = level_end_,
            .depth = depth_,
            .rest = std::vector<IdRange>{{std::max(done_, level_begin_), level_end_}},
            .parents = std::move(parents_),
            .frontier = frontier_.take()};
  }

  SearchResult finish() { return recorder_.finish(store_, store_.size() > level_end_ ? depth_ + 1 : depth_, bytes()); }

  // A run to a stored state, and the step there that goes wrong. Valid after run(), too.
  Counterexample run_to(StateId id, std::optional<InstanceId> failing_step = std::nullopt) {
    Counterexample run;
    run.failing_step = failing_step;
    if constexpr (S::keeps_states)
      run.states = path_by_levels(id);
    else if constexpr (keeps_log)
      run.states = path_by_log(id);
    else
      run.states = states_along(ancestors(id, [&](StateId of) { return StateId{parents_[index_of(of)]}; }), model_,
                                store_, options_.canonicaliser);
    return run;
  }

 private:
  // A store that keeps nothing by which a state could be recognised.
  static constexpr bool keeps_log = !S::keeps_states && !requires(const S s) { s.fingerprint(StateId{}); };

  void start() {
    model_.initial(group_.batch);
    group_.sources.clear();
    level_begin_ = level_end_ = 0;
    levels_ = {0};
    if (!make_room(group_.batch.size())) return stop(Ending::memory_limit);
    for (std::uint32_t k = 0; k < group_.batch.size() && going_; ++k) {
      const Outcome outcome = group_.batch.outcome(k);
      if (outcome.is_fault()) {
        violated({Violation::Kind::fault, 0, outcome.site()}, [&] { return run_to_nowhere(group_.batch.instance(k)); });
      }
    }
    if (going_) insert_batch();
    level_end_ = store_.size();
    if constexpr (!S::keeps_states) std::swap(frontier_, next_frontier_);
  }

  [[nodiscard]] bool level_empty() const { return level_begin_ == level_end_; }

  void expand_level() {
    if (options_.reduction != nullptr)
      expand_reduced();
    else
      expand_in_groups();
    if (!going_) return;
    level_begin_ = level_end_;
    level_end_ = store_.size();
    levels_.push_back(level_begin_);
    if (!level_empty()) ++depth_;
    if constexpr (!S::keeps_states) {
      std::swap(frontier_, next_frontier_);
      next_frontier_.clear();
    }
  }

  void expand_in_groups() {
    for (std::uint64_t id = level_begin_; id < level_end_ && going_;) {
      id = group_.fill(model_, {id, level_end_}, [this](StateId from) { return state(from); });
      expanded_ = id;
      insert_group();
      if (!going_) return;
      done_ = id;
      if (pace_.is_due(group_.batch.size())) pause();
    }
  }

  void expand_reduced() {
    for (std::uint64_t id = level_begin_; id < level_end_ && going_; ++id) {
      group_.batch.clear();
      group_.sources.assign(1, {StateId{id}, 0});
      model_.successors(state(StateId{id}), group_.batch);
      expanded_ = id + 1;
      if (!make_room(group_.batch.size())) return stop(Ending::memory_limit);
      if (options_.order != Order::declared) reorder(0);
      if (is_stuck(model_, options_, state(StateId{id}), group_.batch, 0, group_.batch.size(), false))
        violated({Violation::Kind::deadlock}, [&] { return run_to(StateId{id}); });
      const std::uint32_t enough = move_chosen_to_front(StateId{id});
      if (going_ && !take_steps(StateId{id}, 0, enough) && going_) take_steps(StateId{id}, enough, group_.batch.size());
      if (going_ && pace_.is_due(1 + group_.batch.size())) pause();
    }
  }

  // Returns how many there are.
  std::uint32_t move_chosen_to_front(StateId id) {
    const bool reduced = options_.reduction->pays() &&
                         options_.reduction->select(state(id), group_.batch, 0, group_.batch.size(), chosen_);
    if (!reduced) return group_.batch.size();
    // A step that leads nowhere has nothing behind it that could make up for what is put off.
    for (const std::uint32_t k : chosen_)
      if (!group_.batch.outcome(k).has_successor()) return group_.batch.size();
    for (std::uint32_t k = 0; k < chosen_.size(); ++k)
      if (chosen_[k] != k) group_.batch.swap_steps(k, chosen_[k]);
    return static_cast<std::uint32_t>(chosen_.size());
  }

  // Takes the steps [first, end) of the batch. True if they are enough: there are no others, or one of them leads to
  // the next level.
  bool take_steps(StateId id, std::uint32_t first, std::uint32_t end) {
    for (std::uint32_t k = first; k < end && going_; ++k) {
      recorder_.fire(group_.batch.instance(k));
      if (!recorder_.is_violation(group_.batch.outcome(k)) || reports_nearer_deadlock(id)) continue;
      violated({Violation::Kind::fault, 0, group_.batch.outcome(k).site()},
               [&] { return run_to(id, group_.batch.instance(k)); });
    }
    if (!going_ || end == first) return true;
    bool goes_down = end == group_.batch.size() || options_.proviso == Proviso::none;
    const std::uint64_t closed = options_.proviso == Proviso::level_is_open ? level_begin_ : level_end_;
    for (std::uint32_t k = first; k < end && going_; ++k) {
      if (!group_.batch.outcome(k).has_successor()) continue;
      if (options_.canonicaliser != nullptr) options_.canonicaliser->canonicalise(group_.batch.words(k));
      const auto [found, fresh] = store_.insert(group_.successor(k), store_.hash(group_.successor(k)));
      if (fresh) discover(k);
      goes_down = goes_down || fresh || (S::known_ids && index_of(found) >= closed);
    }
    if (end < group_.batch.size() && goes_down) ++recorder_.result.statistics.reduced;
    return goes_down;
  }

  void insert_group() {
    if (!make_room(group_.batch.size())) return stop(Ending::memory_limit);
    if (options_.order != Order::declared)
      for (std::size_t s = 0; s < group_.sources.size(); ++s) reorder(s);
    const bool faults = group_.count_steps(recorder_.result);
    for (std::size_t s = 0; s < group_.sources.size() && going_; ++s)
      if (faults || !group_.plainly_moves(s, options_, [this](StateId id) { return state(id); }))
        look_at_steps(group_.sources[s].id, group_.sources[s].first, group_.steps_end(s), faults);
    if (going_) insert_batch();
  }

  void insert_batch() {
    group_.canonicalise(options_.canonicaliser);
    if constexpr (ViewedStore<S>) {
      const auto next_index = [this] { return store_.next_index(); };
      group_.template insert_all<true>(store_, options_.check_states, next_index, [this](std::uint32_t k) {
        discover(k);
        return going_;
      });
    } else {
      group_.hash(store_);
      group_.approach(store_);
      if (group_.sources.empty()) insert_steps(0, group_.batch.size());
      for (std::size_t s = 0; s < group_.sources.size() && going_; ++s)
        insert_steps(group_.sources[s].first, group_.steps_end(s));
    }
  }

  // Reports the steps of one state that end in a fault, and decides whether the state is a deadlock: that is about the
  // concrete successors, so it comes before canonicalisation.
  void look_at_steps(StateId id, std::uint32_t first, std::uint32_t end, bool faults) {
    bool moves = false;
    if (faults) {
      for (std::uint32_t k = first; k < end && going_; ++k) {
        if (!group_.batch.outcome(k).is_fault()) continue;
        moves = true;
        if (!recorder_.is_violation(group_.batch.outcome(k)) || reports_nearer_deadlock(id)) continue;
        violated({Violation::Kind::fault, 0, group_.batch.outcome(k).site()},
                 [&] { return run_to(id, group_.batch.instance(k)); });
      }
      if (!going_) return;
    }
    if (is_stuck(model_, options_, state(id), group_.batch, first, end, moves))
      violated({Violation::Kind::deadlock}, [&] { return run_to(id); });
  }

  // The steps of one state, or all start states.
  [[gnu::always_inline]] void insert_steps(std::uint32_t first, std::uint32_t end) {
    const fathom_step* const steps = group_.batch.steps();
    const std::uint64_t* const words = group_.batch.all_words();
    const std::uint32_t length = words_;
    for (std::uint32_t k = first; k < end; ++k) {
      if (steps[k].fault != 0 && !Outcome{steps[k].fault}.goes_on()) continue;
      if (!group_.insert(store_, k, {words + steps[k].offset, length}).fresh) continue;
      if (S::keeps_states && !options_.check_states) continue;
      if constexpr (keeps_log) {
        if (!log_.has_room()) return stop(Ending::memory_limit);
        log_.born(k - first);
      }
      discover(k);
      if (!going_) return;
    }
    if constexpr (keeps_log) log_.end_row();
  }

  // The state from which a step of the batch was taken.
  [[nodiscard]] StateId source_of(std::uint32_t k) const {
    return group_.sources.empty() ? no_parent : group_.source_of(k).id;
  }

  [[gnu::noinline]] void discover(std::uint32_t k) {
    if constexpr (!S::keeps_states) {
      if (!next_frontier_.add(group_.successor(k))) return stop(Ending::memory_limit);
      if constexpr (!keeps_log) parents_.push_back(index_of(source_of(k)));
    }
    if (!options_.check_states) return;
    const std::vector<Violation>& violations = recorder_.examine(model_, group_.successor(k));
    if (violations.empty()) return;
    const StateId from = source_of(k);
    if (reports_nearer_deadlock(from)) return;
    for (const Violation& violation : violations)
      violated(violation, [&] { return run_to_new(from, group_.successor(k)); });
  }

  [[nodiscard]] StateView state(StateId id) const {
    if constexpr (S::keeps_states)
      return store_.state(id);
    else
      return frontier_.state(index_of(id) - level_begin_, words_);
  }

  void reorder(std::size_t s) {
    const std::uint32_t first = group_.sources[s].first, end = group_.steps_end(s);
    for (std::uint32_t k = 0; first + k < end; ++k) {
      const std::uint32_t left = end - first - k;
      const std::uint32_t other =
          options_.order == Order::reverse ? end - 1 - k : first + k + std::uint32_t(random_() % left);
      if (other > first + k) group_.batch.swap_steps(first + k, other);
    }
  }

  // What the steps of this level lead to lies one step further than a deadlock in the level itself, so before the
  // search ends with such a violation the rest of the level is looked through. True if a deadlock was there and was
  // reported.
  bool reports_nearer_deadlock(StateId from) {
    if (from == no_parent || options_.max_errors > 1) return false;
    const std::optional<StateId> nearer = deadlock_after(from);
    if (nearer) violated({Violation::Kind::deadlock}, [&] { return run_to(*nearer); });
    return nearer.has_value();
  }

  std::optional<StateId> deadlock_after(StateId last) {
    if (options_.deadlock == DeadlockMode::off) return std::nullopt;
    std::optional<StateId> found;
    Batch steps;
    model_.quiet(true);
    for (std::uint64_t id = index_of(last) + 1; id < level_end_ && !found; ++id) {
      steps.clear();
      model_.successors(state(StateId{id}), steps);
      if (is_stuck(model_, options_, state(StateId{id}), steps, 0, steps.size(), false)) found = StateId{id};
      if (id % 4096 == 0 && !options_.tick(progress())) break;
    }
    model_.quiet(false);
    return found;
  }

  template <class MakeRun>
  void violated(const Violation& violation, MakeRun make_run) {
    if (recorder_.count(violation)) {
      model_.quiet(true);
      recorder_.result.first = make_run();
      recorder_.result.first->violation = violation;
      recorder_.result.first->shortest = S::exact && options_.reduction == nullptr;
      model_.quiet(false);
    }
    if (recorder_.finished()) stop(Ending::error_limit);
  }

  // ---- Runs: from a start state to a state that is stored, that was just found, or that does not even exist.

  Counterexample run_to_nowhere(InstanceId start_edge) {
    Counterexample run;
    run.failing_step = start_edge;
    return run;
  }

  Counterexample run_to_new(StateId from, StateView found) {
    Counterexample run;
    if (from != no_parent) run = run_to(from);
    run.states.emplace_back(found.begin(), found.end());
    return run;
  }

  std::vector<StateBuffer> path_by_levels(StateId id) requires(S::keeps_states) {
    std::vector<StateBuffer> path;
    auto level = std::upper_bound(levels_.begin(), levels_.end(), index_of(id)) - levels_.begin() - 1;
    for (;; --level) {
      const StateView here = state(id);
      path.emplace_back(here.begin(), here.end());
      if (level == 0) break;
      id = first_predecessor(path.back(), levels_[level - 1], levels_[level]);
    }
    std::reverse(path.begin(), path.end());
    return path;
  }

  StateId first_predecessor(StateView target, std::uint64_t begin, std::uint64_t end) {
    Batch steps;
    for (std::uint64_t id = begin; id < end; ++id) {
      steps.clear();
      model_.successors(state(StateId{id}), steps);
      if (leads_to(steps, words_, options_.canonicaliser,
                   [&](StateView next) { return std::equal(next.begin(), next.end(), target.begin()); }))
        return StateId{id};
    }
    throw std::logic_error("no state of a level leads to a state of the next one");
  }

  std::vector<StateBuffer> path_by_log(StateId id) requires(keeps_log) {
    std::vector<StateBuffer> path;
    Batch steps;
    for (const std::uint32_t step : log_.steps_to(id)) {
      steps.clear();
      if (path.empty())
        model_.initial(steps);
      else
        model_.successors(path.back(), steps);
      if (options_.canonicaliser != nullptr) options_.canonicaliser->canonicalise(steps.words(step));
      path.emplace_back(steps.words(step), steps.words(step) + words_);
    }
    return path;
  }

  // ---- The end.

  void stop(Ending ending) {
    going_ = false;
    recorder_.result.ending = ending;
  }

  [[nodiscard]] bool make_room(std::uint64_t states) {
    return reserve_beside(store_, states, options_.memory_limit, [this] { return bytes(); });
  }

  void pause() {
    if (bytes() > options_.memory_limit) return stop(Ending::memory_limit);
    if (!options_.tick(progress())) stop(Ending::time_or_user);
  }

  [[nodiscard]] Progress progress() const {
    return {.states = store_.size(),
            .transitions = recorder_.result.statistics.transitions,
            .depth = depth_,
            .queue = store_.size() - expanded_,
            .bytes = bytes()};
  }

  [[nodiscard]] std::uint64_t bytes() const {
    const std::uint64_t log = keeps_log ? log_.bytes() : 0;
    return store_.bytes() + log + frontier_.bytes() + next_frontier_.bytes() +
           parents_.capacity() * sizeof(std::uint64_t);
  }

  M& model_;
  S& store_;
  const SearchOptions& options_;
  std::uint32_t words_;
  Recorder recorder_;
  std::mt19937_64 random_;
  bool going_ = true;

  StepGroup<S> group_;
  std::vector<std::uint32_t> chosen_;  // under a reduction

  std::vector<std::uint64_t> levels_;  // the id at which each level begins
  std::uint64_t level_begin_ = 0, level_end_ = 0;
  std::uint64_t depth_ = 0;
  std::uint64_t expanded_ = 0;
  std::uint64_t done_ = 0;  // states whose steps are in the store
  Pace pace_;

  // Only for a store that does not keep states.
  static LevelStates no_states(std::uint64_t memory_limit) {
    return S::keeps_states ? LevelStates() : LevelStates(memory_limit);
  }
  LevelStates frontier_ = no_states(options_.memory_limit), next_frontier_ = no_states(options_.memory_limit);
  std::vector<std::uint64_t> parents_;  // without a log
  BirthLog log_ = keeps_log ? BirthLog(options_.memory_limit) : BirthLog();
};

}  // namespace fathom
