// Nested depth-first search for accepting cycles in the product of a model and an automaton. The first search visits
// all nodes; where it leaves an accepting one, a second search looks for a way back to it.
//
//  - cvwy: the second search looks for the very node it began with (Courcoubetis, Vardi, Wolper, Yannakakis, FMSD 1992;
//    Holzmann, Peled, Yannakakis, SPIN 1996, Fig. 2).
//  - hpy: it is enough to come to any node on the stack of the first search (ibid., Fig. 4). As printed that figure
//  asks
//    first whether the second search has been there, and may walk on through a node of the stack; the order here is the
//    one its text describes.
//  - se: the first search already reports an edge back into its stack when one of its ends is accepting, and the second
//    enters only what the first has left (Schwoon, Esparza, TACAS 2005). Finds cycles earliest; the default. Where the
//    automaton is weak, the first search is enough (Edelkamp, Lluch-Lafuente, Leue, SPIN 2001; Černá, Pelánek, MFCS
//    2003).
//
// Directed (Edelkamp, Lluch-Lafuente, Leue, STTT 2004): the first search goes where the automaton can accept first, and
// the second tries those successors first that differ in the fewest bits from the node it wants to come back to. It
// leaves out those from which the automaton cannot come back.
//
// Cycles without progress can be found directly (ibid., Fig. 5): see no_progress.hpp.
#pragma once

#include <bit>
#include <functional>
#include <numeric>

#include "search/graph_search.hpp"
#include "search/node_flags.hpp"
#include "search/place_ranks.hpp"

namespace fathom {

enum class NestedVariant : std::uint8_t { cvwy, hpy, se };

// `in_parts`: it stays in the part of the automaton in which it begins, and notes where edges lead out of it. See
// swept_ndfs.hpp.
template <class Graph, bool in_parts = false>
class NestedDfs : protected GraphSearch<Graph> {
 protected:
  using Base = GraphSearch<Graph>;
  using typename Base::Frame;
  using typename Base::Stack;

 public:
  // `ranks`: for a directed search.
  NestedDfs(Graph& graph, const SearchOptions& options, std::uint32_t claim, NestedVariant variant,
            const PlaceRanks* ranks = nullptr)
      : Base(graph, options, claim), variant_(variant), ranks_(ranks) {}

  using Base::save;
  using Base::save_due;
  using Base::set_pace;

  SearchResult run() {
    this->from_starts([this](Node start) {
      if (!flags_.has(start, visited)) explore(start);
    });
    return this->finish();
  }

  // Where it stands, without the graph.
  void write(SealedWriter& out) const {
    this->write_search(out);
    out.byte_list(flags_.all());
    out.list(outside_);
    write_stack(first_, out);
    out.list(waiting_);
    out.list(seed_ ? std::vector<std::uint64_t>{*seed_} : std::vector<std::uint64_t>{});
  }

  // Goes on where another stood.
  SearchResult resume(SealedReader& in) {
    read(in);
    go_on();
    return run();
  }

 protected:
  static constexpr std::uint8_t visited = 1;   // by the first search
  static constexpr std::uint8_t on_stack = 2;  // of the first search
  static constexpr std::uint8_t nested = 4;    // visited by the second search
  static constexpr std::uint8_t accepting = 8;
  static constexpr std::uint8_t reported = 16;
  // In parts, where the first search does not have to be the first to come to a node:
  static constexpr std::uint8_t opened = 32;  // its steps were counted
  static constexpr std::uint8_t known = 64;   // it was opened or is waiting for that

  void explore(Node start) {
    enter(start);
    go_on();
  }

  // From wherever it stands.
  void go_on() {
    if (seed_) end_leaving();
    while (this->going_ && !first_.empty() && this->may_go_on()) {
      if (!this->has_edge(first_.back())) {
        leave();
        continue;
      }
      const Node target = this->next_edge(first_.back()).target;
      if (!flags_.has(target, visited)) enter(target);
    }
  }

  [[nodiscard]] bool is_under_way() const { return !first_.empty(); }

  void read(SealedReader& in) {
    this->read_search(in);
    flags_.restore(in.byte_list());
    outside_ = in.list();
    read_stack(first_, in);
    waiting_ = in.list();
    if (const std::vector<std::uint64_t> seed = in.list(); !seed.empty()) seed_ = seed.front();
  }

  // A shortest way to a node among those that are known.
  [[nodiscard]] NodePath stem_to(Node node) {
    return shortest_stem<Graph>(
        this->graph_, [this](Node other) { return flags_.has(other, known); },
        [node](Node other) { return other == node; });
  }

  [[nodiscard]] std::uint64_t own_bytes() const override {
    return flags_.bytes() + first_.capacity() * sizeof(Frame) + waiting_.capacity() * sizeof(Node) +
           outside_.capacity() * sizeof(Node);
  }

  NodeFlags flags_;
  std::vector<Node> outside_;  // in parts: new nodes to which edges led out of one

 private:
  static constexpr std::size_t improvement_effort = 20'000;  // nodes for a shorter lasso, where the search ends with it

  // Takes in the edges of the node that is being opened. Only those to new nodes are taken later; the others do their
  // part now, since a node that is not on the stack then will not be there when a later edge is taken.
  struct NewEdges {
    NestedDfs& search;
    Node source;
    [[gnu::always_inline]] void prefetch(Node node) const { search.flags_.prefetch(node); }
    [[gnu::always_inline]] void push_back(const ProductEdge& edge) {
      const std::uint8_t seen = search.flags_.of(edge.target);
      if (search.leads_out(source, edge.target))
        search.note_outside(edge.target);
      else if ((seen & visited) == 0)
        search.edges_.push_back(edge);
      else if ((seen & on_stack) != 0)
        search.closing_.push_back(edge.target);
    }
  };

