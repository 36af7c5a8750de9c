// One thread of a search for accepting cycles by several (cndfs.hpp). As in the search by one thread (swept_ndfs.hpp),
// all nodes are opened once by a sweep, in groups, so that the look-ups of many successors are under way together;
// where it comes across an accepting node in a part of the automaton with accepting cycles, a nested search begins
// there and stays in the part. In a part all of whose places accept, nodes are left to the nested search at once.
//
// Nodes that wait are handed on in portions, the oldest first, so that the sweep is nearly breadth-first. Now and then
// a thread opens a single node instead, one of those that such a dive has found last: a violation in the depth must not
// have to wait for all that lies above it. Who has nothing to do joins in the nested search of another.
#pragma once

#include <chrono>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "search/cycle_worker.hpp"

namespace fathom {

template <class Graph>
class SweepWorker : public CycleWorker<Graph> {
  using Base = CycleWorker<Graph>;
  using typename Base::Shared;

 public:
  using Base::Base;

  // Until there is nothing more to do for anybody, or everybody is to come to rest.
  void work() {
    while (!is_done_ && !this->must_rest()) {
      if (this->is_searching())
        go_on_searching();
      else if (!seeds_.empty())
        search_from_seed();
      else if (has_nodes())
        sweep();
      else
        look_for_work();
      if (this->shared_.pool.is_wanted()) share();
    }
  }

  // While it is at rest: gives back what it has not begun with.
  void give_back() {
    current_.nodes.erase(current_.nodes.begin(), current_.nodes.begin() + static_cast<std::ptrdiff_t>(head_));
    head_ = 0;
    this->shared_.pool.put({.nodes = std::exchange(current_.nodes, {}), .depth = current_.depth});
    put_found();
    put_seeds(seeds_.size());
  }
  // Where it stands after that, and into a new one.
  void write(SealedWriter& out) const {
    Base::write(out);
    out.list(again_);
  }
  void read(SealedReader& in) {
    Base::read(in);
    again_ = in.list();
  }

 private:
  static constexpr std::size_t portion = 1024;     // nodes
  static constexpr std::size_t least_shared = 32;  // so many are worth another thread
  static constexpr std::uint64_t groups_between_dives = 32;
  static constexpr std::uint64_t nodes_of_a_dive = 16;
  static constexpr std::chrono::microseconds nap{50};

  // ---- Nested searches.

  void go_on_searching() {
    this->go_on();
    if (this->outside_.empty()) return;
    for (const Node found : this->outside_) put_aside(found, found_.nodes);
    found_.depth = std::max(found_.depth, this->deepest_);
    this->outside_.clear();
  }

  void search_from_seed() {
    const Node seed = taken_from(seeds_);
    if (!this->shared_.colours.has(seed, Shared::blue)) this->search_from(seed, current_.depth);
  }

  // True: another thread has begun a long search, and this one goes along in an order of its own.
  bool join_in() {
    const auto is_open = [this](Node root) {
      return root != Shared::no_node && !this->shared_.colours.has(root, Shared::blue);
    };
    for (const std::atomic<Node>& other : this->shared_.roots) {
      const Node root = other.load(std::memory_order_relaxed);
      if (!is_open(root)) continue;
      this->shared_.pool.be_busy(is_busy_);
      if (!is_open(root)) continue;
      this->search_from(root, current_.depth);
      return true;
    }
    return false;
  }

  // ---- The sweep.

  [[nodiscard]] bool has_nodes() const {
    return !again_.empty() || head_ < current_.nodes.size() || !found_.nodes.empty() || !deep_.empty();
  }

  void sweep() {
    if (again_.empty() && head_ == current_.nodes.size()) next_portion();
    const bool is_dive = to_dive_ > 0;
    const std::uint64_t before = this->counts().statistics.transitions;
    taken_.clear();
    SweptEdges edges{*this, is_dive ? deep_ : found_.nodes};
    const auto next = [&] { return is_dive && !taken_.empty() ? std::nullopt : next_node(is_dive); };
    const bool has_room = this->graph_.expand_together(next, this->options_.assertions, edges, Firing{this->recorder_});
    if (!has_room) {  // the same nodes have their turn when there is
      again_.swap(taken_);
      return this->wait_for_room();
    }
    found_.depth = std::max(found_.depth, current_.depth + 1);
    this->deepest_ = std::max(this->deepest_, current_.depth);
    if (is_dive)
      --to_dive_;
    else if (++groups_ % groups_between_dives == 0)
      to_dive_ = nodes_of_a_dive;
    if (found_.nodes.size() >= portion) put(found_);
    this->pause_after(1 + this->counts().statistics.transitions - before);
  }

