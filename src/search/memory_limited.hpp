// Memory-limited A* (SMA*: Russell: Efficient Memory-Bounded Search Methods, ECAI 1992): the search holds a tree of at
// most so many states. When it is full the worst leaf is forgotten, and its parent remembers what it was worth; when
// nothing better is left the parent is expanded once more for its sake. Only states that are held are recognised when
// they come again, so others are explored again: less memory for more time.
//
// The states on the way to a state that is held are held, too. So no way goes round in circles, everything ends at
// last, and a run that is longer than the limit cannot be found: if one had to be given up, the search says so.
//
// A trace is shortest if the evaluator is admissible.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "search/expander.hpp"
#include "search/incumbent.hpp"
#include "search/pace.hpp"
#include "support/hash.hpp"
#include "support/plain_list.hpp"

namespace fathom {

template <Model M>
class MemoryLimited {
 public:
  MemoryLimited(M& model, const SearchOptions& options, Evaluator& evaluator, std::uint64_t limit,
                bool leaves_dead_ends)
      : options_(options),
        evaluator_(evaluator),
        limit_(std::max<std::uint64_t>(limit, 2)),
        leaves_dead_ends_(leaves_dead_ends),
        expander_(model, options),
        recorder_(options) {
    buckets_.assign(64, none);
  }

  SearchResult run() {
    start();
    while (running_ && !open_.empty() && best_.improved_by(std::get<0>(*open_.begin()))) {
      expand(std::get<2>(*open_.begin()));
      if (pace_.is_due(1 + batch_.size())) pause();
    }
    return finish();
  }

 private:
  using Number = std::uint32_t;
  static constexpr Number none = UINT32_MAX;

  struct Forgotten {
    Hash hash;
    Cost total;
  };
  struct Node {
    Number parent = none;
    Number next = none;  // of the same bucket
    Hash hash = 0;
    Cost cost = 0;
    Cost total = 0;  // no run through it costs less, as far as is known; what waits does so in this order
    Number children = 0;
    bool expanded = false;
    bool waits = false;
    std::vector<Forgotten> forgotten;  // successors
  };
  using Rank = std::tuple<Cost, Cost, Number>;

  // ---- The tree.

  [[nodiscard]] StateView state(Number n) const { return {&words_[std::size_t{n} * width()], width()}; }
  [[nodiscard]] std::uint32_t width() const { return expander_.words(); }
  [[nodiscard]] Number& bucket_of(Hash hash) { return buckets_[hash & (buckets_.size() - 1)]; }
  // When every node is of a state.
  void double_buckets() {
    buckets_.assign(2 * buckets_.size(), none);
    for (Number n = 0; n < nodes_.size(); ++n) chain(n);
  }
  void chain(Number n) { nodes_[n].next = std::exchange(bucket_of(nodes_[n].hash), n); }

  [[nodiscard]] Number find(StateView wanted, Hash hash) const {
    for (Number n = buckets_[hash & (buckets_.size() - 1)]; n != none; n = nodes_[n].next)
      if (nodes_[n].hash == hash && same_words(state(n).data(), wanted.data(), width())) return n;
    return none;
  }

  // The longest way comes first among equals.
  [[nodiscard]] Rank rank(Number n) const { return {nodes_[n].total, ~nodes_[n].cost, n}; }
  // What is forgotten first comes last: states that are done with, then those of the highest total.
  [[nodiscard]] Rank worth(Number n) const {
    const bool done = nodes_[n].expanded && !nodes_[n].waits;
    return {done ? dead_end : nodes_[n].total, ~nodes_[n].cost, n};
  }
  void set_waiting(Number n, bool waits) {
    if (nodes_[n].waits == waits) return;
    nodes_[n].waits = waits;
    if (waits)
      open_.insert(rank(n));
    else
      open_.erase(rank(n));
  }
  void update(Number n, auto change) {
    leaves_.erase(worth(n));
    change();
    if (nodes_[n].children == 0) leaves_.insert(worth(n));
  }

  void add(StateView wanted, Hash hash, Number parent, Cost cost, Cost total) {
    Number n = static_cast<Number>(nodes_.size());
    if (free_.empty()) {
      if (nodes_.size() == buckets_.size()) double_buckets();
      nodes_.emplace_back();
      words_.resize(words_.size() + width());
    } else {
      n = free_.back();
      free_.pop_back();
      nodes_[n] = {};
    }
    std::ranges::copy(wanted, words_.begin() + static_cast<std::ptrdiff_t>(std::size_t{n} * width()));
    nodes_[n].parent = parent;
    nodes_[n].hash = hash;
    nodes_[n].cost = cost;
    nodes_[n].total = total;
    chain(n);
    set_waiting(n, true);
    leaves_.insert(worth(n));
    if (parent != none) update(parent, [&] { ++nodes_[parent].children; });
    ++held_;
    most_ = std::max(most_, held_);
    deepest_ = std::max(deepest_, cost);
  }

