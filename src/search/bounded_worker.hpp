// One thread of a depth-bounded search by several (parallel_bounded_dfs.hpp). It takes states of the frontier and
// explores what is below them down to the bound, on a stack of its own. While others have nothing to do it leaves
// states that it comes to to them.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "search/deadlock.hpp"
#include "search/parents.hpp"
#include "search/recorder.hpp"
#include "search/shared_depths.hpp"
#include "search/store_share.hpp"
#include "search/thread_parts.hpp"
#include "support/plain_list.hpp"

namespace fathom {

// A state that is to be explored; the one who says so has already put its depth into the table.
struct DepthTask {
  StateId id{};
  Depth depth = 0;
  bool counts = true;  // false: its steps and errors were counted before
};

// A violation, in a state or in a step from it.
struct FoundAt {
  Violation violation;
  StateId state{};
  std::optional<InstanceId> step;
};

// What the threads have in common.
struct SharedDeepening {
  explicit SharedDeepening(std::uint64_t states) : depths(states), parents(states) {}

  SharedDepths depths;
  VirtualArray<std::uint64_t> parents;
  bool thresholds = true;  // false: a state is explored again on every shorter path

  // This iteration: from these states at this depth down to the bound.
  std::vector<StateId> frontier;
  Depth from = 0, bound = 0;
  alignas(64) std::atomic<std::uint64_t> next = 0;  // of the frontier
  std::uint64_t portion = 1;

  alignas(64) std::atomic<bool> halt = false;  // everybody is to come to rest, because there is something to be done
  std::atomic<bool> stop = false;              // the search is over
  unsigned threads = 1;

  // Work that others left to whoever has none.
  alignas(64) std::atomic<unsigned> idle = 0;
  std::atomic<std::uint64_t> offered = 0;
  std::mutex mutex;
  std::vector<DepthTask> offers;
  std::uint64_t errors = 0;
  std::optional<FoundAt> found;
};

template <Model M>
class BoundedWorker {
 public:
  BoundedWorker(const ThreadParts<M>& parts, StoreShare& store, const SearchOptions& options, SharedDeepening& shared)
      : model_(*parts.model),
        canonicaliser_(parts.canonicaliser),
        store_(store),
        options_(options),
        shared_(shared),
        words_(model_.state_words()),
        recorder_(options) {}

  // Called now and then.
  std::function<void()> pause;

  // The start states, in the store; nothing if there is no room for them.
  std::optional<std::vector<StateId>> start() {
    batch_.clear();
    model_.initial(batch_);
    if (!store_.reserve(batch_.size())) return std::nullopt;
    for (std::uint32_t k = 0; k < batch_.size(); ++k)
      if (batch_.outcome(k).is_fault())
        violated({{Violation::Kind::fault, 0, batch_.outcome(k).site()}, no_parent, batch_.instance(k)});
    insert_successors(no_parent, 0, [](Outcome outcome) { return outcome.ok(); });
    return std::exchange(successors_, {});
  }

  // Until nobody has anything to do in this iteration, or everybody is to come to rest.
  void work() {
    while (!must_rest()) {
      if (opening_)
        open();
      else if (!stack_.empty())
        explore();
      else if (!take_frontier_state() && !take_offer())
        return;
    }
  }

  // Whether the successors of a state at the bound, or what goes wrong there, are unknown so far. The store is only
  // read.
  [[nodiscard]] bool leads_beyond(const IndexedStore& store, StateId id) {
    hush(true);
    batch_.clear();
    model_.successors(store.state(id), batch_);
    if (is_stuck(model_, options_, store.state(id), batch_, 0, batch_.size(), false)) return true;
    for (std::uint32_t k = 0; k < batch_.size(); ++k) {
      if (recorder_.is_violation(batch_.outcome(k))) return true;
      if (!batch_.outcome(k).has_successor()) continue;
      if (canonicaliser_ != nullptr) canonicaliser_->canonicalise(batch_.words(k));
      const StateView next{batch_.words(k), words_};
      if (!store.contains(next, store.hash(next))) return true;
    }
    return false;
  }

  // The states that it put into the next frontier; some may have been explored since.
  [[nodiscard]] std::vector<StateId> take_frontier() { return std::exchange(beyond_, {}); }
  void hush(bool on) {
    if (on != quiet_) model_.quiet(on);
    quiet_ = on;
  }

