// One thread of a breadth-first search that works level by level (parallel_bfs.hpp): it takes states of the level, a
// few at a time, and puts their successors into the store that all threads share.
#pragma once

#include <atomic>
#include <mutex>

#include "search/found_violation.hpp"
#include "search/id_ranges.hpp"
#include "search/origin_rows.hpp"
#include "search/pace.hpp"
#include "search/recorder.hpp"
#include "search/step_group.hpp"
#include "support/prefetch.hpp"

namespace fathom {

// A store that keeps no states keeps fingerprints by their numbers, and the search the parents; or it knows the levels
// of its fingerprints, and the search keeps nothing; or it knows only what is in it, and the search keeps some of the
// levels (milestones.hpp), and with every state that waits its origin there.
template <class S>
inline constexpr bool knows_levels = requires(S store) {
  store.visit(Hash{}, std::uint64_t{});
};
template <class S>
inline constexpr bool needs_origins = requires(const S store) {
  store.key_bits();
};
template <class S>
inline constexpr bool needs_parents = !S::keeps_states && !knows_levels<S> && !needs_origins<S>;
// The rows of states that wait, where they have origins.
template <class S>
OriginRows origin_rows(const S& store) {
  if constexpr (needs_origins<S>)
    return OriginRows(store.key_bits());
  else
    return OriginRows(0);
}

// States that are handed out to threads, a few at a time.
class StateQueue {
 public:
  void open(std::uint64_t first, std::uint64_t end, unsigned threads) {
    next_.store(first, std::memory_order_relaxed);
    end_ = end;
    portions_ = std::uint64_t{threads} * 32;
  }
  // How many are taken at a time. Towards the end fewer: threads must not wait for one that has much more to do.
  [[nodiscard]] std::uint64_t portion() const { return portion(end_ - next()); }
  // The next states, none when there are no more.
  IdRange take() {
    std::uint64_t first = next(), end;
    do {
      if (first >= end_) return {};
      end = std::min(first + portion(end_ - first), end_);
    } while (!next_.compare_exchange_weak(first, end, std::memory_order_relaxed));
    return {first, end};
  }
  // From here on nobody has taken them yet.
  [[nodiscard]] std::uint64_t next() const { return std::min(next_.load(std::memory_order_relaxed), end_); }
  // What nobody has taken yet; from here on it is taken.
  IdRange take_rest() {
    const std::uint64_t first = next();
    next_.store(end_, std::memory_order_relaxed);
    return {first, end_};
  }

 private:
  [[nodiscard]] std::uint64_t portion(std::uint64_t left) const {
    return std::clamp<std::uint64_t>(left / portions_, 16, 8192);
  }

  alignas(64) std::atomic<std::uint64_t> next_ = 0;
  std::uint64_t end_ = 0;
  std::uint64_t portions_ = 1;  // in which the rest is divided
};

// What the threads have in common while they work on a level.
struct SharedLevel {
  std::uint64_t begin = 0, end = 0;
  StateQueue states;
  IdPool ids;
  alignas(64) std::atomic<bool> halt = false;  // everybody is to come to rest, because there is something to be done
  std::atomic<bool> stop = false;              // the search is over
  std::atomic<std::uint64_t> errors = 0;
  bool finishes = false;  // the level is looked through to its end even if a violation is found
  // Only for a store that does not keep states: what waits, as words or as rows with origins.
  const std::uint64_t* frontier = nullptr;
  std::uint64_t* next_frontier = nullptr;
  std::uint64_t* parents = nullptr;
  const OriginRows::Byte* rows = nullptr;
  OriginRows::Byte* next_rows = nullptr;
};

// The search for a state of a level that leads to a given one.
struct PredecessorSearch {
  StateView target;
  StateQueue states;
  bool least = false;  // look for the least of all such states; otherwise any will do
  std::atomic<bool> found = false;
  std::mutex mutex;
  StateBuffer best;  // empty: none yet
  StateId id{};

  [[nodiscard]] bool goes_on() const { return least || !found.load(std::memory_order_relaxed); }
  void offer(StateId candidate, StateView state) {
    const std::lock_guard lock(mutex);
    const bool better =
        best.empty() || std::lexicographical_compare(state.begin(), state.end(), best.begin(), best.end());
    if (better) best.assign(state.begin(), state.end()), id = candidate;
    found.store(true, std::memory_order_relaxed);
  }
};

template <Model M, StateSet S>
class LevelWorker {
 public:
  LevelWorker(M& model, S& store, Canonicaliser* canonicaliser, const SearchOptions& options, SharedLevel& level)
      : model_(model),
        store_(store),
        canonicaliser_(canonicaliser),
        options_(options),
        level_(level),
        words_(model.state_words()),
        rows_(origin_rows(store)),
        recorder_(options),
        group_(words_) {}

  // Called now and then while there is work.
  std::function<void()> pause;

