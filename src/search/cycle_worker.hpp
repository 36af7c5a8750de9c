// The nested searches of one thread of several (cndfs.hpp). They have stacks of their own and can come to rest between
// any two edges; they then go on where they stood. A search stays in the strongly connected part of the automaton in
// which it begins, and notes where edges lead out of it.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "property/product.hpp"
#include "search/checkpoint.hpp"
#include "search/colours.hpp"
#include "search/pace.hpp"
#include "search/recorder.hpp"
#include "search/search_stack.hpp"
#include "search/sweep_pool.hpp"
#include "support/plain_list.hpp"

namespace fathom {

// What makes a run bad: an accepting node on a cycle, or one where something goes wrong, perhaps in a step from it.
struct FoundNode {
  Violation violation;
  Node node;
  std::optional<InstanceId> failing_step;
};

// What the threads have in common.
struct SharedCycleSearch {
  SharedCycleSearch(std::uint64_t nodes, unsigned threads) : colours(nodes), pool(threads), roots(threads) {
    for (std::atomic<Node>& root : roots) root = no_node;
  }

  // Colours of nodes. known: an edge to it was seen; met: some thread has begun with it; blue: a first search has left
  // it; red: nothing that can be reached from it lies on an accepting cycle.
  static constexpr std::uint8_t known = 1, met = 2, blue = 4, red = 8, accepting = 16;
  static constexpr Node no_node = UINT64_MAX;

  SharedColours colours;
  SweepPool pool;
  std::vector<std::atomic<Node>> roots;        // by threads: where a long nested search began, for others to join in
  alignas(64) std::atomic<bool> halt = false;  // everybody is to come to rest, because there is something to be done
  std::atomic<bool> stop = false;              // the search is over
  std::atomic<bool> spare = false;             // memory is short
  std::mutex mutex;
  std::optional<FoundNode> found;

  void report(const FoundNode& node) {
    const std::lock_guard lock(mutex);
    if (!found) found = node;
    stop = true;
  }
};

template <class Graph>
class CycleWorker {
 public:
  // Each thread takes the edges of a node in another order, so that they go different ways.
  CycleWorker(Graph& graph, const SearchOptions& options, std::uint32_t claim, SharedCycleSearch& shared,
              unsigned number)
      : graph_(graph),
        options_(options),
        shared_(shared),
        number_(number),
        recorder_(options),
        claim_(claim),
        own_(shared.colours.capacity()),
        random_(options.seed + number) {}

  // Called now and then.
  std::function<void()> pause;

  [[nodiscard]] Graph& graph() { return graph_; }