  [[nodiscard]] const SearchResult& counts() const { return recorder_.result; }
  [[nodiscard]] Depth deepest() const { return deepest_; }
  // For those who watch from other threads.
  [[nodiscard]] std::uint64_t fresh() const { return fresh_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t transitions() const { return transitions_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t waiting() const { return waiting_.load(std::memory_order_relaxed); }

 private:
  using Met = SharedDepths::Met;
  static constexpr std::uint64_t between_pauses = 1024;

  struct Frame {
    StateId id;
    std::size_t first;  // its successors are at the end of successors_, from here on ...
    std::size_t next;   // ... and this one is visited next
    Depth depth;
    Depth threshold = -1;  // what its successors said so far
  };

  [[nodiscard]] bool must_rest() const {
    return shared_.stop.load(std::memory_order_relaxed) || shared_.halt.load(std::memory_order_relaxed);
  }

  // ---- Work.

  bool take_frontier_state() {
    while (mine_ == mine_end_) {
      const std::uint64_t count = shared_.frontier.size();
      if (shared_.next.load(std::memory_order_relaxed) >= count) return false;
      mine_ = std::min(shared_.next.fetch_add(shared_.portion), count);
      mine_end_ = std::min(mine_ + shared_.portion, count);
    }
    const StateId id = shared_.frontier[mine_++];
    const Met met = shared_.depths.meet(id, shared_.from, shared_.bound);
    if (met.as == Met::As::to_be_explored || met.as == Met::As::to_be_explored_again)
      enter({id, shared_.from, met.as == Met::As::to_be_explored});
    return true;
  }

  // Waits until somebody leaves some work. False: there is none left, or everybody is to come to rest. One who goes
  // while another has left something for himself counts as idle all the same: that work will be done by the other.
  bool take_offer() {
    ++shared_.idle;
    for (unsigned looks = 1; !must_rest(); ++looks) {
      if (std::optional<DepthTask> task = offer_for_me()) {
        enter(*task);
        return true;
      }
      if (shared_.idle == shared_.threads && shared_.offered == 0) return false;
      if (looks % 64 != 0) {
        std::this_thread::yield();
      } else {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        if (pause && looks % 1024 == 0) pause();
      }
    }
    return false;
  }

  // Whoever takes one stops being idle before anybody can see that there are none left.
  std::optional<DepthTask> offer_for_me() {
    if (shared_.offered.load() == 0) return std::nullopt;
    const std::lock_guard lock(shared_.mutex);
    if (shared_.offers.empty()) return std::nullopt;
    --shared_.idle;
    const DepthTask task = shared_.offers.back();
    shared_.offers.pop_back();
    shared_.offered = shared_.offers.size();
    return task;
  }

  bool leave_to_others(const DepthTask& task) {
    if (shared_.idle.load(std::memory_order_relaxed) <= shared_.offered.load(std::memory_order_relaxed)) return false;
    const std::lock_guard lock(shared_.mutex);
    shared_.offers.push_back(task);
    shared_.offered = shared_.offers.size();
    return true;
  }

  // ---- The search.

  void explore() {
    Frame& top = stack_.back();
    while (top.next < successors_.size()) {
      const StateId id = successors_[top.next++];
      const Depth at = top.depth + 1;
      const Met met = shared_.depths.meet(id, at, shared_.bound);
      if (met.as == Met::As::first_in_frontier) beyond_.push_back(id);
      if (met.as == Met::As::to_be_explored || met.as == Met::As::to_be_explored_again) {
        const DepthTask task{id, at, met.as == Met::As::to_be_explored};
        if (!leave_to_others(task)) return enter(task);
      }
      top.threshold = std::max(top.threshold, met.threshold - 1);
    }
    leave();
  }

  void enter(const DepthTask& task) {
    opening_ = task;
    open();
  }

  // Where there is no room for its successors the state stays to be opened, and everybody comes to rest.
  void open() {
    const DepthTask task = *opening_;
    hush(!task.counts);
    batch_.clear();
    model_.successors(store_.state(task.id), batch_);
    if (!store_.reserve(batch_.size())) {
      shared_.halt.store(true, std::memory_order_relaxed);
      return;
    }
    opening_.reset();
    if (task.counts)
      count_steps(task.id);
    else
      ++recorder_.result.statistics.revisits;
    const std::size_t first = successors_.size();
    insert_successors(task.id, task.depth + 1, [](Outcome outcome) { return outcome.has_successor(); });
    stack_.push_back({task.id, first, first, task.depth});
    pause_now_and_then();
  }

  void leave() {
    const Frame frame = stack_.back();
    if (shared_.thresholds) shared_.depths.lower(frame.id, frame.threshold);
    successors_.resize(frame.first);
    stack_.pop_back();
    if (!stack_.empty())
      stack_.back().threshold = std::max(stack_.back().threshold, shared_.depths.depth(frame.id) - 1);
  }

  void count_steps(StateId id) {
    bool moves = false;
    for (std::uint32_t k = 0; k < batch_.size(); ++k) {
      const Outcome outcome = batch_.outcome(k);
      recorder_.fire(batch_.instance(k));
      moves = moves || outcome.is_fault();
      if (recorder_.is_violation(outcome))
        violated({{Violation::Kind::fault, 0, outcome.site()}, id, batch_.instance(k)});
    }
    if (is_stuck(model_, options_, store_.state(id), batch_, 0, batch_.size(), moves))
      violated({{Violation::Kind::deadlock, 0, ir::SiteId::none}, id, std::nullopt});
  }

  // Puts those into the store and at the end of successors_ whose outcome passes the test.
  template <class Test>
  void insert_successors(StateId from, Depth depth, const Test& test) {
    const std::uint32_t count = batch_.size();
    if (hashes_.size() < count) hashes_.resize(count);
    for (std::uint32_t k = 0; k < count; ++k) {
      if (!test(batch_.outcome(k))) continue;
      if (canonicaliser_ != nullptr) canonicaliser_->canonicalise(batch_.words(k));
      hashes_[k] = store_.hash({batch_.words(k), words_});
      store_.prefetch(hashes_[k]);
    }
    for (std::uint32_t k = 0; k < count; ++k) {
      if (!test(batch_.outcome(k))) continue;
      const StateView state{batch_.words(k), words_};
      const Inserted inserted = store_.insert(state, hashes_[k]);
      successors_.push_back(inserted.id);
      if (inserted.fresh) discover(inserted.id, state, from, depth);
    }
  }

  void discover(StateId id, StateView state, StateId from, Depth depth) {
    ++found_states_;
    shared_.parents[index_of(id)] = index_of(from);
    deepest_ = std::max(deepest_, depth);
    if (!options_.check_states) return;
    hush(false);
    for (const Violation& violation : recorder_.examine(model_, state)) violated({violation, id, std::nullopt});
  }

  void violated(const FoundAt& found) {
    static_cast<void>(recorder_.count(found.violation));
    const std::lock_guard lock(shared_.mutex);
    if (!shared_.found) shared_.found = found;
    if (++shared_.errors >= options_.max_errors) shared_.stop = true;
  }

  void pause_now_and_then() {
    if (++turns_ % between_pauses != 0) return;
    fresh_.store(found_states_, std::memory_order_relaxed);
    transitions_.store(recorder_.result.statistics.transitions, std::memory_order_relaxed);
    waiting_.store(beyond_.size(), std::memory_order_relaxed);
    bytes_.store(stack_.bytes() + (successors_.size() + beyond_.size()) * sizeof(StateId), std::memory_order_relaxed);
    if (pause) pause();
  }

  M& model_;
  Canonicaliser* const canonicaliser_;
  StoreShare& store_;
  const SearchOptions& options_;
  SharedDeepening& shared_;
  const std::uint32_t words_;
  Recorder recorder_;
  Batch batch_;
  std::vector<Hash> hashes_;
  std::optional<DepthTask> opening_;
  PlainList<Frame> stack_;
  std::vector<StateId> successors_;
  std::vector<StateId> beyond_;            // the next frontier, as far as this thread met it
  std::uint64_t mine_ = 0, mine_end_ = 0;  // states of the frontier that it has taken
  bool quiet_ = false;
  Depth deepest_ = 0;
  std::uint64_t turns_ = 0;
  std::uint64_t found_states_ = 0;
  alignas(64) std::atomic<std::uint64_t> fresh_ = 0;
  std::atomic<std::uint64_t> transitions_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;
  std::atomic<std::uint64_t> waiting_ = 0;
};

}  // namespace fathom
