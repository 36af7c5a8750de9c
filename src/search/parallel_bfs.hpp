// Breadth-first search with several threads: all of them work on one level, and the next begins when they have done. So
// every state is found at the same depth as by one thread, traces are as short, and the counts are the same.
//
// Between two pieces of work the store looks as if one thread had filled it: the states of a level have consecutive
// numbers. The table grows then, too, by the threads together; one that needs more room says so and all come to a halt.
// (Shared table and level barrier: Laarman, van de Pol, Weber, FMCAD 2010. Numbers in ranges, because a counter that
// every new state increases would be what 16 threads wait for.)
//
// A violation does not end the search on the spot where a deadlock of the same level would be nearer. With
// `deterministic` no violation does: the level is finished and the least violation is taken, and of the states that
// lead to a state the least becomes its parent, so that the trace does not depend on the threads.
#pragma once

#include <memory>
#include <mutex>
#include <stdexcept>

#include "search/checkpoint.hpp"
#include "search/level_worker.hpp"
#include "search/milestones.hpp"
#include "search/parents.hpp"
#include "search/path_by_labels.hpp"
#include "search/run_again.hpp"
#include "search/thread_parts.hpp"
#include "support/team.hpp"
#include "support/virtual_array.hpp"

namespace fathom {

template <Model M, SharedStore S>
class ParallelBreadthFirst {
 public:
  // `more` makes the parts of another thread; it is asked when there is work for several.
  ParallelBreadthFirst(M& model, S& store, const SearchOptions& options, LevelStanding standing,
                       std::function<ThreadParts<M>()> more)
      : model_(model),
        store_(store),
        options_(options),
        more_(std::move(more)),
        words_(model.state_words()),
        recorder_(options),
        levels_(std::move(standing.levels)),
        level_begin_(standing.level_begin),
        level_end_(standing.level_end),
        depth_(standing.depth),
        rest_(standing.rest.value_or(std::vector<IdRange>{{level_begin_, level_end_}})) {
    recorder_.result = std::move(standing.so_far);
    shared_.errors = recorder_.result.statistics.errors;
    shared_.finishes = options.max_errors == 1 && options.deadlock != DeadlockMode::off;
    if constexpr (!S::keeps_states) take_over(standing);
    workers_.push_back(worker_with({&model, options.canonicaliser}, store_));
    workers_[0]->pause = [this] { pause(); };
  }

  SearchResult run() {
    if constexpr (needs_origins<S>)
      if (milestones_.empty()) pass_milestone();
    while (going_ && level_begin_ != level_end_) {
      if (store_.size() >= most_states && is_before_level()) {
        hands_over_ = true;
        break;
      }
      if (options_.max_depth && depth_ >= *options_.max_depth) {
        recorder_.result.scope.depth = depth_;
        stop(Ending::bound);
      } else {
        expand_level();
      }
    }
    if (going_ && more_follows && save) save();
    return finish();
  }

  // It stops before the first level at which there are so many states, for another one to go on.
  std::uint64_t most_states = UINT64_MAX;
  [[nodiscard]] bool is_to_go_on() const { return hands_over_; }

  // Asked now and then whether it is time to save, which is done when all threads are at rest: then write() writes
  // everything that the search and its store know. It is also done when a limit or the user ends the search, and when
  // it has come to its end but more is to be found out about its states, which may take as long.
  std::function<bool()> save_due;
  std::function<void()> save;
  bool more_follows = false;

  void write(SealedWriter& out) const requires(!knows_levels<S>) {
    SearchResult so_far = recorder_.result;
    for (const auto& worker : workers_) add_counts(worker->counts(), so_far);
    save_standing({std::move(so_far), levels_, level_begin_, level_end_, depth_, rest_}, out);
    store_.save(out);
    if constexpr (!S::keeps_states) {
      out.words(waiting_in_level());
      out.words(waiting_for_next());
    }
    if constexpr (needs_parents<S>) out.words({parents_.data(), store_.size()});
    if constexpr (needs_origins<S>) write_way(out);
  }

  // What stands behind the store, into a search that has not begun and was given the standing and the store. False: it
  // does not fit into the memory.
  [[nodiscard]] bool read(SealedReader& in) requires(!knows_levels<S>) {
    if constexpr (!S::keeps_states) {
      if (!has_room_for_waiting()) return false;
      in.words(waiting_in_level());
      in.words(waiting_for_next());
      most_in_next_ = store_.size() - level_end_;
    }
    if constexpr (needs_parents<S>) in.words({parents_.data(), store_.size()});
    if constexpr (needs_origins<S>) read_way(in);
    return !needs_origins<S> || store_.bytes() + milestones_.bytes() + waiting_bytes() <= options_.memory_limit;
  }

