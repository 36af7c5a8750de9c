// Depth-first search under a depth bound that is raised step by step (bounded_dfs.hpp), by several threads: each takes
// states of the frontier and explores what is below them. After each bound exactly the states nearer than it are
// explored and exactly those at it are the next frontier, as with one thread.
//
// Why that is so: a state is explored at a depth by the thread that puts this depth into the table, and nobody explores
// it at that depth or a larger one again. A number in the table never grows. Whoever passes over a state because of the
// number there relies on work that somebody does before the iteration ends; so the argument for one thread
// (bounded_dfs_threshold.hpp) holds when all have come to the end of the iteration.
//
// The store keeps the states, so the frontier is a list of numbers, and a stack has numbers only. Beside it the table
// and the parent of each state are kept, the parent for the trace.
#pragma once

#include <memory>

#include "search/bounded_dfs.hpp"
#include "search/bounded_worker.hpp"
#include "support/team.hpp"

namespace fathom {

template <Model M>
class ParallelBoundedDfs {
 public:
  // `more` makes the parts of another thread. `thresholds`: see bounded_dfs_threshold.hpp; otherwise a state is
  // explored again on every shorter path.
  ParallelBoundedDfs(M& model, IndexedStore& store, const SearchOptions& options, const DeepeningPlan& deepening,
                     bool thresholds, const std::function<ThreadParts<M>()>& more)
      : model_(model),
        store_(store),
        options_(options),
        deepening_(deepening),
        limit_(deepening.last(options.max_depth)),
        recorder_(options),
        shares_(store),
        shared_(most_states(options)),
        team_(options.threads) {
    shared_.thresholds = thresholds;
    shared_.threads = team_.size();
    for (unsigned k = 0; k < team_.size(); ++k) {
      const ThreadParts<M> parts = k == 0 ? ThreadParts<M>{&model, options.canonicaliser} : more();
      workers_.push_back(std::make_unique<Worker>(parts, shares_.another(), options, shared_));
    }
    workers_[0]->pause = [this] { pause(); };
  }

  SearchResult run() {
    return run([](const ParallelBoundedDfs&) {});
  }

  // The observer sees the search after each bound that was completed.
  template <class Observer>
  SearchResult run(Observer observe) {
    start();
    while (going_ && !shared_.frontier.empty() && shared_.bound < limit_) {
      explore_from_frontier();
      if (going_) observe(*this);
    }
    if (going_ && !shared_.frontier.empty()) look_beyond();
    return finish();
  }

  [[nodiscard]] std::uint64_t bound() const { return static_cast<std::uint64_t>(shared_.bound); }
  [[nodiscard]] const std::vector<StateId>& frontier() const { return shared_.frontier; }
  [[nodiscard]] bool explored(StateId id) const { return shared_.depths.explored(id); }

 private:
  using Worker = BoundedWorker<M>;

  // A state takes a slot and a word at least.
  static std::uint64_t most_states(const SearchOptions& options) {
    return std::min(options.memory_limit / (2 * sizeof(std::uint64_t)), max_states / 16) + 1;
  }

  void start() {
    std::optional<std::vector<StateId>> starts = workers_[0]->start();
    if (!starts && grow(nullptr)) starts = workers_[0]->start();
    if (!starts) return stop(Ending::memory_limit);
    shared_.frontier = std::move(*starts);
    if (shared_.stop) stop(Ending::error_limit);
  }

  void explore_from_frontier() {
    shared_.from = shared_.bound;
    shared_.bound = deepening_.after(shared_.from, limit_);
    open_queue();
    do {
      shared_.halt = false;
      shared_.idle = 0;
      with_all([](Worker& worker) { worker.work(); });
      if (shared_.halt && !shared_.stop && !make_room()) stop(Ending::memory_limit);
    } while (going_ && shared_.halt && !shared_.stop);
    if (going_ && shared_.stop) stop(Ending::error_limit);
    if (going_) complete_bound();
  }

  void open_queue() {
    shared_.next = 0;
    shared_.portion = std::clamp<std::uint64_t>(shared_.frontier.size() / (std::uint64_t{team_.size()} * 32), 1, 64);
  }