  // Until the level has no more states, the store no more room, or everybody is to stop.
  void work() {
    if (is_waiting_) {
      group_.forget_hashes();  // the store may have others since it has grown
      if (!take_group()) return;
    }
    while (!level_.stop.load(std::memory_order_relaxed) && !level_.halt.load(std::memory_order_relaxed)) {
      if (mine_.empty()) mine_ = level_.states.take();
      if (mine_.empty()) return;
      expand_some();
      if (!take_group()) return;
    }
  }

  // How many numbers it waits for.
  [[nodiscard]] std::uint64_t needs() const { return is_waiting_ ? group_.batch.size() + level_.ids.range() : 0; }
  // The first state that it has taken and not done with.
  [[nodiscard]] std::uint64_t first_held() const {
    if (is_waiting_) return index_of(group_.sources.front().id);
    return mine_.empty() ? UINT64_MAX : mine_.first;
  }
  // The states that it has taken and not done with; somebody else has to.
  [[nodiscard]] IdRange give_back_states() {
    if (is_waiting_) mine_.first = index_of(group_.sources.front().id);
    is_waiting_ = false;
    return std::exchange(mine_, {});
  }
  void give_back_ids(std::vector<IdRange>& ranges) { ids_.empty_into(ranges); }

  void look_for(PredecessorSearch& search) {
    Batch steps;
    model_.quiet(true);
    for (IdRange some = search.states.take(); !some.empty(); some = search.states.take())
      for (std::uint64_t id = some.first; id < some.end && search.goes_on(); ++id) {
        steps.clear();
        model_.successors(state(StateId{id}), steps);
        const auto is_target = [&](StateView next) { return std::ranges::equal(next, search.target); };
        if (leads_to(steps, words_, canonicaliser_, is_target)) search.offer(StateId{id}, state(StateId{id}));
      }
    model_.quiet(false);
  }