  // After run() has returned the counts, because the memory was full or another is to go on: where it stopped.
  LevelStanding leave(SearchResult so_far) {
    LevelStanding standing{std::move(so_far), std::move(levels_), level_begin_, level_end_, depth_, std::move(rest_)};
    standing.frontier = std::move(frontier_);
    standing.next_frontier = std::move(next_frontier_);
    return standing;
  }

  // A run to a stored state, and the step there that goes wrong. Valid after run(), too.
  Counterexample run_to(StateId id, std::optional<InstanceId> failing_step = std::nullopt) {
    Counterexample run;
    run.failing_step = failing_step;
    if constexpr (S::keeps_states)
      run.states = path_by_levels(id);
    else if constexpr (needs_parents<S>)
      run.states = path_by_parents(id);
    else
      throw std::logic_error("the state is not there any more");
    return run;
  }

 private:
  using Worker = LevelWorker<M, S>;

  // Fewer states than these are not worth waking anybody.
  static constexpr std::uint64_t enough_for_all = 1024;
  // What the store makes room for at least, so that the threads need not halt too often, and what is no room any more.
  static constexpr std::uint64_t most_asked = std::uint64_t{1} << 16, least_asked = std::uint64_t{1} << 12;

  // ---- What is saved and read.

  // The words in which these states stand whose rows are in an array.
  [[nodiscard]] std::span<std::uint64_t> words_of_rows(const VirtualArray<std::uint64_t>& rows, std::uint64_t first,
                                                       std::uint64_t end) const {
    constexpr std::uint64_t word = sizeof(std::uint64_t);
    const std::uint64_t first_word = first * row_bytes_ / word;
    return {rows.data() + first_word, (end * row_bytes_ + word - 1) / word - first_word};
  }
  [[nodiscard]] std::span<std::uint64_t> waiting_in_level() const {
    return words_of_rows(frontier_, first_in_rest() - level_begin_, level_end_ - level_begin_);
  }
  [[nodiscard]] std::span<std::uint64_t> waiting_for_next() const {
    return words_of_rows(next_frontier_, 0, store_.size() - level_end_);
  }

  [[nodiscard]] std::uint64_t waiting_bytes() const { return (store_.size() - first_in_rest()) * row_bytes_; }
  // Rows stand where they would if the whole level waited.
  [[nodiscard]] bool has_room_for_waiting() const {
    const std::uint64_t parents = needs_parents<S> ? store_.size() * sizeof(std::uint64_t) : 0;
    return store_.bytes() + parents + waiting_bytes() <= options_.memory_limit &&
           std::max(level_end_ - level_begin_, store_.size() - level_end_) * row_bytes_ <=
               frontier_.capacity() * sizeof(std::uint64_t);
  }

  void write_way(SealedWriter& out) const {
    milestones_.save(out);
    out.number(first_found_ ? 1 : 0);
    if (!first_found_) return;
    first_found_->save(out);
    out.number(way_.size());
    for (const Waypoint& point : way_) {
      out.number(point.depth);
      out.list(point.state);
    }
  }
  void read_way(SealedReader& in) {
    milestones_.load(in);
    if (in.number() == 0) return;
    first_found_ = FoundViolation::loaded(in);
    for (std::uint64_t count = in.number(); count > 0; --count) {
      const std::uint64_t depth = in.number();
      way_.push_back({depth, in.list()});
    }
  }

  // ---- Threads.

  [[nodiscard]] std::unique_ptr<Worker> worker_with(const ThreadParts<M>& parts, S& store) {
    return std::make_unique<Worker>(*parts.model, store, parts.canonicaliser, options_, shared_);
  }

  [[nodiscard]] std::unique_ptr<Worker> another_worker() {
    S* store = &store_;
    if constexpr (requires { store_.for_another_thread(); })
      store = views_.emplace_back(store_.for_another_thread()).get();
    return worker_with(more_(), *store);
  }