  // What was found waits for what others have found before, if there is anything.
  void next_portion() {
    current_.nodes.clear();
    head_ = 0;
    if (!this->shared_.pool.is_empty()) {
      put(found_);
      if (begin_with(this->shared_.pool.take_if_any())) return;
    }
    if (!found_.nodes.empty())
      current_ = std::exchange(found_, {});
    else
      current_.nodes.swap(deep_);
  }

  // Each node once, whoever comes to it. Where a dive has nothing to go on with it begins with what the sweep would
  // take.
  std::optional<Node> next_node(bool diving) {
    if (!again_.empty()) return note_taken(taken_from(again_));
    while (head_ < current_.nodes.size() || (diving && !deep_.empty())) {
      const Node next = diving && !deep_.empty() ? taken_from(deep_) : current_.nodes[head_++];
      if (this->shared_.colours.add(next, Shared::met)) return note_taken(next);
    }
    return std::nullopt;
  }
  Node note_taken(Node node) {
    taken_.push_back(node);
    return node;
  }

  // Takes in the edges of the nodes that are opened together.
  struct SweptEdges {
    SweepWorker& worker;
    std::vector<Node>& waiting;

    void prepare(std::uint64_t) const {}
    [[gnu::always_inline]] void prefetch(Node node) const { worker.shared_.colours.prefetch(node); }
    [[gnu::always_inline]] void push_back(const ProductEdge& edge) const {
      SharedColours& colours = worker.shared_.colours;
      if (!colours.has(edge.target, Shared::known) && colours.add(edge.target, Shared::known))
        worker.put_aside(edge.target, waiting);
    }
    [[gnu::always_inline]] void opened(Node node, const Expansion& found) const {
      ++worker.recorder_.result.statistics.states;
      if (found.accepting && worker.graph_.may_accept(node)) worker.seeds_.push_back(node);
      if (found.violation) worker.shared_.report({*found.violation, node, found.failing_step});
    }
  };

  [[gnu::always_inline]] void put_aside(Node node, std::vector<Node>& waiting) {
    (this->graph_.surely_accepts(node) ? seeds_ : waiting).push_back(node);
  }

  static Node taken_from(std::vector<Node>& stack) {
    const Node last = stack.back();
    stack.pop_back();
    return last;
  }

  // ---- What the threads have in common.

  void put(SweepPortion& portion) { this->shared_.pool.put(std::exchange(portion, {})); }
  void put_found() {
    put(found_);
    this->shared_.pool.put({.nodes = std::exchange(deep_, {}), .depth = current_.depth + 1});
  }
  void put_seeds(std::size_t count) {
    const auto first = seeds_.end() - static_cast<std::ptrdiff_t>(count);
    this->shared_.pool.put({.nodes = {first, seeds_.end()}, .depth = current_.depth, .are_seeds = true});
    seeds_.erase(first, seeds_.end());
  }

  // Somebody has nothing to do.
  void share() {
    if (found_.nodes.size() >= least_shared) return put(found_);
    if (deep_.size() >= least_shared) return put_found();
    if (seeds_.size() > 1) put_seeds(seeds_.size() / 2);
  }

  bool begin_with(std::optional<SweepPortion> taken) {
    if (!taken) return false;
    current_ = std::move(*taken);
    head_ = 0;
    if (current_.are_seeds) seeds_.swap(current_.nodes);
    return true;
  }

  void look_for_work() {
    if (begin_with(this->shared_.pool.take(is_busy_)) || join_in()) return;
    is_done_ = this->shared_.pool.is_exhausted();
    this->pause_now();
    if (!is_done_) std::this_thread::sleep_for(nap);
  }

  [[nodiscard]] std::uint64_t own_bytes() const override {
    return (current_.nodes.capacity() + found_.nodes.capacity() + deep_.capacity() + seeds_.capacity()) * sizeof(Node);
  }

  SweepPortion current_;  // those before `head_` are taken
  std::size_t head_ = 0;
  SweepPortion found_;       // by the sweep
  std::vector<Node> deep_;   // found by dives
  std::vector<Node> seeds_;  // nested searches are to begin with them
  std::vector<Node> taken_;  // of the group that is being opened
  std::vector<Node> again_;  // begun with, when there was no room for their steps
  std::uint64_t groups_ = 0;
  std::uint64_t to_dive_ = 0;  // nodes, before the sweep goes on
  bool is_busy_ = true;        // as the pool sees it
  bool is_done_ = false;
};

}  // namespace fathom
