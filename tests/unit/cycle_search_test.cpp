// The searches for cycles against the definition: a reachable strongly connected component with all marks, found by
// plain reachability on an explicit matrix. Every lasso they give is walked.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <random>

#include "property/bad_runs.hpp"
#include "search/ndfs.hpp"
#include "search/no_progress.hpp"
#include "search/scc.hpp"
#include "search/swept_ndfs.hpp"
#include "toy_cycles.hpp"

namespace fathom {

using namespace toy_cycles;

namespace {

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

// What the automaton tells in a product: whether the component of a node has both accepting nodes and others.
std::vector<bool> mixed_nodes(const ToyGraph& graph) {
  const Matrix reach = closure(graph);
  std::vector<bool> mixed(graph.arcs.size());
  for (std::size_t node = 0; node < mixed.size(); ++node)
    for (std::size_t other = 0; other < mixed.size(); ++other)
      if (reach[node][other] && reach[other][node] && graph.own_marks[node].test(0) != graph.own_marks[other].test(0))
        mixed[node] = true;
  return mixed;
}

TEST(CycleSearch, ASecondSearchIsLeftOutWhereTheFirstOneIsEnough) {
  std::mt19937 random(7);
  const SearchOptions options = toy_options();
  std::uint64_t repeated = 0, repeated_without = 0;
  int weak_cycles = 0;
  for (int k = 0; k < graph_count(); ++k) {
    ToyGraph graph = random_graph(random, 0);
    for (std::size_t node = 0; node < graph.arcs.size(); ++node)  // whole components that accept are rare otherwise
      if (k % 2 == 0 && node >= graph.arcs.size() / 2) graph.own_marks[node].set(0);
    repeated += NestedDfs(graph, options, 0, NestedVariant::se).run().statistics.revisits;
    graph.mixed = mixed_nodes(graph);
    const SearchResult result = NestedDfs(graph, options, 0, NestedVariant::se).run();
    repeated_without += result.statistics.revisits;
    weak_cycles += result.first && std::ranges::count(graph.mixed, true) == 0;
    expect_verdict(graph, result, k);
    if (HasFatalFailure()) return;
  }
  EXPECT_LT(repeated_without, repeated);
  EXPECT_GT(weak_cycles, 10);
}

// Against the definition, and in what it counts where there is no cycle against the search without a sweep.
TEST(CycleSearch, ASweepWithNestedSearchesFindsAnAcceptingCycleIfThereIsOne) {
  std::mt19937 random(8);
  const SearchOptions options = toy_options();
  int found = 0, several_parts = 0, without_search = 0;
  for (int k = 0; k < 4 * graph_count(); ++k) {
    const ir::Automaton automaton = random_automaton(random);
    ToyGraph graph = random_product(random, automaton, k % 4 == 0);
    const SearchResult plain = NestedDfs(graph, options, 0, NestedVariant::se).run();
    for (const NestedVariant variant : {NestedVariant::cvwy, NestedVariant::hpy, NestedVariant::se}) {
      const SearchResult result = SweptNestedDfs(graph, options, 0, variant).run();
      expect_verdict(graph, result, k);
      if (HasFatalFailure()) return;
      found += result.first.has_value();
      if (result.first) continue;
      ASSERT_EQ(result.statistics.states, plain.statistics.states) << "graph " << k;
      ASSERT_EQ(result.statistics.transitions, plain.statistics.transitions) << "graph " << k;
      without_search += result.statistics.revisits == 0;
    }
    several_parts += std::ranges::any_of(graph.parts, &ltl::Part::may_accept) &&
                     !std::ranges::all_of(graph.parts, &ltl::Part::may_accept);
  }
  EXPECT_GT(found, graph_count() / 4);
  EXPECT_GT(several_parts, graph_count() / 4);
  EXPECT_GT(without_search, graph_count() / 4);
}

// Runs a search that is ended again and again after a random number of steps, saved, and resumed by another one.
template <class Make>
SearchResult run_in_pieces(const Make& make, SearchOptions& options, std::mt19937& random, int& pieces) {
  const std::filesystem::path file = testing::TempDir() + "cycles.checkpoint";
  std::filesystem::remove(file);
  for (;;) {
    std::uint64_t left = random() % 3;
    options.tick = [&](const Progress&) { return left-- > 0; };
    auto search = make();
    search.set_pace(1);
    search.save = [&] {
      SealedWriter out(file, checkpoint_kind);
      search.write(out);
      out.commit();
    };
    const bool resumes = std::filesystem::exists(file);
    const auto resumed = [&] {
      SealedReader in(file, checkpoint_kind);
      return search.resume(in);
    };
    SearchResult result = resumes ? resumed() : search.run();
    if (result.ending != Ending::time_or_user) return result;
    ++pieces;
  }
}

TEST(CycleSearch, ASearchThatIsSavedAndResumedIsThatOfOneGo) {
  std::mt19937 random(12);
  const int graphs = std::min(graph_count(), 2000) / 10;
  int pieces = 0, found = 0;
  for (int k = 0; k < graphs; ++k) {
    const ir::Automaton automaton = random_automaton(random);
    ToyGraph graph = random_product(random, automaton, k % 4 == 0);
    SearchOptions plain = toy_options();
    plain.max_errors = k % 3 == 0 ? 100 : 1;
    if (k % 5 == 0) plain.order = Order::random;
    SearchOptions options = plain;
    const auto compare = [&](const auto& make) {
      const SearchResult whole = make(plain).run();
      const SearchResult result = run_in_pieces([&] { return make(options); }, options, random, pieces);
      EXPECT_EQ(result.first.has_value(), whole.first.has_value()) << "graph " << k;
      EXPECT_EQ(result.statistics.states, whole.statistics.states) << "graph " << k;
      EXPECT_EQ(result.statistics.transitions, whole.statistics.transitions) << "graph " << k;
      EXPECT_EQ(result.statistics.revisits, whole.statistics.revisits) << "graph " << k;
      EXPECT_EQ(result.statistics.depth, whole.statistics.depth) << "graph " << k;
      EXPECT_EQ(result.claim_violations, whole.claim_violations) << "graph " << k;
      found += result.first.has_value();
    };
    compare([&](const SearchOptions& o) { return SweptNestedDfs(graph, o, 0, NestedVariant::se); });
    compare([&](const SearchOptions& o) { return ComponentSearch(graph, o, 0); });
    for (const NestedVariant variant : {NestedVariant::cvwy, NestedVariant::hpy, NestedVariant::se})
      compare([&](const SearchOptions& o) { return NestedDfs(graph, o, 0, variant); });
    compare([&](const SearchOptions& o) { return NoProgressSearch(graph, o, 0); });
    if (HasFailure()) return;
  }
  EXPECT_GT(pieces, graphs);
  EXPECT_GT(found, graphs / 4);
}

// Levels and dives mingle: a long chain with side branches and a cycle at its end.
TEST(CycleSearch, ASweepFindsACycleInTheDepth) {
  ToyGraph graph;
  constexpr std::size_t length = 20;
  graph.arcs.resize(3 * length);
  graph.own_marks.resize(3 * length);
  graph.start_nodes = {0};
  graph.group = 1;
  for (std::size_t k = 0; k < length; ++k) {
    graph.arcs[k] = {{length + k, {}}, {2 * length + k, {}}};
    if (k + 1 < length) graph.arcs[k].push_back({k + 1, {}});
  }
  const SearchResult without = SweptNestedDfs(graph, toy_options(), 0, NestedVariant::se).run();
  EXPECT_FALSE(without.first.has_value());
  EXPECT_EQ(without.statistics.states, 3 * length);
  graph.arcs[length - 1].push_back({length - 1, {}});
  graph.own_marks[length - 1] = Marks(1);
  const SearchResult result = SweptNestedDfs(graph, toy_options(), 0, NestedVariant::se).run();
  ASSERT_TRUE(result.first.has_value());
  expect_lasso(graph, *result.first);
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

std::uint64_t reachable_nodes(const ToyGraph& graph) {
  const Matrix reach = closure(graph);
  std::uint64_t count = 0;
  for (std::size_t node = 0; node < graph.arcs.size(); ++node)
    count += std::ranges::any_of(graph.start_nodes, [&](Node start) { return start == node || reach[start][node]; });
  return count;
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

// A run without progress in the end: what it can take then, and every reachable node as one it can begin at.
ToyGraph without_progress(const ToyGraph& graph) {
  ToyGraph rest = graph;
  const Matrix reach = closure(graph);
  for (std::size_t node = 0; node < graph.arcs.size(); ++node) {
    if (graph.own_marks[node].test(0)) rest.arcs[node].clear();
    std::erase_if(rest.arcs[node], [](const ToyGraph::Arc& arc) { return arc.progress; });
    for (const Node start : graph.start_nodes)
      if (reach[start][node]) rest.start_nodes.push_back(node);
  }
  rest.wanted.reset(0);
  return rest;
}

void expect_no_progress_in_loop(const ToyGraph& graph, const Counterexample& run) {
  for (std::size_t k = *run.loop; k < run.steps.size(); ++k) {
    const std::size_t node = run.states[k].front();
    EXPECT_FALSE(graph.own_marks[node].test(0));
    EXPECT_FALSE(graph.arcs[node][static_cast<std::size_t>(run.steps[k])].progress);
  }
}

void add_random_progress(ToyGraph& graph, std::mt19937& random) {
  for (std::vector<ToyGraph::Arc>& arcs : graph.arcs)
    for (ToyGraph::Arc& arc : arcs) arc.progress = std::uniform_int_distribution(0, 5)(random) == 0;
}

TEST(CycleSearch, ComponentSearchFindsAFairCycleWithoutProgressIfThereIsOne) {
  std::mt19937 random(8);
  const SearchOptions options = toy_options();
  int found = 0, unfair = 0;
  for (int k = 0; k < graph_count(); ++k) {
    ToyGraph graph = random_graph(random, static_cast<std::size_t>(k % 4));
    if (k % 3 == 0) add_random_progress(graph, random);
    const ToyGraph rest = without_progress(graph);
    const bool expected = has_marked_component(rest);
    const SearchResult result = ComponentSearch(graph, options, 0, CyclesWanted::without_progress).run();
    ASSERT_EQ(result.first.has_value(), expected) << "graph " << k;
    if (!expected) {
      unfair += has_cycle_without_progress(rest);
      EXPECT_EQ(result.statistics.states, reachable_nodes(graph)) << "graph " << k;
      continue;
    }
    ++found;
    graph.wanted.reset(0);
    expect_lasso(graph, *result.first);
    if (HasFatalFailure()) return;
    expect_no_progress_in_loop(graph, *result.first);
  }
  EXPECT_GT(found, 10);
  EXPECT_GT(unfair, 10);
}

TEST(CycleSearch, ARunToAFaultBehindProgressBeginsAtTheStart) {
  ToyGraph graph;
  graph.arcs = {{{1, {}}}, {{2, {}, true}, {1, {}}}, {{3, {}}}, {}};
  graph.own_marks = {Marks(1), {}, {}, {}};
  graph.start_nodes = {0};
  graph.wanted = Marks(0b11);
  graph.failing = 3;
  const SearchResult result = ComponentSearch(graph, toy_options(), 0, CyclesWanted::without_progress).run();
  ASSERT_TRUE(result.first.has_value());
  ASSERT_EQ(result.first->states.size(), 4U);
  for (std::uint64_t k = 0; k < 4; ++k) EXPECT_EQ(result.first->states[k].front(), k);
}

TEST(CycleSearch, WithoutACycleEveryReachableNodeIsVisitedOnce) {
  std::mt19937 random(3);
  const SearchOptions options = toy_options();
  for (int k = 0; k < 200; ++k) {
    ToyGraph graph = random_graph(random, 0);
    if (has_marked_component(graph)) continue;
    const std::uint64_t reachable = reachable_nodes(graph);
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

TEST(CycleSearch, ComponentSearchFindsAStronglyFairCycleWithoutProgressIfThereIsOne) {
  std::mt19937 random(9);
  const SearchOptions options = toy_options();
  int found = 0, checked = 0;
  for (int k = 0; checked < graph_count() / 4; ++k) {
    ToyGraph graph = random_graph_with_pairs(random, 1 + static_cast<std::size_t>(k % 3));
    if (graph.arcs.size() > 8) continue;
    ++checked;
    if (k % 2 == 0) add_random_progress(graph, random);
    const bool expected = has_strongly_fair_cycle(without_progress(graph));
    const SearchResult result = ComponentSearch(graph, options, 0, CyclesWanted::without_progress).run();
    ASSERT_EQ(result.first.has_value(), expected) << "graph " << k;
    if (!expected) continue;
    ++found;
    graph.wanted.reset(0);
    expect_lasso(graph, *result.first);
    if (HasFatalFailure()) return;
    expect_no_progress_in_loop(graph, *result.first);
  }
  EXPECT_GT(found, 10);
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
  EXPECT_EQ(SweptNestedDfs(graph, options, 0, NestedVariant::se).run().claim_violations, 2U);
}

}  // namespace

}  // namespace fathom