  // Each thread makes what it will write to (crew.hpp says why).
  void gather_team() {
    team_ = std::make_unique<Team>(options_.threads);
    workers_.resize(team_->size());
    std::mutex one_at_a_time;
    team_->run([&](unsigned k) {
      const std::lock_guard lock(one_at_a_time);
      if (workers_[k] == nullptr) workers_[k] = another_worker();
    });
    recorder_.result.statistics.threads = team_->size();
  }

  // The team for so many states, or null if one thread is enough.
  Team* team_for(std::uint64_t states) {
    if (options_.threads <= 1 || states < enough_for_all) return nullptr;
    if (team_ == nullptr) gather_team();
    return team_.get();
  }

  template <class Work>
  void with(Team* team, const Work& work) {
    if (team == nullptr)
      work(*workers_[0]);
    else
      team->run([&](unsigned k) { work(*workers_[k]); });
  }

  // ---- A level.

  [[nodiscard]] bool is_before_level() const {
    const std::uint64_t in_level = level_end_ - level_begin_;
    return numbers_in(rest_) == in_level && store_.size() == level_end_;
  }

  void expand_level() {
    open_level();
    while (going_ && !shared_.stop && !rest_.empty()) {
      const IdRange states = rest_.back();
      rest_.pop_back();
      expand(states);
    }
    take_violations();
    if (going_) return next_level();
    if (save && recorder_.result.ending != Ending::error_limit) save();
  }

  void expand(IdRange states) {
    Team* const team = team_for(states.end - states.first);
    shared_.states.open(states.first, states.end, team == nullptr ? 1 : team->size());
    std::uint64_t needed = 0;
    for (bool is_done = false; !is_done;) {
      shared_.halt = false;
      shared_.ids.open(store_.size(), store_.size() + std::min(room(), handed_out(needed)), shared_.states.portion());
      with(team, [](Worker& worker) { worker.work(); });
      settle();
      if constexpr (knows_levels<S> || needs_origins<S>) give_back_expanded();
      is_done = !shared_.halt;
      needed = ids_needed();
      if (going_ && (needed > 0 || is_cramped())) make_room(needed, team);
      if (!going_ || shared_.stop || save_is_due_) break;
    }
    put_back();
    if (going_ && std::exchange(save_is_due_, false)) save_inside_level();
  }

  // A search that has found its violation is about to end.
  void save_inside_level() {
    if (shared_.errors >= options_.max_errors) return;
    take_violations();
    save();
  }

  // What was not expanded has its turn later.
  void put_back() {
    const auto add = [&](IdRange range) {
      if (!range.empty()) rest_.push_back(range);
    };
    for (const auto& worker : workers_) add(worker->give_back_states());
    add(shared_.states.take_rest());
  }

  void open_level() {
    shared_.begin = level_begin_;
    shared_.end = level_end_;
    if constexpr (needs_origins<S>) {
      shared_.rows = rows_in(frontier_);
      shared_.next_rows = rows_in(next_frontier_);
    } else if constexpr (!S::keeps_states) {
      shared_.frontier = frontier_.data();
      shared_.next_frontier = next_frontier_.data();
      shared_.parents = parents_.data();
    }
    if constexpr (knows_levels<S>) store_.set_level(depth_ + 1);
  }

  [[nodiscard]] std::uint64_t room() const {
    if constexpr (S::keeps_states) return store_.room();
    const std::uint64_t in_frontier =
        next_frontier_.capacity() * sizeof(std::uint64_t) / row_bytes_ - (store_.size() - level_end_);
    const std::uint64_t room = std::min(store_.room(), in_frontier);
    return needs_parents<S> ? std::min(room, parents_.capacity() - store_.size()) : room;
  }

  // Numbers that are handed out at a time, where that is not all there is room for: when they are spent, the memory of
  // states that were expanded is given back, or one looks whether it is time to begin with that.
  [[nodiscard]] std::uint64_t handed_out(std::uint64_t needed) const {
    if (S::keeps_states || needs_parents<S>) return UINT64_MAX;
    const std::uint64_t some = gives_back() ? (level_end_ - level_begin_) / 8 : options_.memory_limit / 4 / row_bytes_;
    return needed + std::max(most_asked, some);
  }

  [[nodiscard]] std::uint64_t first_in_rest() const {
    std::uint64_t first = level_end_;
    for (const IdRange& states : rest_) first = std::min(first, states.first);
    return first;
  }

