// What the depth-first searches of a product graph share: the stack of opened nodes with the edges still to be taken,
// and the way from there to a report. Edges are numbers of nodes, so a frame is small and the stack can be deep.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "property/product.hpp"
#include "search/checkpoint.hpp"
#include "search/lasso.hpp"
#include "search/node_limit.hpp"
#include "search/pace.hpp"
#include "search/recorder.hpp"
#include "search/search_stack.hpp"
#include "support/plain_list.hpp"

namespace fathom {

template <class Graph>
class GraphSearch {
 public:
  // For a search that can write() where it stands: asked now and then whether it is time to save, which is done at the
  // next place where it can go on from. It is also done when a limit or the user ends the search.
  std::function<bool()> save_due;
  std::function<void()> save;
  // How much work there is between two questions of this kind.
  void set_pace(std::uint64_t work) { pace_.set(work); }

 protected:
  using Frame = StackFrame;
  using Stack = SearchStack;

  GraphSearch(Graph& graph, const SearchOptions& options, std::uint32_t claim)
      : graph_(graph), options_(options), claim_(claim), recorder_(options), limit_(options), random_(options.seed) {
    if constexpr (requires { graph_.may_grow; }) graph_.may_grow = [this](std::uint64_t more) { return fits(more); };
  }

  // Calls visit(node) for each start node, as long as the search goes on. What is wrong with them is reported once.
  template <class Visit>
  void from_starts(const Visit& visit) {
    std::vector<Node> starts;
    const Expansion found = graph_.starts(starts);
    if (!found.complete) return stop(Ending::memory_limit);
    if (found.violation && !is_resumed_)
      violated(
          *found.violation, [] { return NodePath(); }, found.failing_step);
    for (const Node start : starts)
      if (going_) visit(start);
  }

  // Opens a node for the first time: what is wrong with it is reported, and its steps count.
  void open(Node node, Stack& stack) { open(node, stack, edges_); }

  // `taken` gets all edges and puts those into edges_ that are to be taken.
  template <class Edges>
  void open(Node node, Stack& stack, Edges& taken) {
    const std::size_t first = edges_.size();
    stack.push_back({node, first, first, false});
    const Expansion found = graph_.expand(node, options_.assertions, taken, Firing{recorder_});
    stack.back().accepting = found.accepting;
    reorder(edges_.begin() + static_cast<std::ptrdiff_t>(first));
    count_opened(depth_of_bottom_ + stack.size() - 1);
    if (!found.complete) return stop(Ending::memory_limit);
    if (found.violation)
      violated(
          *found.violation, [&] { return path_on(stack); }, found.failing_step);
    if (pace_.is_due(1 + edges_.size() - first)) pause();
  }

  // Opens nodes together: next() gives them, and `taken` gets their edges and is told of each what else was found.
  template <class Next, class Edges>
  void open_together(const Next& next, Edges& taken) {
    const std::uint64_t before = recorder_.result.statistics.transitions;
    if (!graph_.expand_together(next, options_.assertions, taken, Firing{recorder_})) return stop(Ending::memory_limit);
    if (pace_.is_due(1 + recorder_.result.statistics.transitions - before)) pause();
  }

  void count_opened(std::uint64_t depth) {
    ++opened_;
    deepest_ = std::max(deepest_, depth);
  }

  // Gives the edges of a node once more; true if it is accepting.
  template <class Edges>
  bool repeat(Node node, Edges& taken) {
    const Expansion found = graph_.expand(node, options_.assertions, taken, [](InstanceId) {});
    ++reopened_;
    if (!found.complete)
      stop(Ending::memory_limit);
    else if (pace_.is_due(1))
      pause();
    return found.accepting;
  }

  void reopen(Node node, Stack& stack) { reopen(node, stack, edges_); }

  template <class Edges>
  void reopen(Node node, Stack& stack, Edges& taken) {
    const std::size_t first = edges_.size();
    const bool accepting = repeat(node, taken);
    stack.push_back({node, first, first, accepting});
  }

  void close(Stack& stack) {
    edges_.resize(stack.back().first_edge);
    stack.pop_back();
  }

  [[nodiscard]] bool has_edge(const Frame& frame) const { return frame.next_edge < edges_.size(); }
  ProductEdge next_edge(Frame& frame) { return edges_[frame.next_edge++]; }

  [[nodiscard]] NodePath path_on(const Stack& stack) {
    NodePath path = way_to(stack.front().node);
    for (std::size_t k = 1; k < stack.size(); ++k) {
      path.steps.push_back(edges_[stack[k - 1].next_edge - 1].step);
      path.nodes.push_back(stack[k].node);
    }
    return path;
  }

  // To the node at which the stack begins: a start node, unless a search says otherwise.
  [[nodiscard]] virtual NodePath way_to(Node root) { return {{root}, {}}; }

  // The path is only made for the first one.
  template <class MakePath>
  void violated(const Violation& violation, const MakePath& make_path, std::optional<InstanceId> failing_step) {
    if (recorder_.count(violation)) {
      recorder_.result.first = counterexample(graph_, violation, make_path());
      recorder_.result.first->failing_step = failing_step;
    }
    if (recorder_.finished()) stop(Ending::error_limit);
  }

