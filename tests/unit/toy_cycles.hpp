// Small graphs for searches for cycles, the definition of what they look for by plain reachability on an explicit
// matrix, and a check that walks the lassos they give.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <vector>

#include "property/product.hpp"

namespace fathom::toy_cycles {

// A graph as the searches see one: nodes are numbers, and the state of a node is its number.
class ToyGraph {
 public:
  struct Arc {
    Node target;
    Marks marks;
    bool progress = false;
  };

  std::vector<Node> start_nodes;
  std::vector<std::vector<Arc>> arcs;
  std::vector<Marks> own_marks;
  Marks wanted = Marks(1);
  std::vector<StrongPair> pairs;
  std::vector<bool> mixed;       // empty: any node may be
  std::optional<Node> failing;   // something goes wrong there
  std::vector<ltl::Part> parts;  // of the nodes; empty: there is one, and it may accept
  std::size_t group = 3;         // so many nodes are expanded together

  [[nodiscard]] std::uint64_t size() const { return arcs.size(); }
  [[nodiscard]] std::uint64_t bytes() const { return 0; }
  [[nodiscard]] std::size_t place(Node) const { return 0; }
  [[nodiscard]] bool is_mixed(Node node) const { return mixed.empty() || mixed[node]; }
  [[nodiscard]] std::uint32_t part(Node node) const { return parts.empty() ? 0 : parts[node].number; }
  [[nodiscard]] bool may_accept(Node node) const { return parts.empty() || parts[node].may_accept; }
  [[nodiscard]] bool surely_accepts(Node node) const { return may_accept(node) && !is_mixed(node); }
  void spare_memory() {}
  void add_expanded(const ToyGraph&) {}
  [[nodiscard]] Marks all_marks() const { return wanted; }
  [[nodiscard]] const std::vector<StrongPair>& strong_pairs() const { return pairs; }
  [[nodiscard]] Marks marks(const ProductEdge& edge) const { return mark_sets_[edge.marks]; }
  [[nodiscard]] const Marks& node_marks() const { return node_marks_; }
  [[nodiscard]] StateView state(Node node) const { return {&numbers()[node], 1}; }

  Expansion starts(std::vector<Node>& out) {
    out.insert(out.end(), start_nodes.begin(), start_nodes.end());
    return {};
  }

  template <class Edges, class Fire>
  Expansion expand(Node node, bool, Edges& out, const Fire& fire) {
    for (std::size_t k = 0; k < arcs[node].size(); ++k) {
      mark_sets_.push_back(arcs[node][k].marks);
      fire(InstanceId{0});
      out.push_back({arcs[node][k].target, InstanceId{k}, static_cast<std::uint32_t>(mark_sets_.size() - 1),
                     arcs[node][k].progress});
    }
    node_marks_ = own_marks[node];
    Expansion result;
    result.accepting = own_marks[node].test(0);
    if (node == failing) result.violation = Violation{Violation::Kind::fault, 0, ir::SiteId::none};
    return result;
  }

  template <class Next, class Edges, class Fire>
  bool expand_together(const Next& next, bool assertions, Edges& out, const Fire& fire) {
    std::vector<Node> nodes;
    for (std::optional<Node> node; nodes.size() < group && (node = next());) nodes.push_back(*node);
    out.prepare(size());
    for (const Node node : nodes) {
      const Expansion found = expand(node, assertions, out, fire);
      out.opened(node, found);
    }
    return true;
  }

 private:
  static const std::vector<std::uint64_t>& numbers() {
    static const std::vector<std::uint64_t> all = [] {
      std::vector<std::uint64_t> list(64);
      for (std::uint64_t k = 0; k < list.size(); ++k) list[k] = k;
      return list;
    }();
    return all;
  }