  // The memory of states that were expanded is needed again for those of the next level but one. It is given back
  // meanwhile only when there is little, since the system clears what it hands out.
  [[nodiscard]] bool gives_back() const { return knows_levels<S> || (needs_origins<S> && is_short_of_memory_); }

  void give_back_expanded() requires(knows_levels<S> || needs_origins<S>) {
    kept_from_ = std::min(first_in_rest(), shared_.states.next());
    for (const auto& worker : workers_) kept_from_ = std::min(kept_from_, worker->first_held());
    if (!gives_back() && bytes(store_.size()) > options_.memory_limit / 2) begin_to_give_back();
    if (gives_back()) give_back_rows(frontier_, 0, kept_from_ - level_begin_);
  }

  void begin_to_give_back() {
    is_short_of_memory_ = true;
    give_back_rows(frontier_, 0, kept_from_ - level_begin_);
    give_back_rows(frontier_, level_end_ - level_begin_, most_in_frontier_);
    give_back_rows(next_frontier_, store_.size() - level_end_, most_in_next_);
  }

  void give_back_rows(const VirtualArray<std::uint64_t>& rows, std::uint64_t first, std::uint64_t end) const {
    constexpr std::uint64_t word = sizeof(std::uint64_t);
    if (first < end) rows.give_back((first * row_bytes_ + word - 1) / word, end * row_bytes_ / word);
  }

  // Makes the numbers of states consecutive again.
  void settle() {
    unused_.clear();
    for (const auto& worker : workers_) worker->give_back_ids(unused_);
    const std::uint64_t end = shared_.ids.next();
    renumber(store_, to_fill_gaps(unused_, end), [this](StateId from, StateId to) { move(from, to); });
    store_.set_size(end - numbers_in(unused_));
    if constexpr (requires { store_.overflowed(); }) {
      if (store_.overflowed()) stop(Ending::memory_limit);
    }
  }

  void move(StateId from, StateId to) {
    store_.move(from, to);
    if constexpr (!S::keeps_states) {
      if constexpr (needs_parents<S>) parents_[index_of(to)] = parents_[index_of(from)];
      OriginRows::Byte* const rows = rows_in(next_frontier_);
      std::copy_n(rows + (index_of(from) - level_end_) * row_bytes_, row_bytes_,
                  rows + (index_of(to) - level_end_) * row_bytes_);
    }
  }

  // Whether the store is to grow whatever room it has.
  [[nodiscard]] bool is_cramped() const {
    if constexpr (requires { store_.is_cramped(); }) return store_.is_cramped();
    return false;
  }
  [[nodiscard]] std::uint64_t ids_needed() const { return sum(&Worker::needs); }

  // Whether so many more states fit in beside those that wait.
  [[nodiscard]] bool fits(std::uint64_t more, Team* team) const {
    if constexpr (requires { store_.growth_for(more, team); })
      return bytes(store_.size()) + store_.growth_for(more, team) <= options_.memory_limit;
    else if constexpr (needs_origins<S>)
      return bytes(store_.size()) + store_.growth_for(more) <= options_.memory_limit;
    return true;
  }

  void make_room(std::uint64_t needed, Team* team) {
    std::uint64_t asked = team == nullptr ? least_asked : most_asked;
    while (!fits(std::max(asked, needed), team) || !store_.reserve(std::max(asked, needed), team)) {
      if (needs_origins<S> && !gives_back()) {
        begin_to_give_back();
        continue;
      }
      if (asked < least_asked) return stop(Ending::memory_limit);
      // Of little memory as little as possible is taken for what may not come: the tables of a tree get room for states
      // that have nothing in common.
      asked = std::min(asked / 2, least_asked);
    }
    if (room() < needed) stop(Ending::memory_limit);
  }

  void next_level() {
    if (gives_back()) give_back_rows(frontier_, 0, level_end_ - level_begin_);
    level_begin_ = level_end_;
    level_end_ = store_.size();
    levels_.push_back(level_begin_);
    rest_ = {{level_begin_, level_end_}};
    if (level_begin_ != level_end_) ++depth_;
    if constexpr (!S::keeps_states) {
      kept_from_ = level_begin_;
      std::swap(frontier_, next_frontier_);
      if constexpr (needs_origins<S>) pass_milestone();
      most_in_next_ = std::max(most_in_next_, level_end_ - level_begin_);
      std::swap(most_in_frontier_, most_in_next_);
    }
  }

