// One thread of a nested depth-first search by several (cndfs.hpp). It has stacks of its own and can come to rest
// between any two edges; it then goes on where it stood.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "property/product.hpp"
#include "search/checkpoint.hpp"
#include "search/colours.hpp"
#include "search/lasso.hpp"
#include "search/recorder.hpp"
#include "search/search_stack.hpp"

namespace fathom {

// A bad run: all of it, or a node of the cycle that makes it bad.
struct FoundRun {
  Violation violation;
  std::optional<Node> on_cycle;
  Counterexample run;
};

// What the threads have in common.
struct SharedCycleSearch {
  explicit SharedCycleSearch(std::uint64_t nodes) : colours(nodes) {}

  // Colours of nodes. met: some thread has begun with it; blue: a first search has left it; red: nothing that can be
  // reached from it lies on an accepting cycle.
  static constexpr std::uint8_t met = 1, blue = 2, red = 4, accepting = 8;

  SharedColours colours;
  std::vector<Node> starts;
  alignas(64) std::atomic<bool> halt = false;  // everybody is to come to rest, because there is something to be done
  std::atomic<bool> stop = false;              // the search is over
  std::atomic<bool> spare = false;             // memory is short
  std::atomic<unsigned> busy = 0;              // threads that have not come to their end
  std::mutex mutex;
  std::optional<FoundRun> found;