  [[nodiscard]] bool leads_out(Node source, Node target) const {
    return in_parts && this->graph_.part(source) != this->graph_.part(target);
  }

  void note_outside(Node target) {
    if (flags_.has(target, known)) return;
    flags_.set(target, known);
    outside_.push_back(target);
  }

  void enter(Node node) {
    const bool again = in_parts && flags_.has(node, opened);
    flags_.set(node, visited | on_stack | (in_parts ? opened | known : 0));
    NewEdges edges{*this, node};
    closing_.clear();
    if (again)
      this->reopen(node, first_, edges);
    else
      this->open(node, first_, edges);
    if (first_.back().accepting) flags_.set(node, accepting);
    if (variant_ == NestedVariant::se && !closing_.empty()) report_closing(node);
    if (ranks_ == nullptr) return;
    order_edges(first_.back().first_edge, [this](Node target) { return ranks_->rank(this->graph_.place(target)); });
  }

  void report_closing(Node source) {
    for (const Node target : closing_) {
      if (!this->going_) return;
      if (flags_.has(source, accepting))
        report(source);
      else if (flags_.has(target, accepting))
        report(target);
    }
  }

  // The node stays on the stack while the second search runs, so that going back to it closes a cycle.
  void leave() {
    const Node node = first_.back().node;
    if (first_.back().accepting && needs_second_search(node)) begin_second_search(node);
    end_leaving();
  }

  void end_leaving() {
    if (seed_) search_cycle(*seed_);
    if (!this->going_) return;
    flags_.clear(first_.back().node, on_stack);
    this->close(first_);
  }

  // In a strongly connected part of accepting nodes alone the first search reports an edge back into its stack, and
  // there is one if there is a cycle.
  [[nodiscard]] bool needs_second_search(Node node) const {
    return !flags_.has(node, nested) && (variant_ != NestedVariant::se || this->graph_.is_mixed(node));
  }

  [[nodiscard]] bool closes(Node seed, Node target) const {
    return variant_ == NestedVariant::cvwy ? target == seed : flags_.has(target, on_stack);
  }

  // Whether there is a way back is all that counts, so a node is marked when it is first seen, and waits for its turn.
  void begin_second_search(Node seed) {
    flags_.set(seed, nested);
    waiting_.assign(1, seed);
    seed_ = seed;
  }

  void search_cycle(Node seed) {
    bool closed = false;
    while (!closed && !waiting_.empty() && this->may_go_on()) {
      const Node node = waiting_.back();
      waiting_.pop_back();
      closed = follow_edges(node, seed);
    }
    if (!this->going_) return;
    seed_.reset();
    if (closed) report(seed);
  }

  // True: an edge closes a cycle.
  bool follow_edges(Node node, Node seed) {
    const std::size_t first = this->edges_.size();
    this->repeat(node, this->edges_);
    if (ranks_ != nullptr) direct_edges(first, seed);
    bool closed = false;
    for (std::size_t k = first; k < this->edges_.size() && !closed; ++k) {
      const Node target = this->edges_[k].target;
      closed = closes(seed, target);
      if (closed || flags_.has(target, nested) || leads_out(seed, target)) continue;
      flags_.set(target, nested);
      waiting_.push_back(target);
    }
    this->edges_.resize(first);
    return closed;
  }

  // The one that comes last is followed first.
  void direct_edges(std::size_t first, Node seed) {
    const auto end = std::remove_if(edges_from(first), this->edges_.end(), [&](const ProductEdge& edge) {
      return !ranks_->leads_back(this->graph_.place(edge.target), this->graph_.place(seed));
    });
    this->edges_.resize(static_cast<std::size_t>(end - this->edges_.begin()));
    order_edges(first, [&](Node target) { return -distance(target, seed); });
  }

  // Bits in which the states of the model differ.
  [[nodiscard]] int distance(Node node, Node other) const {
    const StateView a = this->graph_.state(node), b = this->graph_.state(other);
    return std::transform_reduce(a.begin(), a.end(), b.begin(), 0, std::plus(),
                                 [](std::uint64_t x, std::uint64_t y) { return std::popcount(x ^ y); });
  }

  [[nodiscard]] auto edges_from(std::size_t first) { return this->edges_.begin() + static_cast<std::ptrdiff_t>(first); }

  template <class Value>
  void order_edges(std::size_t first, const Value& value) {
    std::stable_sort(edges_from(first), this->edges_.end(),
                     [&](const ProductEdge& a, const ProductEdge& b) { return value(a.target) < value(b.target); });
  }

  // The accepting node lies on a cycle. Such a cycle is reported once.
  void report(Node node) {
    if (flags_.has(node, reported)) return;
    flags_.set(node, reported);
    this->found_cycle([&] {
      const auto found = [this](Node other) { return flags_.has(other, in_parts ? known : visited); };
      return short_lasso<Graph>(this->graph_, found, node, this->options_.max_errors == 1 ? improvement_effort : 0);
    });
  }

  [[nodiscard]] NodePath way_to(Node root) override { return in_parts ? stem_to(root) : Base::way_to(root); }

  NestedVariant variant_;
  const PlaceRanks* ranks_;
  Stack first_;
  std::vector<Node> closing_;  // nodes on the stack to which the node that was opened last has an edge
  std::optional<Node> seed_;   // of the second search, while it is under way
  std::vector<Node> waiting_;  // for it
};

}  // namespace fathom
