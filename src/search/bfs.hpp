// Breadth-first search: the first violation found has a shortest trace as long as the store is exact.
//
// States are expanded in groups: the successors of a few states are collected in one batch, hashed and their buckets
// prefetched, and only then inserted. By that time the memory has arrived: the store costs a third of what one look-up
// at a time would (group prefetching: Chen, Ailamaki, Gibbons, Mowry 2004).
//
// A store that keeps its states is the queue, and no parents are kept: states lie level by level in the order in which
// they were found, so the parent of a state is the first state of the level above that leads to it. Finding a whole
// trace this way expands each level at most once more. A store of fingerprints has the frontier and the parents beside
// it.
//
// Under a reduction states are expanded one by one. The steps it chose are enough if one of them leads to a state of
// the next level: what was put off has its turn further down, and there are only so many levels. States of this level
// and of those above count as closed, whether they have been expanded or not.
#pragma once

#include <algorithm>
#include <random>
#include <stdexcept>

#include "search/deadlock.hpp"
#include "search/recorder.hpp"
#include "store/short_states.hpp"
#include "store/store.hpp"

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
        random_(options.seed) {}

  SearchResult run() {
    start();
    while (going_ && !level_empty()) {
      if (options_.max_depth && depth_ >= *options_.max_depth) {
        recorder_.result.scope.depth = depth_;
        stop(Ending::bound);
      } else {
        expand_level();
      }
    }
    return finish();
  }

  // A run to a stored state, and the step there that goes wrong. Valid after run(), too.
  Counterexample run_to(StateId id, std::optional<InstanceId> failing_step = std::nullopt) {
    Counterexample run;
    run.failing_step = failing_step;
    if constexpr (S::keeps_states)
      run.states = path_by_levels(id);
    else
      run.states = path_by_parents(id);
    return run;
  }

 private:
  static constexpr std::uint32_t group_size = 96;  // steps; enough to hide memory latency, few enough for the L1 cache

  static constexpr StateId no_parent{max_states};  // of a start state

  // The steps of one expanded state in the batch: from `first` up to the next source's.
  struct Source {
    StateId id;
    std::uint32_t first;
  };

  void start() {
    model_.initial(batch_);
    sources_.clear();
    level_begin_ = level_end_ = 0;
    levels_ = {0};
    if (!store_.reserve(batch_.size())) return stop(Ending::memory_limit);
    for (std::uint32_t k = 0; k < batch_.size() && going_; ++k) {
      const Outcome outcome = batch_.outcome(k);
      if (outcome.is_fault()) {
        violated({Violation::Kind::fault, 0, outcome.site()}, [&] { return run_to_nowhere(batch_.instance(k)); });
      }
    }
    if (going_) insert_batch();
    level_end_ = store_.size();
    if constexpr (!S::keeps_states) frontier_.swap(next_frontier_);
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
      frontier_.swap(next_frontier_);
      next_frontier_.clear();
    }
  }

  void expand_in_groups() {
    for (std::uint64_t id = level_begin_; id < level_end_ && going_;) {
      batch_.clear();
      sources_.clear();
      while (id < level_end_ && batch_.size() < group_size) {
        sources_.push_back({StateId{id}, batch_.size()});
        model_.successors(state(StateId{id}), batch_);
        ++id;
      }
      expanded_ = id;
      insert_group();
      if (going_ && ++groups_ % 64 == 0) pause();
    }
  }

  void expand_reduced() {
    for (std::uint64_t id = level_begin_; id < level_end_ && going_; ++id) {
      batch_.clear();
      sources_.assign(1, {StateId{id}, 0});
      model_.successors(state(StateId{id}), batch_);
      expanded_ = id + 1;
      if (!store_.reserve(batch_.size())) return stop(Ending::memory_limit);
      if (options_.order != Order::declared) reorder(0);
      if (is_stuck(StateId{id}, batch_, 0, batch_.size(), false))
        violated({Violation::Kind::deadlock}, [&] { return run_to(StateId{id}); });
      const std::uint32_t enough = move_chosen_to_front(StateId{id});
      if (going_ && !take_steps(StateId{id}, 0, enough) && going_) take_steps(StateId{id}, enough, batch_.size());
      if (going_ && id % 4096 == 0) pause();
    }
  }

  // Returns how many there are.
  std::uint32_t move_chosen_to_front(StateId id) {
    const bool reduced =
        options_.reduction->pays() && options_.reduction->select(state(id), batch_, 0, batch_.size(), chosen_);
    if (!reduced) return batch_.size();
    // A step that leads nowhere has nothing behind it that could make up for what is put off.
    for (const std::uint32_t k : chosen_)
      if (!batch_.outcome(k).has_successor()) return batch_.size();
    for (std::uint32_t k = 0; k < chosen_.size(); ++k)
      if (chosen_[k] != k) batch_.swap_steps(k, chosen_[k]);
    return static_cast<std::uint32_t>(chosen_.size());
  }

  // Takes the steps [first, end) of the batch. True if they are enough: there are no others, or one of them leads to
  // the next level.
  bool take_steps(StateId id, std::uint32_t first, std::uint32_t end) {
    for (std::uint32_t k = first; k < end && going_; ++k) {
      recorder_.fire(batch_.instance(k));
      if (!recorder_.is_violation(batch_.outcome(k)) || reports_nearer_deadlock(id)) continue;
      violated({Violation::Kind::fault, 0, batch_.outcome(k).site()}, [&] { return run_to(id, batch_.instance(k)); });
    }
    if (!going_ || end == first) return true;
    bool goes_down = end == batch_.size() || options_.proviso == Proviso::none;
    const std::uint64_t closed = options_.proviso == Proviso::level_is_open ? level_begin_ : level_end_;
    for (std::uint32_t k = first; k < end && going_; ++k) {
      if (!batch_.outcome(k).has_successor()) continue;
      if (options_.canonicaliser != nullptr) options_.canonicaliser->canonicalise(batch_.words(k));
      const auto [found, fresh] = store_.insert(successor(k), store_.hash(successor(k)));
      if (fresh) discover(k);
      goes_down = goes_down || fresh || (S::known_ids && index_of(found) >= closed);
    }
    if (end < batch_.size() && goes_down) ++recorder_.result.statistics.reduced;
    return goes_down;
  }

  void insert_group() {
    if (!store_.reserve(batch_.size())) return stop(Ending::memory_limit);
    if (options_.order != Order::declared)
      for (std::size_t s = 0; s < sources_.size(); ++s) reorder(s);
    const bool faults = count_steps();
    const bool any_step_counts = options_.valid_end || options_.deadlock != DeadlockMode::stuttering;
    for (std::size_t s = 0; s < sources_.size() && going_; ++s)
      if (faults || !plainly_moves(s, any_step_counts))
        look_at_steps(sources_[s].id, sources_[s].first, steps_end(s), faults);
    if (going_) insert_batch();
  }

  void insert_batch() {
    if (options_.canonicaliser != nullptr)
      for (std::uint32_t k = 0; k < batch_.size(); ++k)
        if (batch_.outcome(k).has_successor()) options_.canonicaliser->canonicalise(batch_.words(k));
    if (hashes_.size() < batch_.size()) {
      hashes_.resize(batch_.size());
      slots_.resize(batch_.size());
    }
    if constexpr (LoneStore<S>) {
      without_loop(
          words_, [&]<std::uint32_t... k>(std::integer_sequence<std::uint32_t, k...>) { insert_alone<sizeof...(k)>(); },
          [&] { insert_alone<0>(); });
    } else {
      hash_batch();
      approach_all();
      insert_steps();
    }
  }

  [[nodiscard]] std::uint32_t steps_end(std::size_t s) const {
    return s + 1 < sources_.size() ? sources_[s + 1].first : batch_.size();
  }

  // Whether the first step of a state shows that it is no deadlock, as it nearly always does.
  [[nodiscard, gnu::always_inline]] bool plainly_moves(std::size_t s, bool any_step_counts) {
    const std::uint32_t first = sources_[s].first;
    if (first == steps_end(s)) return false;
    return any_step_counts || !same_words(state(sources_[s].id).data(), batch_.words(first), words_);
  }

  // Returns whether some step ends otherwise than in a successor.
  bool count_steps() {
    const fathom_step* const steps = batch_.steps();
    const std::uint32_t count = batch_.size();
    std::uint64_t* const __restrict fired = recorder_.result.fired.data();
    std::uint32_t endings = 0;
    for (std::uint32_t k = 0; k < count; ++k) {
      ++fired[steps[k].instance >> 32];
      endings |= steps[k].fault;
    }
    recorder_.result.statistics.transitions += count;
    return endings != 0;
  }

  // Reports the steps of one state that end in a fault, and decides whether the state is a deadlock: that is about the
  // concrete successors, so it comes before canonicalisation.
  void look_at_steps(StateId id, std::uint32_t first, std::uint32_t end, bool faults) {
    bool moves = false;
    if (faults) {
      for (std::uint32_t k = first; k < end && going_; ++k) {
        if (!batch_.outcome(k).is_fault()) continue;
        moves = true;
        if (!recorder_.is_violation(batch_.outcome(k)) || reports_nearer_deadlock(id)) continue;
        violated({Violation::Kind::fault, 0, batch_.outcome(k).site()}, [&] { return run_to(id, batch_.instance(k)); });
      }
      if (!going_) return;
    }
    if (is_stuck(id, batch_, first, end, moves)) violated({Violation::Kind::deadlock}, [&] { return run_to(id); });
  }

  [[nodiscard]] bool is_stuck(StateId id, Batch& batch, std::uint32_t first, std::uint32_t end, bool moves) {
    if (options_.deadlock == DeadlockMode::off) return false;
    const StateView from = state(id);
    for (std::uint32_t k = first; k < end && !moves; ++k)
      moves = batch.outcome(k).is_fault() || !same_words(from.data(), batch.words(k), words_);
    return is_deadlock(model_, options_, from, first != end, moves);
  }

  // The loops from here to insert_steps run once per transition. Pointers are held in locals, because the compiler must
  // otherwise assume that every store of a word changes them, and what is written to is declared apart from the rest.
  template <std::uint32_t known>
  void insert_alone() {
    const fathom_step* const steps = batch_.steps();
    const std::uint64_t* const words = batch_.all_words();
    const std::uint32_t count = batch_.size();
    Hash* const __restrict hashes = hashes_.data();
    std::uint64_t* const __restrict slots = slots_.data();
    typename S::template Alone<known> store(store_);
    for (std::uint32_t k = 0; k < count; ++k) {
      hashes[k] = store.hash(words + steps[k].offset);
      store.prefetch(hashes[k]);
    }
    constexpr bool staged = StagedStore<S>;
    for (std::uint32_t k = 0; staged && k < count; ++k) slots[k] = store.approach(hashes[k]);
    for (std::uint32_t k = 0; k < count; ++k) {
      if (steps[k].fault != 0 && !Outcome{steps[k].fault}.goes_on()) continue;
      const std::uint64_t slot = staged ? slots[k] : store.approach(hashes[k]);
      if (!store.insert(slot, words + steps[k].offset, hashes[k]) || !options_.check_states) continue;
      discover(k);
      if (!going_) return;
    }
  }

  void hash_batch() {
    if constexpr (requires { store_.near(StateId{}); }) {
      hash_together();
    } else {
      const fathom_step* const steps = batch_.steps();
      const std::uint64_t* const words = batch_.all_words();
      const std::uint32_t count = batch_.size();
      Hash* const __restrict hashes = hashes_.data();
      const S& store = store_;
      for (std::uint32_t k = 0; k < count; ++k) {
        const Hash hash = store.hash({words + steps[k].offset, words_});
        store.prefetch(hash);
        hashes[k] = hash;
      }
    }
  }

  // For a store that profits from knowing where a state was reached from.
  void hash_together() {
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      store_.near(sources_[s].id);
      for (std::uint32_t k = sources_[s].first; k < steps_end(s); ++k) store_.add({batch_.words(k), words_});
    }
    if (sources_.empty())
      for (std::uint32_t k = 0; k < batch_.size(); ++k) store_.add({batch_.words(k), words_});
    store_.hash_added(hashes_.data());
    for (std::uint32_t k = 0; k < batch_.size(); ++k) store_.prefetch(hashes_[k]);
  }

  void approach_all() {
    if constexpr (StagedStore<S>) {
      const std::uint32_t count = batch_.size();
      const Hash* const hashes = hashes_.data();
      std::uint64_t* const __restrict slots = slots_.data();
      const S& store = store_;
      for (std::uint32_t k = 0; k < count; ++k) slots[k] = store.approach(hashes[k]);
    }
  }

  bool insert_step(std::uint32_t k, StateView state) {
    if constexpr (StagedStore<S>)
      return store_.insert_from(slots_[k], state, hashes_[k]).fresh;
    else
      return store_.insert(state, hashes_[k]).fresh;
  }

  void insert_steps() {
    const fathom_step* const steps = batch_.steps();
    const std::uint64_t* const words = batch_.all_words();
    const std::uint32_t length = words_;
    for (std::uint32_t k = 0; k < batch_.size(); ++k) {
      if (steps[k].fault != 0 && !Outcome{steps[k].fault}.goes_on()) continue;
      if (!insert_step(k, {words + steps[k].offset, length})) continue;
      if (S::keeps_states && !options_.check_states) continue;
      discover(k);
      if (!going_) return;
    }
  }

  // The state from which a step of the batch was taken.
  [[nodiscard]] StateId source_of(std::uint32_t k) const {
    if (sources_.empty()) return no_parent;
    return std::prev(std::ranges::upper_bound(sources_, k, {}, &Source::first))->id;
  }

  [[gnu::noinline]] void discover(std::uint32_t k) {
    if constexpr (!S::keeps_states) {
      next_frontier_.insert(next_frontier_.end(), batch_.words(k), batch_.words(k) + words_);
      parents_.push_back(index_of(source_of(k)));
    }
    if (!options_.check_states) return;
    const std::vector<Violation>& violations = recorder_.examine(model_, successor(k));
    if (violations.empty()) return;
    const StateId from = source_of(k);
    if (reports_nearer_deadlock(from)) return;
    for (const Violation& violation : violations) violated(violation, [&] { return run_to_new(from, successor(k)); });
  }

  [[nodiscard]] StateView successor(std::uint32_t k) { return {batch_.words(k), words_}; }

  [[nodiscard]] StateView state(StateId id) const {
    if constexpr (S::keeps_states)
      return store_.state(id);
    else
      return {&frontier_[(index_of(id) - level_begin_) * words_], words_};
  }

  void reorder(std::size_t s) {
    const std::uint32_t first = sources_[s].first, end = steps_end(s);
    for (std::uint32_t k = 0; first + k < end; ++k) {
      const std::uint32_t left = end - first - k;
      const std::uint32_t other =
          options_.order == Order::reverse ? end - 1 - k : first + k + std::uint32_t(random_() % left);
      if (other > first + k) batch_.swap_steps(first + k, other);
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
      if (is_stuck(StateId{id}, steps, 0, steps.size(), false)) found = StateId{id};
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
      if (leads_to(steps, [&](StateView next) { return std::equal(next.begin(), next.end(), target.begin()); }))
        return StateId{id};
    }
    throw std::logic_error("no state of a level leads to a state of the next one");
  }

  // Follows the chain of parents forward again, recognising each state by its fingerprint.
  std::vector<StateBuffer> path_by_parents(StateId id) requires(!S::keeps_states) {
    std::vector<StateId> chain;
    for (std::uint64_t at = index_of(id); StateId{at} != no_parent; at = parents_[at]) chain.push_back(StateId{at});
    std::vector<StateBuffer> path;
    Batch steps;
    model_.initial(steps);
    for (auto next = chain.rbegin(); next != chain.rend(); ++next) {
      const bool found = leads_to(steps, [&](StateView candidate) {
        if (store_.hash(candidate) != store_.fingerprint(*next)) return false;
        path.emplace_back(candidate.begin(), candidate.end());
        return true;
      });
      if (!found) throw std::logic_error("a state does not lead to its recorded successor");
      steps.clear();
      model_.successors(path.back(), steps);
    }
    return path;
  }

  template <class Test>
  bool leads_to(Batch& steps, Test test) {
    for (std::uint32_t k = 0; k < steps.size(); ++k) {
      if (!steps.outcome(k).has_successor()) continue;
      if (options_.canonicaliser != nullptr) options_.canonicaliser->canonicalise(steps.words(k));
      if (test({steps.words(k), words_})) return true;
    }
    return false;
  }

  // ---- The end.

  void stop(Ending ending) {
    going_ = false;
    recorder_.result.ending = ending;
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
    return store_.bytes() + (frontier_.size() + next_frontier_.size() + parents_.size()) * sizeof(std::uint64_t);
  }

  SearchResult finish() { return recorder_.finish(store_, store_.size() > level_end_ ? depth_ + 1 : depth_, bytes()); }

  M& model_;
  S& store_;
  const SearchOptions& options_;
  std::uint32_t words_;
  Recorder recorder_;
  std::mt19937_64 random_;
  bool going_ = true;

  Batch batch_;
  std::vector<Source> sources_;
  std::vector<Hash> hashes_;
  std::vector<std::uint32_t> chosen_;  // under a reduction
  std::vector<std::uint64_t> slots_;   // where the look-ups in the store go on

  std::vector<std::uint64_t> levels_;  // the id at which each level begins
  std::uint64_t level_begin_ = 0, level_end_ = 0;
  std::uint64_t depth_ = 0;
  std::uint64_t expanded_ = 0;
  std::uint64_t groups_ = 0;

  // Only for a store that does not keep states.
  std::vector<std::uint64_t> frontier_, next_frontier_;
  std::vector<std::uint64_t> parents_;
};

}  // namespace fathom