  void remove(Number n) {
    const Number parent = nodes_[n].parent;
    leaves_.erase(worth(n));
    set_waiting(n, false);
    Number* link = &bucket_of(nodes_[n].hash);
    while (*link != n) link = &nodes_[*link].next;
    *link = nodes_[n].next;
    if (parent != none) update(parent, [&] { --nodes_[parent].children; });
    free_.push_back(n);
    --held_;
  }

  // A state that turned out to be reached at lower cost goes with all that hangs on it.
  void remove_tree(Number root) {
    for (Number n = 0; n < nodes_.size() && nodes_[root].children > 0; ++n)
      if (is_below(n, root)) doomed_.push_back(n);
    std::ranges::sort(doomed_, std::greater<>(), [this](Number n) { return nodes_[n].cost; });
    for (const Number n : doomed_) remove(n);
    doomed_.clear();
    remove(root);
  }
  [[nodiscard]] bool is_below(Number n, Number root) const {
    if (n == root || is_free(n)) return false;
    for (n = nodes_[n].parent; n != none; n = nodes_[n].parent)
      if (n == root) return true;
    return false;
  }
  [[nodiscard]] bool is_free(Number n) const { return find(state(n), nodes_[n].hash) != n; }

  enum class Room : std::uint8_t { made, not_worth_it, none };

  // Makes room for a state by forgetting worse ones. `none`: everything that is held is on the way to the state being
  // expanded. Among equals the longer way is better: otherwise two states could push each other out for ever.
  Room make_room(Number expanding, Cost total, Cost cost) {
    while (held_ >= limit_) {
      auto worst = leaves_.rbegin();
      while (worst != leaves_.rend() && is_pinned(std::get<2>(*worst), expanding)) ++worst;
      if (worst == leaves_.rend()) return Room::none;
      const Node& leaf = nodes_[std::get<2>(*worst)];
      const bool is_worse = !leaf.waits || leaf.total > total || (leaf.total == total && leaf.cost < cost);
      if (!is_worse) return Room::not_worth_it;
      forget(std::get<2>(*worst));
    }
    return Room::made;
  }

  // Nobody would remember a start state.
  [[nodiscard]] bool is_pinned(Number n, Number expanding) const {
    return n == expanding || (nodes_[n].parent == none && nodes_[n].waits);
  }

  // A state that is done with need not be remembered.
  void forget(Number n) {
    const Number parent = nodes_[n].parent;
    if (nodes_[n].waits) {
      ++recorder_.result.statistics.revisits;
      update(parent, [&] { miss(parent, {nodes_[n].hash, nodes_[n].total}); });
    }
    remove(n);
  }

  // The parent waits again, for what it is worth to find the forgotten ones.
  void miss(Number parent, Forgotten lost) {
    set_waiting(parent, false);
    Node& node = nodes_[parent];
    node.forgotten.push_back(lost);
    node.total = dead_end;
    for (const Forgotten& each : node.forgotten) node.total = std::min(node.total, each.total);
    set_waiting(parent, true);
  }

  // ---- The search.

  void start() {
    expander_.starts(batch_);
    for (std::uint32_t k = 0; k < batch_.size(); ++k) {
      const Outcome outcome = batch_.outcome(k);
      if (outcome.is_fault() && best_.improved_by(0))
        best_.replace({Violation::Kind::fault, 0, outcome.site()}, 0, {{}, {}, batch_.instance(k), false});
      if (outcome.has_successor()) reach(expander_.successor(batch_, k), none, 0, 0);
    }
  }

  void expand(Number n) {
    update(n, [&] {
      set_waiting(n, false);
      nodes_[n].expanded = true;
    });
    const std::vector<Forgotten> wanted = std::exchange(nodes_[n].forgotten, {});
    const Cost cost = nodes_[n].cost, total = nodes_[n].total;
    expander_.steps(state(n), false, batch_);
    current_.assign(state(n).begin(), state(n).end());
    if (expander_.is_stuck(current_, batch_) && best_.improved_by(cost))
      best_.replace({Violation::Kind::deadlock}, cost, run_to(n));
    for (std::uint32_t k = 0; k < batch_.size() && running_; ++k) {
      const Outcome outcome = batch_.outcome(k);
      recorder_.fire(batch_.instance(k));
      if (recorder_.is_violation(outcome) && best_.improved_by(cost + step_cost))
        best_.replace({Violation::Kind::fault, 0, outcome.site()}, cost + step_cost, run_to(n, batch_.instance(k)));
      if (outcome.has_successor()) follow(n, wanted, expander_.successor(batch_, k), cost + step_cost, total);
    }
  }

