// Every search against plain breadth-first search on random graphs.
#include <gtest/gtest.h>

#include <queue>

#include "search/bfs.hpp"
#include "search/dfs.hpp"
#include "store/fingerprint_store.hpp"
#include "store/indexed_store.hpp"
#include "store/inline_store.hpp"
#include "store/tree_store.hpp"
#include "toy_graph.hpp"

namespace fathom {
namespace {

constexpr std::uint64_t memory = std::uint64_t{1} << 28;
constexpr std::uint32_t unreached = UINT32_MAX;

std::vector<std::uint32_t> distances(const ToyGraph& graph) {
  std::vector<std::uint32_t> distance(graph.size(), unreached);
  std::queue<std::uint32_t> open;
  for (const std::uint32_t start : graph.starts)
    if (distance[start] == unreached) {
      distance[start] = 0;
      open.push(start);
    }
  for (; !open.empty(); open.pop())
    for (const std::uint32_t next : graph.successors_of[open.front()])
      if (distance[next] == unreached) {
        distance[next] = distance[open.front()] + 1;
        open.push(next);
      }
  return distance;
}

struct Expected {
  std::uint64_t states = 0, transitions = 0, stuck = 0, stuttering = 0;
  std::uint32_t deepest = 0;
};

// What an exhaustive search must count among the nodes within `bound`.
Expected expect(const ToyGraph& graph, std::uint32_t bound = unreached) {
  Expected expected;
  const std::vector<std::uint32_t> distance = distances(graph);
  for (std::uint32_t node = 0; node < graph.size(); ++node) {
    if (distance[node] == unreached || distance[node] > bound) continue;
    ++expected.states;
    expected.deepest = std::max(expected.deepest, distance[node]);
    if (distance[node] == bound) continue;
    const auto& successors = graph.successors_of[node];
    expected.transitions += successors.size();
    expected.stuck += successors.empty();
    expected.stuttering += std::ranges::all_of(successors, [&](auto next) { return next == node; });
  }
  return expected;
}

template <template <class, class> class Search, class Store>
SearchResult search(const ToyGraph& graph, Store store, const SearchOptions& options) {
  ToyModel model(graph);
  return Search<ToyModel, Store>(model, store, options).run();
}

// Runs one check under every search and store that can decide it.
template <class Check>
void with_every_search(const ToyGraph& graph, const SearchOptions& options, Check check) {
  if (graph.words == 1) check("bfs inline", search<BreadthFirst>(graph, InlineStore(memory), options));
  check("bfs indexed", search<BreadthFirst>(graph, IndexedStore(graph.words, memory), options));
  check("bfs fingerprint", search<BreadthFirst>(graph, FingerprintStore(memory), options));
  check("bfs tree", search<BreadthFirst>(graph, TreeStore(graph.words, memory), options));
  check("dfs tree", search<DepthFirst>(graph, TreeStore(graph.words, memory), options));
  check("dfs indexed", search<DepthFirst>(graph, IndexedStore(graph.words, memory), options));
  check("dfs fingerprint", search<DepthFirst>(graph, FingerprintStore(memory), options));
}

bool is_path(const ToyGraph& graph, const std::vector<StateBuffer>& states) {
  if (states.empty()) return false;
  const auto node = [&](std::size_t k) { return ToyModel::node_of(states[k]); };
  if (std::ranges::find(graph.starts, node(0)) == graph.starts.end()) return false;
  for (std::size_t k = 0; k + 1 < states.size(); ++k)
    if (std::ranges::count(graph.successors_of[node(k)], node(k + 1)) == 0) return false;
  return true;
}

class OnRandomGraphs : public testing::TestWithParam<std::uint32_t> {
 protected:
  ToyGraph graph(double degree = 1.3) { return random_graph(random_, 2 + random_() % 120, degree, GetParam()); }
  std::mt19937 random_{GetParam()};
};

TEST_P(OnRandomGraphs, EverySearchVisitsExactlyTheReachableStates) {
  for (int round = 0; round < 150; ++round) {
    const ToyGraph g = graph();
    const Expected expected = expect(g);
    with_every_search(g, toy_options(), [&](const char* name, const SearchResult& result) {
      SCOPED_TRACE(name);
      EXPECT_EQ(result.ending, Ending::exhausted);
      EXPECT_EQ(result.statistics.states, expected.states);
      EXPECT_EQ(result.statistics.transitions, expected.transitions);
      EXPECT_FALSE(result.first.has_value());
    });
  }
}

TEST_P(OnRandomGraphs, BreadthFirstFindsAShortestTraceAndOthersFindARealOne) {
  for (int round = 0; round < 150; ++round) {
    ToyGraph g = graph(1.6);
    for (int k = 0; k < 3; ++k) g.bad.insert(random_() % g.size());
    const std::vector<std::uint32_t> distance = distances(g);
    std::uint32_t nearest = unreached;
    for (const std::uint32_t node : g.bad) nearest = std::min(nearest, distance[node]);
    with_every_search(g, toy_options(), [&](const std::string& name, const SearchResult& result) {
      SCOPED_TRACE(name);
      ASSERT_EQ(result.first.has_value(), nearest != unreached);
      if (!result.first) return;
      EXPECT_EQ(result.ending, Ending::error_limit);
      EXPECT_TRUE(is_path(g, result.first->states));
      EXPECT_TRUE(g.bad.contains(ToyModel::node_of(result.first->states.back())));
      if (name.starts_with("bfs")) {
        EXPECT_EQ(result.first->states.size(), nearest + 1);
      }
      EXPECT_EQ(result.first->shortest, name.starts_with("bfs") && result.exact);
    });
  }
}

TEST_P(OnRandomGraphs, KeepGoingCountsEveryViolationOnce) {
  for (int round = 0; round < 100; ++round) {
    ToyGraph g = graph();
    for (int k = 0; k < 5; ++k) g.bad.insert(random_() % g.size());
    for (std::uint32_t node = 0; node < g.size(); ++node)
      if (!g.successors_of[node].empty() && random_() % 10 == 0) g.faulty.insert({node, 0});
    // A faulty edge leads nowhere: for the reference it is a self-loop that counts as a move.
    ToyGraph reference = g;
    for (const auto& [node, k] : g.faulty) reference.successors_of[node][k] = node;
    const std::vector<std::uint32_t> distance = distances(reference);
    const auto reached = [&](std::uint32_t node) { return distance[node] != unreached; };
    const std::uint64_t bad = std::ranges::count_if(g.bad, reached);
    const std::uint64_t faults = std::ranges::count_if(g.faulty, [&](const auto& edge) { return reached(edge.first); });
    SearchOptions options = toy_options();
    options.max_errors = UINT64_MAX;
    with_every_search(g, options, [&](const char* name, const SearchResult& result) {
      SCOPED_TRACE(name);
      EXPECT_EQ(result.violations[0], bad);
      EXPECT_EQ(result.faults[1], faults);
      EXPECT_EQ(result.statistics.errors, bad + faults);
      EXPECT_EQ(result.statistics.states, expect(reference).states);
    });
  }
}

TEST_P(OnRandomGraphs, DeadlocksAreCountedInBothModes) {
  for (int round = 0; round < 100; ++round) {
    const ToyGraph g = graph(0.9);
    SearchOptions options = toy_options();
    options.max_errors = UINT64_MAX;
    for (const DeadlockMode mode : {DeadlockMode::stuck, DeadlockMode::stuttering}) {
      options.deadlock = mode;
      const Expected expected = expect(g);
      with_every_search(g, options, [&](const char* name, const SearchResult& result) {
        SCOPED_TRACE(name);
        EXPECT_EQ(result.deadlocks, mode == DeadlockMode::stuck ? expected.stuck : expected.stuttering);
        if (result.first) {
          EXPECT_TRUE(is_path(g, result.first->states));
        }
      });
    }
  }
}

TEST_P(OnRandomGraphs, ADepthBoundCoversExactlyTheStatesWithinIt) {
  for (int round = 0; round < 150; ++round) {
    const ToyGraph g = graph();
    SearchOptions options = toy_options();
    const std::uint32_t bound = random_() % 8;
    options.max_depth = bound;
    const Expected expected = expect(g, bound);
    with_every_search(g, options, [&](const char* name, const SearchResult& result) {
      SCOPED_TRACE(name);
      EXPECT_EQ(result.statistics.states, expected.states);
      EXPECT_EQ(result.statistics.transitions, expected.transitions);
      if (expected.deepest == bound) {
        EXPECT_EQ(result.ending, Ending::bound);
      } else {
        EXPECT_EQ(result.ending, Ending::exhausted);
      }
    });
  }
}

TEST_P(OnRandomGraphs, TheOrderOfStepsDoesNotChangeWhatIsReached) {
  for (int round = 0; round < 60; ++round) {
    const ToyGraph g = graph();
    SearchOptions options = toy_options();
    for (const Order order : {Order::reverse, Order::random}) {
      options.order = order;
      with_every_search(g, options, [&](const char* name, const SearchResult& result) {
        SCOPED_TRACE(name);
        EXPECT_EQ(result.statistics.states, expect(g).states);
        EXPECT_EQ(result.statistics.transitions, expect(g).transitions);
      });
    }
  }
}

INSTANTIATE_TEST_SUITE_P(WithStatesOf, OnRandomGraphs, testing::Values(1U, 2U, 3U, 5U));

TEST(Search, EndsAtTheMemoryLimitInsteadOfGoingOn) {
  std::mt19937 random(1);
  ToyGraph graph = random_graph(random, 100000, 4);
  SearchOptions options = toy_options();
  options.memory_limit = 1 << 18;
  ToyModel model(graph);
  IndexedStore store(1, options.memory_limit);
  const SearchResult result = BreadthFirst(model, store, options).run();
  EXPECT_EQ(result.ending, Ending::memory_limit);
  EXPECT_LE(result.statistics.store_bytes, options.memory_limit);
}

TEST(Search, StopsWhenTheTickSaysSo) {
  std::mt19937 random(1);
  const ToyGraph graph = random_graph(random, 100000, 4);
  SearchOptions options = toy_options();
  options.tick = [](const Progress& progress) { return progress.states < 5000; };
  with_every_search(graph, options, [&](const char* name, const SearchResult& result) {
    SCOPED_TRACE(name);
    EXPECT_EQ(result.ending, Ending::time_or_user);
    EXPECT_LT(result.statistics.states, expect(graph).states);
  });
}

TEST(Search, BreadthFirstPrefersADeadlockToAViolationOneStepFurther) {
  ToyGraph graph;
  graph.starts = {0};
  graph.successors_of = {{1, 2}, {3}, {}, {0}};
  SearchOptions options = toy_options();
  options.deadlock = DeadlockMode::stuck;
  for (const bool by_step : {false, true}) {
    graph.bad = by_step ? std::set<std::uint32_t>{} : std::set<std::uint32_t>{3};
    if (by_step) graph.faulty = {{1, 0}};
    ToyModel model(graph);
    IndexedStore store(1, options.memory_limit);
    const SearchResult result = BreadthFirst(model, store, options).run();
    ASSERT_TRUE(result.first.has_value());
    EXPECT_EQ(result.first->violation.kind, Violation::Kind::deadlock);
    EXPECT_EQ(result.first->states.size(), 2U);
    EXPECT_EQ(result.statistics.errors, 1U);
  }
}

TEST(Search, GoesAHundredThousandStepsDeep) {
  ToyGraph chain;
  chain.starts = {0};
  for (std::uint32_t node = 0; node < 100000; ++node) chain.successors_of.push_back({node + 1});
  chain.successors_of.push_back({});
  chain.bad = {100000};
  with_every_search(chain, toy_options(), [&](const char* name, const SearchResult& result) {
    SCOPED_TRACE(name);
    ASSERT_TRUE(result.first.has_value());
    EXPECT_EQ(result.first->states.size(), 100001U);
  });
}

}  // namespace
}  // namespace fathom