  // A cycle that should not be.
  template <class MakeLasso>
  void found_cycle(const MakeLasso& make_lasso) {
    const Violation violation{Violation::Kind::cycle, claim_, ir::SiteId::none};
    if (recorder_.count(violation)) {
      const Lasso found = make_lasso();
      recorder_.result.first = counterexample(graph_, violation, found);
    }
    if (recorder_.finished()) stop(Ending::error_limit);
  }

  void stop(Ending ending) {
    going_ = false;
    recorder_.result.ending = ending;
  }

  // A search calls it where everything it knows is in its arrays. False: it is to end.
  [[gnu::always_inline]] bool may_go_on() {
    if (save_is_due_) [[unlikely]]
      save_here();
    return going_;
  }

  // ---- Checkpoints: what all of these searches have to say, beside the graph.
  void write_search(SealedWriter& out) const {
    save_counts(recorder_.result, out);
    out.list({opened_, reopened_, deepest_, stack_bytes_, depth_of_bottom_, limit_.most()});
    out.text(text_of(random_));
    write_edges(edges_, out);
  }

  void read_search(SealedReader& in) {
    recorder_.result = load_counts(options_.shape, in);
    std::vector<std::uint64_t> counts = in.list();
    counts.resize(6);
    opened_ = counts[0];
    reopened_ = counts[1];
    deepest_ = counts[2];
    stack_bytes_ = counts[3];
    depth_of_bottom_ = counts[4];
    limit_.raise_to(counts[5]);
    std::istringstream(in.text()) >> random_;
    read_edges(edges_, in);
    is_resumed_ = true;
  }

  // Side arrays of the search are its own: it says how much they take.
  [[nodiscard]] virtual std::uint64_t own_bytes() const = 0;
  // How much is known to be left to do.
  [[nodiscard]] virtual std::uint64_t queued() const { return edges_.size(); }

  SearchResult finish() {
    SearchResult result = std::move(recorder_.result);
    result.statistics.states = opened_;
    result.statistics.depth = deepest_;
    result.statistics.revisits = reopened_;
    result.statistics.stack_bytes = stack_bytes_;
    result.statistics.store_bytes = bytes();
    return result;
  }

  virtual ~GraphSearch() {
    if constexpr (requires { graph_.may_grow; }) graph_.may_grow = nullptr;
  }

  Graph& graph_;
  const SearchOptions& options_;
  std::uint32_t claim_;
  Recorder recorder_;
  StackedEdges edges_;
  std::uint64_t depth_of_bottom_ = 0;  // of the node with which the stack begins
  bool going_ = true;

 private:
  // The process that came last moves first, as in Spin: those that were there from the beginning often only wait, and
  // runs in which they do are the ones of interest here.
  void reorder(StackedEdges::iterator first) {
    if (options_.order == Order::declared) std::reverse(first, edges_.end());
    if (options_.order == Order::random) std::shuffle(first, edges_.end(), random_);
  }

  static std::string text_of(const std::mt19937_64& random) {
    std::ostringstream text;
    text << random;
    return text.str();
  }

  [[nodiscard]] std::uint64_t bytes() const {
    return graph_.bytes() + own_bytes() + edges_.capacity() * sizeof(ProductEdge);
  }

  // Whether there is memory for so much more.
  [[nodiscard]] bool fits(std::uint64_t more) {
    if (bytes() + more > options_.memory_limit) graph_.spare_memory();
    return bytes() + more <= options_.memory_limit;
  }

  void pause() {
    if (limit_.is_reached(opened_)) return stop(Ending::incomplete);
    stack_bytes_ = std::max<std::uint64_t>(stack_bytes_, edges_.bytes());
    if (!fits(0)) return end_with(Ending::memory_limit);
    const Progress progress{.states = opened_,
                            .transitions = recorder_.result.statistics.transitions,
                            .depth = deepest_,
                            .queue = queued(),
                            .bytes = bytes()};
    if (!options_.tick(progress)) return end_with(Ending::time_or_user);
    save_is_due_ = save_is_due_ || (save_due && save_due());
  }

  // At once, if there is nothing to be saved before.
  void end_with(Ending ending) {
    if (!save) return stop(ending);
    save_is_due_ = true;
    ends_with_ = ending;
  }

  [[gnu::noinline]] void save_here() {
    save_is_due_ = false;
    if (going_) save();
    if (going_ && ends_with_) stop(*ends_with_);
  }

  NodeLimit limit_;
  std::mt19937_64 random_;
  std::uint64_t opened_ = 0;
  std::uint64_t reopened_ = 0;
  Pace pace_;
  std::uint64_t deepest_ = 0;
  std::uint64_t stack_bytes_ = 0;
  bool is_resumed_ = false;  // from a checkpoint
  bool save_is_due_ = false;
  std::optional<Ending> ends_with_;  // when it was saved
};

}  // namespace fathom