  // At its first expansion all successors of a state are followed, later only those it has lost.
  void follow(Number from, const std::vector<Forgotten>& wanted, StateView successor, Cost cost, Cost least) {
    if (!wanted.empty()) {
      const Hash hash = hash_words(successor.data(), width());
      const auto lost = std::ranges::find(wanted, hash, &Forgotten::hash);
      if (lost == wanted.end()) return;
      least = lost->total;
    }
    reach(successor, from, cost, least);
  }

  void reach(StateView found, Number from, Cost cost, Cost least) {
    const Hash hash = hash_words(found.data(), width());
    if (const Number known = find(found, hash); known != none) {
      if (nodes_[known].cost <= cost) return;
      remove_tree(known);
    }
    const Cost estimate = expander_.estimate(evaluator_, found);
    examine(found, from, cost, estimate);
    const auto own = static_cast<Cost>(std::min<std::uint64_t>(std::uint64_t{cost} + estimate, dead_end - 1));
    const Cost total = std::max(own, least);
    if (estimate == dead_end && leaves_dead_ends_) return void(++recorder_.result.statistics.dead_ends);
    if (!best_.improved_by(total)) return;
    place(found, hash, from, cost, total);
  }

  void place(StateView found, Hash hash, Number from, Cost cost, Cost total) {
    const Room room = make_room(from, total, cost);
    if (room == Room::made)
      add(found, hash, from, cost, total);
    else if (room == Room::not_worth_it && from != none)
      update(from, [&] { miss(from, {hash, total}); });
    else
      too_long_ = true;
  }

  void examine(StateView found, Number from, Cost cost, Cost estimate) {
    if (!options_.check_states) return;
    for (const Violation& violation : recorder_.examine(expander_.model(), found)) {
      if (!best_.improved_by(cost)) return;
      admissible_ = admissible_ && estimate == 0;
      Counterexample run;
      if (from != none) run = run_to(from);
      run.states.emplace_back(found.begin(), found.end());
      best_.replace(violation, cost, std::move(run));
    }
  }

  Counterexample run_to(Number n, std::optional<InstanceId> failing_step = std::nullopt) {
    Counterexample run;
    for (; n != none; n = nodes_[n].parent) run.states.emplace_back(state(n).begin(), state(n).end());
    std::ranges::reverse(run.states);
    run.failing_step = failing_step;
    return run;
  }

  // ---- The end.

  [[nodiscard]] std::uint64_t bytes() const {
    constexpr std::uint64_t of_set_element = 48 + sizeof(Rank);
    return nodes_.size() * sizeof(Node) + (open_.size() + leaves_.size()) * of_set_element + words_.bytes() +
           buckets_.bytes() + free_.bytes();
  }

  void pause() {
    if (bytes() > options_.memory_limit) return stop(Ending::memory_limit);
    const Progress progress{.states = held_,
                            .transitions = recorder_.result.statistics.transitions,
                            .depth = open_.empty() ? 0 : nodes_[std::get<2>(*open_.begin())].cost,
                            .queue = open_.size(),
                            .bytes = bytes()};
    if (!options_.tick(progress)) stop(Ending::time_or_user);
  }

  void stop(Ending ending) {
    running_ = false;
    recorder_.result.ending = ending;
  }

  SearchResult finish() {
    if (best_.exists()) {
      if (running_) recorder_.result.ending = Ending::error_limit;
      best_.report(recorder_, running_ && !too_long_ && admissible_ && evaluator_.promise().admissible);
    } else if (running_ && too_long_) {
      recorder_.result.ending = Ending::incomplete;
      recorder_.result.scope.gap = "the search is not exhausted: with " + std::to_string(limit_) +
                                   " states held at a time, longer runs had to be given up";
    }
    recorder_.result.statistics.states = most_;
    recorder_.result.statistics.counting = Counting::held;
    recorder_.result.statistics.depth = deepest_;
    recorder_.result.statistics.store_bytes = bytes();
    return std::move(recorder_.result);
  }

  const SearchOptions& options_;
  Evaluator& evaluator_;
  const std::uint64_t limit_;
  const bool leaves_dead_ends_;
  Expander<M> expander_;
  Recorder recorder_;
  Incumbent best_;
  bool running_ = true;
  bool too_long_ = false;   // a state was given up for lack of room
  bool admissible_ = true;  // nothing has shown that the evaluator is not

  std::deque<Node> nodes_;          // which do not move when there are more
  PlainList<std::uint64_t> words_;  // of the states
  PlainList<Number> free_;
  PlainList<Number> buckets_;
  std::vector<Number> doomed_;
  std::set<Rank> open_;    // what waits, by rank
  std::set<Rank> leaves_;  // by worth
  StateBuffer current_;
  Batch batch_;
  std::uint64_t held_ = 0, most_ = 0;
  Cost deepest_ = 0;
  Pace pace_;
};

}  // namespace fathom
