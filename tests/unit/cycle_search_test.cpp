// The searches for cycles against the definition: a reachable strongly connected component with all marks, found by
// plain reachability on an explicit matrix. Every lasso they give is walked.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "property/bad_runs.hpp"
#include "search/ndfs.hpp"
#include "search/no_progress.hpp"
#include "search/scc.hpp"

namespace fathom {

namespace {

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

  [[nodiscard]] std::uint64_t size() const { return arcs.size(); }
  [[nodiscard]] std::uint64_t bytes() const { return 0; }
  [[nodiscard]] std::size_t place(Node) const { return 0; }
  void spare_memory() {}
  [[nodiscard]] Marks all_marks() const { return wanted; }
  [[nodiscard]] const std::vector<StrongPair>& strong_pairs() const { return pairs; }
  [[nodiscard]] Marks marks(const ProductEdge& edge) const { return mark_sets_[edge.marks]; }
  [[nodiscard]] const Marks& node_marks() const { return node_marks_; }
  [[nodiscard]] StateView state(Node node) const { return {&numbers()[node], 1}; }

  Expansion starts(std::vector<Node>& out) {
    out.insert(out.end(), start_nodes.begin(), start_nodes.end());
    return {};
  }

  template <class Fire>
  Expansion expand(Node node, bool, std::vector<ProductEdge>& out, const Fire& fire) {
    for (std::size_t k = 0; k < arcs[node].size(); ++k) {
      mark_sets_.push_back(arcs[node][k].marks);
      fire(InstanceId{0});
      out.push_back({arcs[node][k].target, InstanceId{k}, static_cast<std::uint32_t>(mark_sets_.size() - 1),
                     arcs[node][k].progress});
    }
    node_marks_ = own_marks[node];
    Expansion result;
    result.accepting = own_marks[node].test(0);
    return result;
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

Matrix closure(const ToyGraph& graph) {
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
bool has_marked_component(const ToyGraph& graph) {
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

ToyGraph random_graph(std::mt19937& random, std::size_t fairness_marks) {
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

SearchOptions toy_options() {
  SearchOptions options;
  options.shape = {1, 0, 1};
  return options;
}

// Walks the lasso along real arcs and collects the marks of its loop.
void expect_lasso(const ToyGraph& graph, const Counterexample& run) {
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

int graph_count() {
  const char* const wanted = std::getenv("FATHOM_GRAPHS");
  return wanted != nullptr ? std::atoi(wanted) : 2000;
}

void expect_verdict(const ToyGraph& graph, const SearchResult& result, int number) {
  const bool expected = has_marked_component(graph);
  ASSERT_EQ(result.first.has_value(), expected) << "graph " << number;
  if (expected) expect_lasso(graph, *result.first);
}

TEST(CycleSearch, NestedDfsFindsAnAcceptingCycleIfThereIsOne) {
  std::mt19937 random(1);
  const SearchOptions options = toy_options();
  for (int k = 0; k < graph_count(); ++k) {
    ToyGraph graph = random_graph(random, 0);
    for (const NestedVariant variant : {NestedVariant::cvwy, NestedVariant::hpy, NestedVariant::se}) {
      expect_verdict(graph, NestedDfs(graph, options, 0, variant).run(), k);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(CycleSearch, DirectedSearchFindsAnAcceptingCycleIfThereIsOne) {
  std::mt19937 random(6);
  const SearchOptions options = toy_options();
  const PlaceRanks ranks(all_runs(), true);
  for (int k = 0; k < graph_count(); ++k) {
    ToyGraph graph = random_graph(random, 0);
    for (const NestedVariant variant : {NestedVariant::cvwy, NestedVariant::hpy, NestedVariant::se}) {
      expect_verdict(graph, NestedDfs(graph, options, 0, variant, &ranks).run(), k);
      if (HasFatalFailure()) return;
    }
  }
}

// 0 -> 1 <-> 2 -> 3, 1 accepting: a cycle stays in the middle, and from 3 nothing more is accepted.
TEST(CycleSearch, PlacesAreRankedByWhatTheAutomatonCanStillAccept) {
  ir::Automaton automaton;
  for (const std::vector<std::uint32_t>& targets : std::vector<std::vector<std::uint32_t>>{{1}, {2}, {1, 3}, {3}}) {
    ir::Automaton::State& state = automaton.states.emplace_back();
    for (const std::uint32_t target : targets) state.edges.push_back({target, {}, {}, {}});
  }
  automaton.states[1].accepting = true;
  const PlaceRanks ranks(automaton, false);
  EXPECT_EQ(ranks.rank(0), 1);
  EXPECT_EQ(ranks.rank(1), 0);
  EXPECT_EQ(ranks.rank(2), 0);
  EXPECT_EQ(ranks.rank(3), 2);
  EXPECT_TRUE(ranks.leads_back(2, 1));
  EXPECT_FALSE(ranks.leads_back(3, 1));
  EXPECT_EQ(PlaceRanks(automaton, true).rank(3), 0);
}

// The stem leads to the nearest node of the loop, not to the accepting one: 0 -> 1 -> 2 -> 3 (accepting) -> 1.
TEST(CycleSearch, TheStemEndsWhereItMeetsTheLoop) {
  ToyGraph graph;
  graph.arcs = {{{1, {}}}, {{2, {}}}, {{3, {}}}, {{1, {}}}};
  graph.own_marks = {{}, {}, {}, Marks(1)};
  graph.start_nodes = {0};
  const SearchResult result = NestedDfs(graph, toy_options(), 0, NestedVariant::se).run();
  expect_lasso(graph, *result.first);
  EXPECT_EQ(*result.first->loop, 1U);
  EXPECT_EQ(result.first->steps.size(), 4U);
}

TEST(CycleSearch, ComponentSearchFindsAComponentWithAllMarks) {
  std::mt19937 random(2);
  const SearchOptions options = toy_options();
  for (int k = 0; k < graph_count(); ++k) {
    ToyGraph graph = random_graph(random, static_cast<std::size_t>(k % 4));
    expect_verdict(graph, ComponentSearch(graph, options, 0).run(), k);
    if (HasFatalFailure()) return;
  }
}

// Where mark 0 stands for progress: some reachable cycle has no node with it.
bool has_cycle_without_progress(const ToyGraph& graph) {
  ToyGraph rest = graph;
  for (std::size_t node = 0; node < rest.arcs.size(); ++node) {
    if (graph.own_marks[node].test(0)) rest.arcs[node].clear();
    std::erase_if(rest.arcs[node], [&](const ToyGraph::Arc& arc) { return graph.own_marks[arc.target].test(0); });
  }
  const Matrix reach = closure(graph);
  const Matrix around = closure(rest);
  for (std::size_t node = 0; node < graph.arcs.size(); ++node)
    for (const Node start : graph.start_nodes)
      if (around[node][node] && (start == node || reach[start][node])) return true;
  return false;
}

TEST(CycleSearch, DirectSearchFindsACycleWithoutProgressIfThereIsOne) {
  std::mt19937 random(4);
  const SearchOptions options = toy_options();
  for (int k = 0; k < graph_count(); ++k) {
    ToyGraph graph = random_graph(random, 0);
    const SearchResult result = NoProgressSearch(graph, options, 0).run();
    ASSERT_EQ(result.first.has_value(), has_cycle_without_progress(graph)) << "graph " << k;
    if (!result.first) continue;
    const Counterexample& run = *result.first;
    EXPECT_EQ(run.states[*run.loop], run.states.back());
    for (std::size_t step = *run.loop; step < run.states.size(); ++step)
      EXPECT_FALSE(graph.own_marks[run.states[step].front()].test(0));
  }
}

TEST(CycleSearch, DirectSearchTakesNoStepWithProgress) {
  ToyGraph graph;
  graph.arcs = {{{1, {}, true}}, {{0, {}}, {2, {}}}, {{1, {}, true}}};
  graph.own_marks.resize(3);
  graph.start_nodes = {0};
  EXPECT_FALSE(NoProgressSearch(graph, toy_options(), 0).run().first.has_value());
  graph.arcs[0].push_back({1, {}});
  const SearchResult result = NoProgressSearch(graph, toy_options(), 0).run();
  ASSERT_TRUE(result.first.has_value());
  for (std::size_t k = *result.first->loop; k < result.first->steps.size(); ++k)
    EXPECT_FALSE(
        graph.arcs[result.first->states[k].front()][static_cast<std::size_t>(result.first->steps[k])].progress);
}

TEST(CycleSearch, WithoutACycleEveryReachableNodeIsVisitedOnce) {
  std::mt19937 random(3);
  const SearchOptions options = toy_options();
  for (int k = 0; k < 200; ++k) {
    ToyGraph graph = random_graph(random, 0);
    if (has_marked_component(graph)) continue;
    const Matrix reach = closure(graph);
    std::uint64_t reachable = 0;
    for (std::size_t node = 0; node < graph.arcs.size(); ++node)
      reachable +=
          std::ranges::any_of(graph.start_nodes, [&](Node start) { return start == node || reach[start][node]; });
    EXPECT_EQ(NestedDfs(graph, options, 0, NestedVariant::se).run().statistics.states, reachable);
    EXPECT_EQ(ComponentSearch(graph, options, 0).run().statistics.states, reachable);
  }
}

// Strong fairness by the definition: some set of reachable nodes is strongly connected by the arcs between them, has
// the wanted marks, and keeps the pairs.
bool is_fair_set(const ToyGraph& graph, std::size_t set) {
  ToyGraph part = graph;
  Marks marks;
  const auto inside = [&](std::size_t node) { return (set >> node & 1) != 0; };
  for (std::size_t node = 0; node < part.arcs.size(); ++node) {
    if (!inside(node)) part.arcs[node].clear();
    std::erase_if(part.arcs[node], [&](const ToyGraph::Arc& arc) { return !inside(arc.target); });
    if (inside(node)) marks |= part.own_marks[node];
    for (const ToyGraph::Arc& arc : part.arcs[node]) marks |= arc.marks;
  }
  const Matrix reach = closure(part);
  for (std::size_t a = 0; a < part.arcs.size(); ++a)
    for (std::size_t b = 0; b < part.arcs.size(); ++b)
      if (inside(a) && inside(b) && !reach[a][b]) return false;
  return (marks & graph.wanted) == graph.wanted &&
         std::ranges::all_of(graph.pairs, [&](const StrongPair& pair) { return pair.is_kept(marks); });
}

bool has_strongly_fair_cycle(const ToyGraph& graph) {
  const Matrix reach = closure(graph);
  std::size_t reachable = 0;
  for (const Node start : graph.start_nodes)
    for (std::size_t node = 0; node < graph.arcs.size(); ++node)
      if (start == node || reach[start][node]) reachable |= std::size_t{1} << node;
  for (std::size_t set = reachable; set != 0; set = (set - 1) & reachable)
    if (is_fair_set(graph, set)) return true;
  return false;
}

ToyGraph random_graph_with_pairs(std::mt19937& random, std::size_t pairs) {
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  ToyGraph graph = random_graph(random, below(2));
  for (std::size_t k = 0; k < pairs; ++k) graph.pairs.push_back({10 + 2 * k, 11 + 2 * k});
  for (std::size_t node = 0; node < graph.arcs.size(); ++node) {
    for (std::size_t more = below(3); more > 0; --more) graph.arcs[node].push_back({below(graph.arcs.size()), {}});
    for (const StrongPair& pair : graph.pairs) {
      if (below(2) == 0) graph.own_marks[node].set(pair.able);
      for (ToyGraph::Arc& arc : graph.arcs[node])
        if (graph.own_marks[node].test(pair.able) && below(8) == 0) arc.marks.set(pair.moves);
    }
  }
  return graph;
}

TEST(CycleSearch, ComponentSearchFindsAStronglyFairCycleIfThereIsOne) {
  std::mt19937 random(5);
  const SearchOptions options = toy_options();
  int found = 0, refined = 0, checked = 0;
  for (int k = 0; checked < graph_count() / 4; ++k) {
    ToyGraph graph = random_graph_with_pairs(random, 1 + static_cast<std::size_t>(k % 3));
    if (graph.arcs.size() > 8) continue;
    ++checked;
    const bool expected = has_strongly_fair_cycle(graph);
    const SearchResult result = ComponentSearch(graph, options, 0).run();
    ASSERT_EQ(result.first.has_value(), expected) << "graph " << k;
    refined += has_marked_component(graph) && !expected;
    if (!expected) continue;
    ++found;
    expect_lasso(graph, *result.first);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(found, 10);
  EXPECT_GT(refined, 10);
}

// Holzmann, Peled, Yannakakis, Fig. 3 in spirit: the accepting node is left before the cycle that contains it has been
// closed by the first search, so a second search that stopped at visited nodes would miss it.
TEST(CycleSearch, FindsACycleThatCloseBehindAnAcceptingNode) {
  ToyGraph graph;
  graph.arcs = {{{1, {}}}, {{2, {}}}, {{0, {}}}};
  graph.own_marks = {{}, Marks(1), {}};
  graph.start_nodes = {0};
  for (const NestedVariant variant : {NestedVariant::cvwy, NestedVariant::hpy, NestedVariant::se})
    expect_lasso(graph, *NestedDfs(graph, toy_options(), 0, variant).run().first);
}

TEST(CycleSearch, KeepGoingCountsEveryAcceptingNodeOnceAndVisitsEverything) {
  ToyGraph graph;
  graph.arcs = {{{0, {}}, {1, {}}}, {{1, {}}, {2, {}}}, {}};
  graph.own_marks = {Marks(1), Marks(1), {}};
  graph.start_nodes = {0};
  SearchOptions options = toy_options();
  options.max_errors = UINT64_MAX;
  const SearchResult nested = NestedDfs(graph, options, 0, NestedVariant::se).run();
  EXPECT_EQ(nested.claim_violations, 2U);
  EXPECT_EQ(nested.statistics.states, 3U);
  EXPECT_EQ(nested.ending, Ending::exhausted);
  EXPECT_EQ(ComponentSearch(graph, options, 0).run().claim_violations, 2U);
}

}  // namespace

}  // namespace fathom