  bool make_room() { return grow(&team_) && shares_.end() <= most_in_arrays(); }
  bool grow(Team* team) {
    return shares_.grow(team, [this](std::uint64_t more) { return bytes() + more <= options_.memory_limit; });
  }
  [[nodiscard]] std::uint64_t most_in_arrays() const {
    return std::min<std::uint64_t>(shared_.depths.capacity(), shared_.parents.capacity());
  }

  void complete_bound() {
    shared_.frontier.clear();
    for (const auto& worker : workers_)
      for (const StateId id : worker->take_frontier())
        if (shared_.depths.leave_frontier(id)) shared_.frontier.push_back(id);
    completed_ = shared_.bound;
  }

  // As BoundedDfs::look_beyond; nothing is inserted.
  void look_beyond() {
    shares_.settle();
    open_queue();
    std::atomic<bool> beyond = false;
    with_all([&](Worker& worker) {
      const std::uint64_t count = shared_.frontier.size();
      for (std::uint64_t k; !beyond && !shared_.stop && (k = shared_.next++) < count;) {
        if (worker.leads_beyond(store_, shared_.frontier[k])) beyond = true;
        if (worker.pause && k % 256 == 0) worker.pause();
      }
    });
    something_beyond_ = beyond || shared_.stop;
    going_ = true;
  }

  template <class Work>
  void with_all(const Work& work) {
    team_.run([&](unsigned k) {
      try {
        work(*workers_[k]);
      } catch (...) {
        shared_.stop = true;  // others may wait for one that cannot go on
        throw;
      }
    });
  }

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
    if (!going_) shared_.stop = true;
  }

  template <class Count>
  [[nodiscard]] std::uint64_t sum(Count count) const {
    std::uint64_t sum = 0;
    for (const auto& worker : workers_) sum += (*worker.*count)();
    return sum;
  }

  [[nodiscard]] std::uint64_t bytes() const {
    const std::uint64_t frontier = shared_.frontier.size() * sizeof(StateId);
    return shares_.bytes() + shares_.size() * (sizeof(std::uint32_t) + sizeof(std::uint64_t)) + frontier +
           sum(&Worker::bytes);
  }

  [[nodiscard]] Progress progress() const {
    const std::uint64_t taken = std::min<std::uint64_t>(shared_.next, shared_.frontier.size());
    return {.states = sum(&Worker::fresh),
            .transitions = sum(&Worker::transitions),
            .depth = bound(),
            .queue = shared_.frontier.size() - taken + sum(&Worker::waiting),
            .bytes = bytes()};
  }

  SearchResult finish() {
    SearchResult& result = recorder_.result;
    for (const auto& worker : workers_) {
      worker->hush(false);
      add_counts(worker->counts(), result);
      result.statistics.revisits += worker->counts().statistics.revisits;
      deepest_ = std::max(deepest_, worker->deepest());
    }
    result.statistics.threads = team_.size();
    if (shared_.found) show(*shared_.found);
    describe_scope();
    const std::uint64_t most_bytes = bytes();
    shares_.close();
    return recorder_.finish(store_, static_cast<std::uint64_t>(deepest_), most_bytes);
  }

  void show(const FoundAt& found) {
    const auto parent_of = [this](StateId id) { return StateId{shared_.parents[index_of(id)]}; };
    Counterexample run;
    run.violation = found.violation;
    run.states = states_along(ancestors(found.state, parent_of), model_, store_, options_.canonicaliser);
    run.failing_step = found.step;
    recorder_.result.first = std::move(run);
  }

  void describe_scope() {
    SearchResult& result = recorder_.result;
    if (going_) {
      result.ending = something_beyond_ ? Ending::bound : Ending::exhausted;
      if (something_beyond_) result.scope.depth = bound();
    } else if (result.ending != Ending::error_limit && completed_ > 0) {
      result.scope.depth = static_cast<std::uint64_t>(completed_);
    }
  }

  M& model_;
  IndexedStore& store_;
  const SearchOptions& options_;
  const DeepeningPlan deepening_;
  const Depth limit_;
  Recorder recorder_;
  StoreShares shares_;
  SharedDeepening shared_;
  Team team_;
  std::vector<std::unique_ptr<Worker>> workers_;
  bool going_ = true;
  bool something_beyond_ = false;
  Depth completed_ = 0;
  Depth deepest_ = 0;
};

}  // namespace fathom