  // What it counted: every node and its steps by the thread that met it first.
  [[nodiscard]] const SearchResult& counts() const { return recorder_.result; }
  [[nodiscard]] std::uint64_t reopened() const { return reopened_; }
  [[nodiscard]] std::uint64_t deepest() const { return deepest_; }
  // For those who watch from other threads.
  [[nodiscard]] std::uint64_t met() const { return met_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t transitions() const { return transitions_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  void spare_memory() {
    graph_.spare_memory();
    publish();
  }
  [[nodiscard]] bool spares() const { return spares_.load(std::memory_order_relaxed); }

 protected:
  using Shared = SharedCycleSearch;

  void search_from(Node root, std::uint64_t depth) {
    depth_of_bottom_ = depth;
    enter(root);
  }
  [[nodiscard]] bool is_searching() const { return opening_ || seed_ || !first_.empty(); }

  // A piece of the search that is under way.
  void go_on() {
    if (opening_)
      open();
    else if (!second_.empty())
      search_back();
    else if (seed_)
      end_second();
    else
      search();
  }

  [[nodiscard]] bool must_rest() const {
    return shared_.stop.load(std::memory_order_relaxed) || shared_.halt.load(std::memory_order_relaxed);
  }
  // There is no room for more nodes: everybody comes to rest, so that the store can grow.
  void wait_for_room() { shared_.halt.store(true, std::memory_order_relaxed); }

  // `work`: steps and nodes looked at since the last time.
  void pause_after(std::uint64_t work) {
    if (pace_.is_due(work)) pause_now();
  }
  void pause_now() {
    if (shared_.spare.load(std::memory_order_relaxed)) graph_.spare_memory();
    publish();
    if (pause) pause();
  }
  // `spares`: has nothing any more that could be given up.
  void publish() {
    met_.store(recorder_.result.statistics.states, std::memory_order_relaxed);
    transitions_.store(recorder_.result.statistics.transitions, std::memory_order_relaxed);
    bytes_.store(graph_.bytes() + edges_.capacity() * sizeof(ProductEdge) + own_bytes() +
                     (pink_nodes_.capacity() + outside_.capacity()) * sizeof(Node) +
                     (first_.capacity() + second_.capacity()) * sizeof(Frame),
                 std::memory_order_relaxed);
    spares_.store(shared_.spare.load(std::memory_order_relaxed), std::memory_order_relaxed);
    shared_.roots[number_].store(first_.empty() ? Shared::no_node : first_.front().node, std::memory_order_relaxed);
  }
  // Of lists beside the nested search.
  [[nodiscard]] virtual std::uint64_t own_bytes() const { return 0; }

  // While it is at rest: where it stands, and into a new one. What colours of its own the nodes have is told by the
  // stacks: those of second searches that have ended are red for everybody.
  void write(SealedWriter& out) const {
    save_counts(recorder_.result, out);
    const Opening opening = opening_.value_or(Opening{});
    out.list({recorder_.result.statistics.states, reopened_, deepest_, depth_of_bottom_, opening_.has_value(),
              opening.node, opening.in_second, opening.counts, seed_.has_value(), seed_.value_or(0)});
    write_edges(edges_, out);
    write_stack(first_, out);
    write_stack(second_, out);
    out.list(pink_nodes_);
    out.list(awaited_);
    out.list(outside_);
  }
  void read(SealedReader& in) {
    recorder_.result = load_counts(options_.shape, in);
    const std::vector<std::uint64_t> numbers = in.list();
    recorder_.result.statistics.states = numbers.at(0);
    reopened_ = numbers.at(1);
    deepest_ = numbers.at(2);
    depth_of_bottom_ = numbers.at(3);
    if (numbers.at(4) != 0) opening_ = {numbers.at(5), numbers.at(6) != 0, numbers.at(7) != 0};
    if (numbers.at(8) != 0) seed_ = numbers.at(9);
    read_edges(edges_, in);
    read_stack(first_, in);
    read_stack(second_, in);
    pink_nodes_ = in.list();
    awaited_ = in.list();
    outside_ = in.list();
    for (const Frame& frame : first_) own_.add(frame.node, cyan);
    if (opening_ && !opening_->in_second) own_.add(opening_->node, cyan);
    for (const Node node : pink_nodes_) own_.add(node, pink);
    publish();
  }

  virtual ~CycleWorker() = default;

  Graph& graph_;
  const SearchOptions& options_;
  SharedCycleSearch& shared_;
  const unsigned number_;
  Recorder recorder_;
  std::vector<Node> outside_;  // new nodes to which edges led out of a part
  std::uint64_t deepest_ = 0;

 private:
  static constexpr std::uint8_t cyan = OwnColours::first;   // on the stack of its first search
  static constexpr std::uint8_t pink = OwnColours::second;  // its second search was there

  using Frame = StackFrame;
  using Stack = SearchStack;

  // A node that is to be put on a stack.
  struct Opening {
    Node node;
    bool in_second = false;
    bool counts = false;
  };

  // ---- The first search.

  // Takes in the edges of the node that is being opened. Only those to nodes that are not done with are taken later.
  // One that leads back into the stack has to be noticed now: a node that is not there will not be there later.
  struct FirstEdges {
    CycleWorker& worker;
    Node source;
    std::optional<Node> closing = {};  // a node on the stack
    bool closes_accepting = false;     // such a node that accepts

    [[gnu::always_inline]] void prefetch(Node node) const {
      worker.shared_.colours.prefetch(node);
      worker.own_.prefetch(node);
    }
    void push_back(const ProductEdge& edge) {
      if (worker.leads_out(source, edge.target)) return worker.note_outside(edge.target);
      if (worker.own_.has(edge.target, cyan)) return close(edge.target);
      if (!worker.shared_.colours.has(edge.target, Shared::blue)) worker.edges_.push_back(edge);
    }
    void close(Node target) {
      if (closes_accepting) return;
      closes_accepting = worker.shared_.colours.has(target, Shared::accepting);
      closing = target;
    }
  };

  void search() {
    Frame& top = first_.back();
    while (top.next_edge < edges_.size()) {
      const Node target = edges_[top.next_edge++].target;
      if (!shared_.colours.has(target, Shared::blue)) return enter(target);
    }
    leave();
  }

  void enter(Node node) {
    own_.add(node, cyan);
    shared_.colours.add(node, Shared::known);
    opening_ = {node, false, shared_.colours.add(node, Shared::met)};
    open();
  }

  // An accepting node stays on the stack while the second search runs, so that going back to it closes a cycle. Where
  // all nodes of a part accept, the first search is enough: of the nodes on a cycle, the one that becomes blue first
  // leads to one that is not, which then is on the stack of the same thread.
  void leave() {
    const Frame& top = first_.back();
    shared_.colours.add(top.node, Shared::blue);
    if (!top.accepting || !graph_.is_mixed(top.node)) return close_first();
    seed_ = top.node;
    enter_second(top.node);
  }

  void close_first() {
    own_.remove(first_.back().node, cyan);
    close(first_);
  }

  [[nodiscard]] bool leads_out(Node source, Node target) const { return graph_.part(source) != graph_.part(target); }

  void note_outside(Node target) {
    if (!shared_.colours.has(target, Shared::known) && shared_.colours.add(target, Shared::known))
      outside_.push_back(target);
  }

  // ---- The second search, from an accepting node.

  struct SecondEdges {
    CycleWorker& worker;
    Node source;
    [[gnu::always_inline]] void prefetch(Node node) const {
      worker.shared_.colours.prefetch(node);
      worker.own_.prefetch(node);
    }
    void push_back(const ProductEdge& edge) {
      if (!worker.leads_out(source, edge.target)) worker.edges_.push_back(edge);
    }
  };

  void search_back() {
    Frame& top = second_.back();
    while (top.next_edge < edges_.size()) {
      const Node target = edges_[top.next_edge++].target;
      if (own_.has(target, cyan)) return found_cycle(*seed_);
      if (!own_.has(target, pink) && !shared_.colours.has(target, Shared::red)) return enter_second(target);
    }
    close(second_);
  }

  void enter_second(Node node) {
    own_.add(node, pink);
    pink_nodes_.push_back(node);
    opening_ = {node, true, false};
    open();
  }

  // Another accepting node on the way must have had its own second search before this one may call anything red: it has
  // one under way, in the thread on whose stack it is.
  void end_second() {
    while (!awaited_.empty() && shared_.colours.has(awaited_.back(), Shared::red)) awaited_.pop_back();
    if (!awaited_.empty()) {
      std::this_thread::yield();
      return pause_after(1);
    }
    for (const Node node : pink_nodes_) shared_.colours.add(node, Shared::red);
    pink_nodes_.clear();
    seed_.reset();
    close_first();
  }

  // ---- Stacks.

  void open() {
    const Opening node = *opening_;
    if (node.in_second) {
      SecondEdges edges{*this, node.node};
      if (put_on(second_, node, edges)) opening_.reset();
    } else {
      FirstEdges edges{*this, node.node};
      if (!put_on(first_, node, edges)) return;
      opening_.reset();
      if (edges.closing && (first_.back().accepting || edges.closes_accepting))
        found_cycle(first_.back().accepting ? node.node : *edges.closing);
    }
  }

  // Where there is no room for the steps of the node it stays to be opened.
  template <class Edges>
  bool put_on(Stack& stack, const Opening& node, Edges& edges) {
    const std::size_t first = edges_.size();
    const Expansion found = graph_.expand(node.node, options_.assertions, edges, [&](InstanceId step) {
      if (node.counts) recorder_.fire(step);
    });
    if (!found.complete) {
      wait_for_room();
      return false;
    }
    stack.push_back({node.node, first, first, found.accepting});
    arrange(edges_.begin() + static_cast<std::ptrdiff_t>(first));
    note(node, found);
    pause_after(1 + edges_.size() - first);
    return true;
  }

  void note(const Opening& node, const Expansion& found) {
    if (node.in_second && found.accepting && node.node != *seed_) awaited_.push_back(node.node);
    if (!node.in_second && found.accepting) shared_.colours.add(node.node, Shared::accepting);
    deepest_ = std::max<std::uint64_t>(deepest_, depth_of_bottom_ + first_.size() - 1);
    if (!node.counts) {
      ++reopened_;
      return;
    }
    ++recorder_.result.statistics.states;
    if (found.violation) shared_.report({*found.violation, node.node, found.failing_step});
  }

  void close(Stack& stack) {
    edges_.resize(stack.back().first_edge);
    stack.pop_back();
  }

  // The first thread takes the order of a search by one thread (graph_search.hpp).
  void arrange(StackedEdges::iterator first) {
    if (number_ == 0)
      std::reverse(first, edges_.end());
    else
      std::shuffle(first, edges_.end(), random_);
  }

  void found_cycle(Node accepting) {
    shared_.report({Violation{Violation::Kind::cycle, claim_, ir::SiteId::none}, accepting, {}});
  }

  const std::uint32_t claim_;
  OwnColours own_;
  std::mt19937_64 random_;
  std::optional<Opening> opening_;
  Stack first_, second_;
  StackedEdges edges_;
  std::optional<Node> seed_;      // where the second search began
  std::vector<Node> pink_nodes_;  // of this second search
  std::vector<Node> awaited_;     // those of them that others must make red
  std::uint64_t depth_of_bottom_ = 0;
  Pace pace_;
  std::uint64_t reopened_ = 0;
  alignas(64) std::atomic<std::uint64_t> met_ = 0;
  std::atomic<std::uint64_t> transitions_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;
  std::atomic<bool> spares_ = false;
};

}  // namespace fathom