  void pass_milestone() requires(needs_origins<S>) {
    const std::uint64_t count = level_end_ - level_begin_;
    if (count > 0 && milestones_.is_due(level_end_, count))
      milestones_.add(depth_, rows_in(frontier_), count, level_end_, team_for(count));
  }

  // ---- Violations and runs.

  void take_violations() {
    std::optional<FoundViolation> least;
    for (const auto& worker : workers_) {
      std::optional<FoundViolation> found = worker->take_found();
      if (found && (!least || *found < *least)) least = std::move(found);
    }
    if (!least) return;
    if (!recorder_.result.first && !first_found_) show(std::move(*least));
    if (shared_.errors >= options_.max_errors) stop(Ending::error_limit);
  }

  void show(FoundViolation found) {
    if constexpr (needs_origins<S>) {
      const auto state_of = [&](const OriginRows::Key& key) { return store_.state_at({}, key.data()); };
      way_ = milestones_.way_to(found.origin, state_of);
      way_.push_back({depth_ + (found.is_new ? 1 : 0), found.state});
      first_found_ = std::move(found);
    } else {
      recorder_.result.first = run_showing(found);
    }
  }

  Counterexample run_showing(const FoundViolation& found) {
    Counterexample run;
    if constexpr (knows_levels<S>) {
      run.failing_step = found.step;
      run.states = path_by_labels(found.state);
    } else if constexpr (needs_origins<S>) {
      run.failing_step = found.step;
      run.states = path_by_waypoints();
    } else if (found.is_new) {
      const bool choose = S::keeps_states && options_.deterministic;
      run = run_to(choose ? predecessor(found.state, level_begin_, level_end_) : found.from);
      run.states.push_back(found.state);
    } else {
      run = run_to(found.from, found.step);
    }
    run.violation = found.violation;
    run.shortest = S::exact;
    return run;
  }

  std::vector<StateBuffer> path_by_levels(StateId id) requires(S::keeps_states) {
    std::vector<StateBuffer> path;
    auto level = std::upper_bound(levels_.begin(), levels_.end(), index_of(id)) - levels_.begin() - 1;
    for (;; --level) {
      const StateView here = store_.state(id);
      path.emplace_back(here.begin(), here.end());
      if (level == 0) break;
      id = predecessor(path.back(), levels_[level - 1], levels_[level]);
    }
    std::ranges::reverse(path);
    return path;
  }

  std::vector<StateBuffer> path_by_labels(StateView state) requires(knows_levels<S>) {
    model_.quiet(true);
    std::vector<StateBuffer> path = PathByLabels(model_, store_, options_.canonicaliser).to(state);
    model_.quiet(false);
    return path;
  }

  // When the search is over: its own memory is needed for it.
  std::vector<StateBuffer> path_by_waypoints() requires(needs_origins<S>) {
    store_.give_up();
    frontier_ = VirtualArray<std::uint64_t>();
    next_frontier_ = VirtualArray<std::uint64_t>();
    model_.quiet(true);
    RunAgain search(model_, options_.canonicaliser, [this] { return store_.another(); });
    std::vector<StateBuffer> path = search.through(way_);
    model_.quiet(false);
    return path;
  }

  std::vector<StateBuffer> path_by_parents(StateId id) requires(needs_parents<S>) {
    const auto parent_of = [&](StateId of) { return StateId{parents_[index_of(of)]}; };
    model_.quiet(true);
    std::vector<StateBuffer> path = states_along(ancestors(id, parent_of), model_, store_, options_.canonicaliser);
    model_.quiet(false);
    return path;
  }

  StateId predecessor(StateView target, std::uint64_t begin, std::uint64_t end) {
    PredecessorSearch search;
    search.target = target;
    search.least = options_.deterministic;
    Team* const team = team_for(end - begin);
    search.states.open(begin, end, team == nullptr ? 1 : team->size());
    with(team, [&](Worker& worker) { worker.look_for(search); });
    if (!search.found) throw std::logic_error("no state of a level leads to a state of the next one");
    return search.id;
  }

  // ---- The end.

  void stop(Ending ending) {
    going_ = false;
    recorder_.result.ending = ending;
  }

  // In the first thread, while the others work.
  void pause() {
    const Progress now = progress();
    if (now.bytes > options_.memory_limit)
      stop(Ending::memory_limit);
    else if (!options_.tick(now))
      stop(Ending::time_or_user);
    if (!going_) shared_.stop.store(true, std::memory_order_relaxed);
    save_is_due_ = save_is_due_ || (save_due && save_due());
    if (save_is_due_) shared_.halt.store(true, std::memory_order_relaxed);
  }

