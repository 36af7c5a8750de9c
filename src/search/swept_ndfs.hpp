// Nested depth-first search as far as it is needed, and a plain sweep for the rest. A cycle of the product stays in one
// strongly connected part of the automaton, and it is accepting only if there is an accepting node on it. So all nodes
// are opened once, in whatever order is cheap, and where that comes across an accepting node in a part with accepting
// cycles, the nested search begins there and stays in the part; nodes outside to which it finds edges are swept again.
// In a part all of whose places accept, nodes are left to the nested search at once.
//
// The sweep is breadth-first and opens nodes in groups, so that the look-ups of many successors are under way together:
// a depth-first search waits for memory at every node. Now and then it opens a single node instead, one of those that
// such a dive has found last: a violation in the depth must not have to wait for all that lies above it.
//
// The nested search may begin at any nodes, one after the other, as long as the edges it sees stay the same. These are
// the ones inside parts, and what was swept does not count as visited by it. So a node is opened twice if it was swept
// before an accepting node was found that leads to it.
#pragma once

#include <optional>

#include "search/ndfs.hpp"

namespace fathom {

template <class Graph>
class SweptNestedDfs : NestedDfs<Graph, true> {
  using Nested = NestedDfs<Graph, true>;

 public:
  SweptNestedDfs(Graph& graph, const SearchOptions& options, std::uint32_t claim, NestedVariant variant)
      : Nested(graph, options, claim, variant) {}

  using Nested::save;
  using Nested::save_due;
  using Nested::set_pace;

  SearchResult run() {
    this->from_starts([this](Node start) {
      if (this->flags_.has(start, this->known)) return;
      this->flags_.set(start, this->known);
      put_aside(start, level_.nodes);
    });
    return go_on();
  }

  // Where it stands, without the graph.
  void write(SealedWriter& out) const {
    Nested::write(out);
    out.list(level_.nodes);
    out.list(level_.next);
    out.list(deep_);
    out.list(seeds_);
    out.list({level_.head, level_.depth, groups_, to_dive_});
  }

  // Goes on where another stood.
  SearchResult resume(SealedReader& in) {
    Nested::read(in);
    level_.nodes = in.list();
    level_.next = in.list();
    deep_ = in.list();
    seeds_ = in.list();
    std::vector<std::uint64_t> numbers = in.list();
    numbers.resize(4);
    level_.head = numbers[0];
    level_.depth = numbers[1];
    groups_ = numbers[2];
    to_dive_ = numbers[3];
    return go_on();
  }

 private:
  SearchResult go_on() {
    if (this->is_under_way()) {
      Nested::go_on();
      take_outside();
    }
    while (this->going_ && !(seeds_.empty() && level_.empty() && deep_.empty()) && this->may_go_on())
      if (!seeds_.empty())
        search_from_seed();
      else if (to_dive_ > 0)
        dive();
      else
        sweep();
    return this->finish();
  }

  static constexpr std::uint64_t groups_between_dives = 32;
  static constexpr std::uint64_t nodes_of_a_dive = 16;

  // The nodes of a level, those before `head` taken, and the ones found meanwhile.
  struct Level {
    std::vector<Node> nodes, next;
    std::size_t head = 0;
    std::uint64_t depth = 0;

    [[nodiscard]] bool empty() const { return head == nodes.size() && next.empty(); }
    Node take() {
      if (head == nodes.size()) descend();
      return nodes[head++];
    }
    void descend() {
      nodes.clear();
      nodes.swap(next);
      head = 0;
      ++depth;
    }
  };

  [[gnu::always_inline]] void put_aside(Node node, std::vector<Node>& waiting) {
    (this->graph_.surely_accepts(node) ? seeds_ : waiting).push_back(node);
  }

  void search_from_seed() {
    const Node seed = taken_from(seeds_);
    if (this->flags_.has(seed, this->visited)) return;
    this->depth_of_bottom_ = level_.depth;
    this->explore(seed);
    take_outside();
  }

  void take_outside() {
    for (const Node found : this->outside_) put_aside(found, level_.next);
    this->outside_.clear();
  }

  void sweep() {
    open_some([this] { return next_node(false); }, level_.next);
    if (++groups_ % groups_between_dives == 0) to_dive_ = nodes_of_a_dive;
  }

  void dive() {
    --to_dive_;
    bool taken = false;
    open_some([&] { return std::exchange(taken, true) ? std::nullopt : next_node(true); }, deep_);
  }

  // Where a dive has nothing to go on with it begins with what the sweep would take, and the other way round.
  std::optional<Node> next_node(bool diving) {
    while (!deep_.empty() || !level_.empty()) {
      const Node next = level_.empty() || (diving && !deep_.empty()) ? taken_from(deep_) : level_.take();
      if (this->flags_.has(next, this->opened)) continue;  // by the nested search, meanwhile
      this->flags_.set(next, this->opened);
      return next;
    }
    return std::nullopt;
  }

  static Node taken_from(std::vector<Node>& stack) {
    const Node last = stack.back();
    stack.pop_back();
    return last;
  }

  // Takes in the edges of the nodes that are opened together.
  struct SweptEdges {
    SweptNestedDfs& search;
    std::vector<Node>& waiting;
    std::uint8_t* flags = nullptr;

    void prepare(std::uint64_t bound) { flags = search.flags_.all_below(bound); }
    [[gnu::always_inline]] void prefetch(Node node) const { __builtin_prefetch(flags + node); }
    [[gnu::always_inline]] void push_back(const ProductEdge& edge) const {
      if ((flags[edge.target] & Nested::known) != 0) return;
      flags[edge.target] |= Nested::known;
      search.put_aside(edge.target, waiting);
    }
    [[gnu::always_inline]] void opened(Node node, const Expansion& found) const {
      search.count_opened(search.level_.depth);
      if (found.accepting && search.graph_.may_accept(node)) search.seeds_.push_back(node);
      if (found.violation) search.violations_.push_back({node, found});
    }
  };

  // A violation is shown when the group is done with: the way there is found in the graph that is busy with the group.
  template <class Next>
  void open_some(const Next& next, std::vector<Node>& waiting) {
    SweptEdges edges{*this, waiting};
    this->open_together(next, edges);
    for (const auto& [node, found] : violations_)
      if (this->going_)
        this->violated(
            *found.violation, [&] { return this->stem_to(node); }, found.failing_step);
    violations_.clear();
  }

  [[nodiscard]] std::uint64_t queued() const override {
    return level_.nodes.size() - level_.head + level_.next.size() + deep_.size() + seeds_.size() + this->edges_.size();
  }

  [[nodiscard]] std::uint64_t own_bytes() const override {
    return Nested::own_bytes() +
           (level_.nodes.capacity() + level_.next.capacity() + deep_.capacity() + seeds_.capacity()) * sizeof(Node);
  }

  struct Violated {
    Node node;
    Expansion found;
  };

  Level level_;
  std::vector<Node> deep_;   // found by dives
  std::vector<Node> seeds_;  // the nested search is to begin with them
  std::vector<Violated> violations_;
  std::uint64_t groups_ = 0;
  std::uint64_t to_dive_ = 0;  // nodes, before the sweep goes on
};

}  // namespace fathom