  // What it counted, and the least violation it met since it was last asked.
  [[nodiscard]] const SearchResult& counts() const { return recorder_.result; }
  [[nodiscard]] std::optional<FoundViolation> take_found() { return std::exchange(found_, std::nullopt); }
  // For those who watch from other threads.
  [[nodiscard]] std::uint64_t fresh() const { return fresh_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t expanded() const { return expanded_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t transitions() const { return transitions_.load(std::memory_order_relaxed); }

 private:
  // Valid until another one is asked for.
  [[nodiscard]] StateView state(StateId id) {
    if constexpr (S::keeps_states) {
      return store_.state(id);
    } else if constexpr (needs_origins<S>) {
      rows_.read(level_.rows, index_of(id) - level_.begin, key_.data());
      return store_.state_at(id, key_.data());
    } else {
      return {level_.frontier + (index_of(id) - level_.begin) * words_, words_};
    }
  }

  void expand_some() {
    const auto state_of = [this](StateId id) { return state(id); };
    if constexpr (ViewedStore<S>) {
      if (canonicaliser_ == nullptr) {
        mine_.first = group_.fill_and_fetch(model_, mine_, state_of, store_);
        return;
      }
    }
    mine_.first = group_.fill(model_, mine_, state_of);
  }

  // False: there is no room for the steps yet, and they wait.
  bool take_group() {
    is_waiting_ = !ids_.hold(level_.ids, group_.batch.size());
    if (is_waiting_) {
      level_.halt.store(true, std::memory_order_relaxed);
      return false;
    }
    const bool faults = group_.count_steps(recorder_.result);
    for (std::size_t s = 0; s < group_.sources.size(); ++s)
      if (faults || !group_.plainly_moves(s, options_, [this](StateId id) { return state(id); })) look_at_steps(s);
    insert_steps();
    if constexpr (requires { store_.is_cramped(); }) {
      if (store_.is_cramped()) level_.halt.store(true, std::memory_order_relaxed);
    }
    expanded_.store(expanded() + group_.sources.size(), std::memory_order_relaxed);
    transitions_.store(recorder_.result.statistics.transitions, std::memory_order_relaxed);
    if (pause && pace_.is_due(group_.batch.size())) pause();
    return true;
  }

  void look_at_steps(std::size_t s) {
    const StateId id = group_.sources[s].id;
    const std::uint32_t first = group_.sources[s].first, end = group_.steps_end(s);
    bool moves = false;
    for (std::uint32_t k = first; k < end; ++k) {
      const Outcome outcome = group_.batch.outcome(k);
      moves |= outcome.is_fault();
      if (recorder_.is_violation(outcome))
        violated({Violation::Kind::fault, 0, outcome.site()}, state(id), id, group_.batch.instance(k), false);
    }
    if (is_stuck(model_, options_, state(id), group_.batch, first, end, moves))
      violated({Violation::Kind::deadlock}, state(id), id, std::nullopt, false);
    group_.leave_out_missing(s, state(id));
  }

  void insert_steps() {
    group_.canonicalise(canonicaliser_);
    std::uint64_t fresh = 0, last = 0;
    const auto next_index = [&] {
      ++fresh;
      return last = ids_.take();
    };
    std::size_t source = 0;  // of the step that is looked at
    const auto is_fresh = [&](std::uint32_t k) {
      if (k < group_.sources[source].first) source = 0;
      while (group_.steps_end(source) <= k) ++source;
      take_in(StateId{last}, group_.successor(k), group_.hash_of(k), group_.sources[source].id);
      return true;
    };
    if constexpr (!ViewedStore<S> && !RootedStore<S>)
      insert_one_by_one(next_index);
    else if (is_alone())
      group_.template insert_all<true>(store_, asks_for_fresh(), next_index, is_fresh);
    else
      group_.template insert_all<false>(store_, asks_for_fresh(), next_index, is_fresh);
    fresh_.store(this->fresh() + fresh, std::memory_order_relaxed);
  }

  [[nodiscard]] bool asks_for_fresh() const { return !S::keeps_states || options_.check_states; }
  [[nodiscard]] bool is_alone() const {
    if constexpr (requires { store_.is_alone(); })
      return store_.is_alone();
    else
      return false;
  }

  template <class NextIndex>
  void insert_one_by_one(const NextIndex& next_index) {
    group_.hash(store_);
    group_.approach(store_);
    const fathom_step* const steps = group_.batch.steps();
    const std::uint64_t* const words = group_.batch.all_words();
    for (std::size_t s = 0; s < group_.sources.size(); ++s)
      for (std::uint32_t k = group_.sources[s].first; k < group_.steps_end(s); ++k) {
        if (steps[k].fault != 0 && !Outcome{steps[k].fault}.has_successor()) continue;
        const StateView successor{words + steps[k].offset, words_};
        const Inserted inserted = group_.insert(store_, k, successor, next_index);
        if (inserted.fresh) take_in(inserted.id, successor, group_.hash_of(k), group_.sources[s].id);
      }
  }

  void take_in(StateId id, StateView found, const Hash& hash, StateId from) {
    if constexpr (!S::keeps_states) put_down(id, found, hash, from);
    if (options_.check_states) discover(found, from);
  }

  // A state that the store does not keep waits elsewhere. A thread writes there one behind the other; what is on its
  // way when the next lock is taken would be waited for.
  static constexpr std::uint64_t rows_ahead = 16;
  [[gnu::always_inline]] void put_down(StateId id, StateView found, const Hash& hash, StateId from) {
    const std::uint64_t k = index_of(id) - level_.end;
    if constexpr (needs_origins<S>) {
      rows_.write(level_.next_rows, k, store_.key_of(found, hash),
                  rows_.origin(level_.rows, index_of(from) - level_.begin));
      prefetch_to_write(level_.next_rows + (k + rows_ahead) * rows_.bytes());
    } else {
      std::ranges::copy(found, level_.next_frontier + k * words_);
    }
    if constexpr (needs_parents<S>) level_.parents[index_of(id)] = index_of(from);
  }

  [[gnu::noinline]] void discover(StateView found, StateId from) {
    for (const Violation& violation : recorder_.examine(model_, found))
      violated(violation, found, from, std::nullopt, true);
  }

  void violated(const Violation& violation, StateView where, StateId from, std::optional<InstanceId> step,
                bool is_new) {
    static_cast<void>(recorder_.count(violation));
    FoundViolation found{violation, {where.begin(), where.end()}, from, step, is_new};
    if constexpr (needs_origins<S>) found.origin = rows_.origin(level_.rows, index_of(from) - level_.begin);
    if (!found_ || found < *found_) found_ = std::move(found);
    const bool enough = level_.errors.fetch_add(1, std::memory_order_relaxed) + 1 >= options_.max_errors;
    if (enough && (!level_.finishes || violation.kind == Violation::Kind::deadlock) && !options_.deterministic)
      level_.stop.store(true, std::memory_order_relaxed);
  }

  M& model_;
  S& store_;
  Canonicaliser* const canonicaliser_;
  const SearchOptions& options_;
  SharedLevel& level_;
  const std::uint32_t words_;
  const OriginRows rows_;                    // where it needs_origins
  OriginRows::Key key_ = rows_.empty_key();  // of the last state that was asked for
  Recorder recorder_;
  StepGroup<S> group_;
  IdStock ids_;
  bool is_waiting_ = false;  // the group is complete and not in the store yet
  IdRange mine_;             // states of the level that it has taken
  Pace pace_;
  std::optional<FoundViolation> found_;
  alignas(64) std::atomic<std::uint64_t> fresh_ = 0;
  std::atomic<std::uint64_t> expanded_ = 0;
  std::atomic<std::uint64_t> transitions_ = 0;
};

}  // namespace fathom