  template <class Count>
  [[nodiscard]] std::uint64_t sum(Count count) const {
    std::uint64_t sum = 0;
    for (const auto& worker : workers_) sum += (*worker.*count)();
    return sum;
  }

  [[nodiscard]] Progress progress() const {
    const std::uint64_t states = found_before_ + sum(&Worker::fresh);
    return {.states = states,
            .transitions = recorder_.result.statistics.transitions + sum(&Worker::transitions),
            .depth = depth_,
            .queue = states - expanded_before_ - sum(&Worker::expanded),
            .bytes = bytes(states)};
  }

  // The store knows only of the states it had when the threads began. Others take a word each, at least.
  [[nodiscard]] std::uint64_t bytes(std::uint64_t states) const {
    if constexpr (knows_levels<S> || needs_origins<S>) {
      const std::uint64_t rows =
          gives_back() ? states - kept_from_ : most_in_frontier_ + std::max(most_in_next_, states - level_end_);
      return store_.bytes() + rows * row_bytes_ + milestones_.bytes() + spare_pages(options_.memory_limit);
    }
    std::uint64_t words = states - store_.size();
    if constexpr (needs_parents<S>)
      words += states + (most_in_frontier_ + std::max(most_in_next_, states - level_end_)) * words_;
    return store_.bytes() + words * sizeof(std::uint64_t);
  }

  SearchResult finish() {
    for (const auto& worker : workers_) add_counts(worker->counts(), recorder_.result);
    const std::uint64_t states = store_.size();
    SearchResult result = recorder_.finish(store_, states > level_end_ ? depth_ + 1 : depth_, bytes(states));
    if (first_found_) result.first = run_showing(*first_found_);
    return result;
  }

  void take_over(LevelStanding& standing) {
    frontier_ = std::move(standing.frontier);
    next_frontier_ = std::move(standing.next_frontier);
    for (VirtualArray<std::uint64_t>* array : {&frontier_, &next_frontier_, &parents_})
      if (array->capacity() == 0)
        *array = VirtualArray<std::uint64_t>(std::min<std::uint64_t>(options_.memory_limit, most_reserved) / 8);
    std::ranges::copy(standing.parents, parents_.data());
    kept_from_ = first_in_rest();
  }

  [[nodiscard]] static OriginRows::Byte* rows_in(const VirtualArray<std::uint64_t>& array) {
    return reinterpret_cast<OriginRows::Byte*>(array.data());
  }

  M& model_;
  S& store_;
  const SearchOptions& options_;
  const std::function<ThreadParts<M>()> more_;
  const std::uint32_t words_;
  const OriginRows rows_ = origin_rows(store_);
  const std::uint64_t row_bytes_ =  // of what waits, where the store does not keep it
      needs_origins<S> ? rows_.bytes() : words_ * sizeof(std::uint64_t);
  Recorder recorder_;
  bool going_ = true;
  bool hands_over_ = false;

  std::vector<std::unique_ptr<S>> views_;  // of a store that does not serve several threads itself
  std::vector<std::unique_ptr<Worker>> workers_;
  std::unique_ptr<Team> team_;
  SharedLevel shared_;
  std::vector<IdRange> unused_;

  std::vector<std::uint64_t> levels_;
  std::uint64_t level_begin_, level_end_, depth_;
  std::vector<IdRange> rest_;  // states of the level that nobody has begun with
  bool save_is_due_ = false;
  const std::uint64_t found_before_ = store_.size(), expanded_before_ = level_begin_;  // and not by the workers

  // Only for a store that does not keep states.
  VirtualArray<std::uint64_t> frontier_, next_frontier_;
  Milestones milestones_{rows_};               // where it needs_origins
  std::optional<FoundViolation> first_found_;  // and the violation to be shown when the search is over,
  std::vector<Waypoint> way_;                  // with some states on the way there
  VirtualArray<std::uint64_t> parents_;        // where it needs_parents
  std::uint64_t kept_from_ = level_begin_;     // the first state that is still there, where memory is given back
  bool is_short_of_memory_ = false;            // where it needs_origins
  std::uint64_t most_in_frontier_ = level_end_ - level_begin_, most_in_next_ = 0;  // states, whose memory stays taken
};

}  // namespace fathom