  std::vector<Marks> mark_sets_;
  Marks node_marks_;
};

using Matrix = std::vector<std::vector<bool>>;

inline Matrix closure(const ToyGraph& graph) {
  const std::size_t size = graph.arcs.size();
  Matrix reach(size, std::vector<bool>(size));
  for (std::size_t from = 0; from < size; ++from)
    for (const ToyGraph::Arc& arc : graph.arcs[from]) reach[from][arc.target] = true;
  for (std::size_t via = 0; via < size; ++via)
    for (std::size_t from = 0; from < size; ++from)
      for (std::size_t to = 0; to < size; ++to)
        if (reach[from][via] && reach[via][to]) reach[from][to] = true;
  return reach;
}

// The definition: some reachable component, with at least one arc inside, has all wanted marks on its nodes and arcs.
inline bool has_marked_component(const ToyGraph& graph) {
  const Matrix reach = closure(graph);
  for (std::size_t node = 0; node < graph.arcs.size(); ++node) {
    if (!reach[node][node]) continue;
    const bool reachable =
        std::ranges::any_of(graph.start_nodes, [&](Node start) { return start == node || reach[start][node]; });
    if (!reachable) continue;
    Marks seen;
    for (std::size_t other = 0; other < graph.arcs.size(); ++other) {
      if (!reach[node][other] || !reach[other][node]) continue;
      seen |= graph.own_marks[other];
      for (const ToyGraph::Arc& arc : graph.arcs[other])
        if (reach[arc.target][node]) seen |= arc.marks;
    }
    if ((seen & graph.wanted) == graph.wanted) return true;
  }
  return false;
}

inline ToyGraph random_graph(std::mt19937& random, std::size_t fairness_marks) {
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  ToyGraph graph;
  const std::size_t size = 1 + below(14);
  graph.arcs.resize(size);
  graph.own_marks.resize(size);
  for (std::size_t k = 0; k <= fairness_marks; ++k) graph.wanted.set(k);
  const std::size_t density = 1 + below(3);
  for (std::size_t node = 0; node < size; ++node) {
    if (below(5) == 0) graph.own_marks[node].set(0);
    for (std::size_t k = 1; k <= fairness_marks; ++k)
      if (below(4) == 0) graph.own_marks[node].set(k);
    for (std::size_t count = below(density + 1); count > 0; --count) {
      ToyGraph::Arc arc{below(size), {}};
      for (std::size_t k = 1; k <= fairness_marks; ++k)
        if (below(4) == 0) arc.marks.set(k);
      graph.arcs[node].push_back(arc);
    }
  }
  graph.start_nodes = {0};
  if (below(3) == 0) graph.start_nodes.push_back(below(size));
  return graph;
}

// An automaton with a few strongly connected parts, some of which accept in some places, in all or in none.
inline ir::Automaton random_automaton(std::mt19937& random) {
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  ir::Automaton automaton;
  automaton.states.resize(1 + below(6));
  for (ir::Automaton::State& place : automaton.states) {
    place.accepting = below(3) == 0;
    for (std::size_t count = 1 + below(2); count > 0; --count)
      place.edges.push_back({static_cast<std::uint32_t>(below(automaton.states.size())), {}, {}, {}});
  }
  return automaton;
}

// The product of an automaton and a random system of up to eight states. With `labels` some states accept, too.
inline ToyGraph random_product(std::mt19937& random, const ir::Automaton& automaton, bool labels) {
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  const std::size_t states = 1 + below(8), places = automaton.states.size();
  std::vector<std::vector<std::size_t>> steps(states);
  for (auto& targets : steps)
    for (std::size_t count = below(3); count > 0; --count) targets.push_back(below(states));
  const std::vector<ltl::Part> parts = ltl::parts_of(automaton);
  ToyGraph graph;
  graph.arcs.resize(states * places);
  for (std::size_t state = 0; state < states; ++state) {
    const bool accepting = labels && below(4) == 0;
    for (std::size_t place = 0; place < places; ++place) {
      for (const std::size_t target : steps[state])
        for (const ir::Automaton::Edge& edge : automaton.states[place].edges)
          graph.arcs[state * places + place].push_back({target * places + edge.target, {}});
      graph.own_marks.emplace_back(automaton.states[place].accepting || accepting ? 1 : 0);
      const ltl::Part& part = parts[place];
      graph.parts.push_back(labels ? ltl::Part{part.number, true, false} : part);
      graph.mixed.push_back(labels || (part.may_accept && !part.all_accept));
    }
  }
  graph.start_nodes = {automaton.initial};
  graph.group = 1 + below(5);
  return graph;
}

inline SearchOptions toy_options() {
  SearchOptions options;
  options.shape = {1, 0, 1};
  return options;
}

// Walks the lasso along real arcs and collects the marks of its loop.
inline void expect_lasso(const ToyGraph& graph, const Counterexample& run) {
  ASSERT_TRUE(run.loop.has_value());
  ASSERT_EQ(run.states.size(), run.steps.size() + 1);
  EXPECT_EQ(std::ranges::count(graph.start_nodes, run.states.front().front()) > 0, true);
  Marks seen;
  for (std::size_t k = 0; k < run.steps.size(); ++k) {
    const std::vector<ToyGraph::Arc>& arcs = graph.arcs[run.states[k].front()];
    const auto number = static_cast<std::size_t>(run.steps[k]);
    ASSERT_LT(number, arcs.size());
    ASSERT_EQ(arcs[number].target, run.states[k + 1].front());
    if (k < *run.loop) continue;
    seen |= graph.own_marks[run.states[k].front()] | arcs[number].marks;
  }
  ASSERT_LT(*run.loop, run.steps.size());
  EXPECT_EQ(run.states[*run.loop], run.states.back());
  EXPECT_EQ(seen & graph.wanted, graph.wanted);
  for (const StrongPair& pair : graph.pairs) EXPECT_TRUE(pair.is_kept(seen));
}

}  // namespace fathom::toy_cycles