  void report(FoundRun run) {
    const std::lock_guard lock(mutex);
    if (!found) found = std::move(run);
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
        claim_(claim),
        shared_(shared),
        number_(number),
        recorder_(options),
        own_(shared.colours.capacity()),
        random_(options.seed + number) {}

  // Called now and then.
  std::function<void()> pause;

  // Until there is nothing more to do, or everybody is to come to rest.
  void work() {
    while (!is_done_ && !must_rest()) go_on();
    while (pause && shared_.busy > 0 && !must_rest()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      pause();
    }
  }

  [[nodiscard]] Graph& graph() { return graph_; }
  [[nodiscard]] bool is_done() const { return is_done_; }

  // While it is at rest: where it stands, and into a new one. What colours of its own the nodes have is told by the
  // stacks: those of second searches that have ended are red for everybody.
  void write(SealedWriter& out) const {
    save_counts(recorder_.result, out);
    const Opening opening = opening_.value_or(Opening{});
    out.list({recorder_.result.statistics.states, reopened_, deepest_, next_start_, is_done_, opening_.has_value(),
              opening.node, opening.in_second, opening.counts, seed_.has_value(), seed_.value_or(0)});
    write_edges(edges_, out);
    write_stack(first_, out);
    write_stack(second_, out);
    out.list(pink_nodes_);
    out.list(awaited_);
  }
  void read(SealedReader& in) {
    recorder_.result = load_counts(options_.shape, in);
    const std::vector<std::uint64_t> numbers = in.list();
    recorder_.result.statistics.states = numbers.at(0);
    reopened_ = numbers.at(1);
    deepest_ = numbers.at(2);
    next_start_ = numbers.at(3);
    is_done_ = numbers.at(4) != 0;
    if (numbers.at(5) != 0) opening_ = {numbers.at(6), numbers.at(7) != 0, numbers.at(8) != 0};
    if (numbers.at(9) != 0) seed_ = numbers.at(10);
    read_edges(edges_, in);
    read_stack(first_, in);
    read_stack(second_, in);
    pink_nodes_ = in.list();
    awaited_ = in.list();
    for (const Frame& frame : first_) own_.add(frame.node, cyan);
    if (opening_ && !opening_->in_second) own_.add(opening_->node, cyan);
    for (const Node node : pink_nodes_) own_.add(node, pink);
    publish();
  }

  // What it counted: every node and its steps by the thread that met it first.
  [[nodiscard]] const SearchResult& counts() const { return recorder_.result; }
  [[nodiscard]] std::uint64_t reopened() const { return reopened_; }
  [[nodiscard]] std::uint64_t deepest() const { return deepest_; }
  // For those who watch from other threads.
  [[nodiscard]] std::uint64_t met() const { return met_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t transitions() const { return transitions_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool spares() const { return spares_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::uint8_t cyan = OwnColours::first;   // on the stack of its first search
  static constexpr std::uint8_t pink = OwnColours::second;  // its second search was there
  static constexpr std::uint64_t between_pauses = 1024;

  using Frame = StackFrame;
  using Stack = SearchStack;

  // A node that is to be put on a stack.
  struct Opening {
    Node node;
    bool in_second = false;
    bool counts = false;
  };

  [[nodiscard]] bool must_rest() const {
    return shared_.stop.load(std::memory_order_relaxed) || shared_.halt.load(std::memory_order_relaxed);
  }

  void go_on() {
    if (opening_)
      open();
    else if (!second_.empty())
      search_back();
    else if (seed_)
      end_second();
    else if (!first_.empty())
      search();
    else
      begin();
  }

  void begin() {
    if (next_start_ == shared_.starts.size()) return end();
    const Node start = shared_.starts[(next_start_++ + number_) % shared_.starts.size()];
    if (!shared_.colours.has(start, shared_.blue)) enter(start);
  }

  void end() {
    is_done_ = true;
    graph_.spare_memory();
    publish();
    --shared_.busy;
  }

  // ---- The first search.

  void search() {
    Frame& top = first_.back();
    while (top.next_edge < edges_.size()) {
      const Node target = edges_[top.next_edge++].target;
      if (own_.has(target, cyan)) {
        if (top.accepting || shared_.colours.has(target, shared_.accepting))
          return found_cycle(top.accepting ? top.node : target);
      } else if (!shared_.colours.has(target, shared_.blue)) {
        return enter(target);
      }
    }
    leave();
  }

  void enter(Node node) {
    own_.add(node, cyan);
    opening_ = {node, false, shared_.colours.add(node, shared_.met)};
    open();
  }

  // An accepting node stays on the stack while the second search runs, so that going back to it closes a cycle.
  void leave() {
    const Frame& top = first_.back();
    shared_.colours.add(top.node, shared_.blue);
    if (!top.accepting) return close_first();
    seed_ = top.node;
    enter_second(top.node);
  }

  void close_first() {
    own_.remove(first_.back().node, cyan);
    close(first_);
  }

  // ---- The second search, from an accepting node.

  void search_back() {
    Frame& top = second_.back();
    while (top.next_edge < edges_.size()) {
      const Node target = edges_[top.next_edge++].target;
      if (own_.has(target, cyan)) return found_cycle(*seed_);
      if (!own_.has(target, pink) && !shared_.colours.has(target, shared_.red)) return enter_second(target);
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
    while (!awaited_.empty() && shared_.colours.has(awaited_.back(), shared_.red)) awaited_.pop_back();
    if (!awaited_.empty()) {
      std::this_thread::yield();
      return pause_now_and_then();
    }
    for (const Node node : pink_nodes_) shared_.colours.add(node, shared_.red);
    pink_nodes_.clear();
    seed_.reset();
    close_first();
  }

  // ---- Stacks.

  // Where there is no room for the steps of the node it stays to be opened, and everybody comes to rest.
  void open() {
    const Opening node = *opening_;
    const std::size_t first = edges_.size();
    const Expansion found = graph_.expand(node.node, options_.assertions, edges_, [&](InstanceId step) {
      if (node.counts) recorder_.fire(step);
    });
    if (!found.complete) {
      edges_.resize(first);
      shared_.halt.store(true, std::memory_order_relaxed);
      return;
    }
    opening_.reset();
    Stack& stack = node.in_second ? second_ : first_;
    stack.push_back({node.node, first, first, found.accepting});
    arrange(edges_.begin() + static_cast<std::ptrdiff_t>(first));
    note(node, found);
    pause_now_and_then();
  }

  void note(const Opening& node, const Expansion& found) {
    if (node.in_second && found.accepting && node.node != *seed_) awaited_.push_back(node.node);
    if (!node.in_second && found.accepting) shared_.colours.add(node.node, shared_.accepting);
    deepest_ = std::max<std::uint64_t>(deepest_, first_.size() - 1);
    if (!node.counts) {
      ++reopened_;
      return;
    }
    ++recorder_.result.statistics.states;
    if (!found.violation) return;
    Counterexample run = counterexample(graph_, *found.violation, path());
    run.failing_step = found.failing_step;
    shared_.report({*found.violation, std::nullopt, std::move(run)});
  }

  void close(Stack& stack) {
    edges_.resize(stack.back().first_edge);
    stack.pop_back();
  }

  // The first thread takes the order of a search by one thread (graph_search.hpp).
  void arrange(std::vector<ProductEdge>::iterator first) {
    if (number_ == 0)
      std::reverse(first, edges_.end());
    else
      std::shuffle(first, edges_.end(), random_);
    for (auto edge = first; edge != edges_.end(); ++edge) {
      shared_.colours.prefetch(edge->target);
      own_.prefetch(edge->target);
    }
  }

  [[nodiscard]] NodePath path() const {
    NodePath path;
    for (std::size_t k = 0; k < first_.size(); ++k) {
      if (k > 0) path.steps.push_back(edges_[first_[k - 1].next_edge - 1].step);
      path.nodes.push_back(first_[k].node);
    }
    return path;
  }

  void found_cycle(Node accepting) {
    shared_.report({Violation{Violation::Kind::cycle, claim_, ir::SiteId::none}, accepting, {}});
  }

  void pause_now_and_then() {
    if (++turns_ % between_pauses != 0) return;
    if (shared_.spare.load(std::memory_order_relaxed)) graph_.spare_memory();
    publish();
    if (pause) pause();
  }

  void publish() {
    met_.store(recorder_.result.statistics.states, std::memory_order_relaxed);
    transitions_.store(recorder_.result.statistics.transitions, std::memory_order_relaxed);
    bytes_.store(graph_.bytes() + edges_.capacity() * sizeof(ProductEdge) + pink_nodes_.capacity() * sizeof(Node) +
                     (first_.capacity() + second_.capacity()) * sizeof(Frame),
                 std::memory_order_relaxed);
    spares_.store(is_done_ || shared_.spare.load(std::memory_order_relaxed), std::memory_order_relaxed);
  }

  Graph& graph_;
  const SearchOptions& options_;
  const std::uint32_t claim_;
  SharedCycleSearch& shared_;
  const unsigned number_;
  Recorder recorder_;
  OwnColours own_;
  std::mt19937_64 random_;
  std::optional<Opening> opening_;
  Stack first_, second_;
  std::vector<ProductEdge> edges_;
  std::optional<Node> seed_;      // where the second search began
  std::vector<Node> pink_nodes_;  // of this second search
  std::vector<Node> awaited_;     // those of them that others must make red
  std::size_t next_start_ = 0;
  bool is_done_ = false;
  std::uint64_t turns_ = 0;
  std::uint64_t reopened_ = 0;
  std::uint64_t deepest_ = 0;
  alignas(64) std::atomic<std::uint64_t> met_ = 0;
  std::atomic<std::uint64_t> transitions_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;
  std::atomic<bool> spares_ = false;
};

}  // namespace fathom
