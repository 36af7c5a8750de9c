// The depth-bounded search with several threads against breadth-first distances, and against the one with one thread.
#include <gtest/gtest.h>

#include <deque>
#include <queue>

#include "search/bounded_dfs_threshold.hpp"
#include "search/parallel_bounded_dfs.hpp"
#include "toy_graph.hpp"

namespace fathom {
namespace {

constexpr std::uint64_t memory = std::uint64_t{1} << 28;
constexpr std::uint32_t unreached = UINT32_MAX;

std::vector<std::uint32_t> distances(const ToyGraph& graph) {
  std::vector<std::uint32_t> distance(graph.size(), unreached);
  std::queue<std::uint32_t> open;
  const auto reach = [&](std::uint32_t node, std::uint32_t at) {
    if (distance[node] != unreached) return;
    distance[node] = at;
    open.push(node);
  };
  for (const std::uint32_t start : graph.starts) reach(start, 0);
  for (; !open.empty(); open.pop())
    for (std::uint32_t k = 0; k < graph.successors_of[open.front()].size(); ++k)
      if (!graph.faulty.contains({open.front(), k}))
        reach(graph.successors_of[open.front()][k], distance[open.front()] + 1);
  return distance;
}

// Long chains with short cuts, so that states are often met on a detour first.
ToyGraph with_detours(std::mt19937& random, std::uint32_t nodes, std::uint32_t words) {
  ToyGraph graph;
  graph.words = words;
  graph.successors_of.resize(nodes);
  graph.starts = {0};
  for (std::uint32_t node = 0; node < nodes; ++node) {
    if (node + 1 < nodes) graph.successors_of[node].push_back(node + 1);
    for (std::uint32_t k = random() % 3; k > 0; --k)
      graph.successors_of[node].push_back(std::min(nodes - 1, static_cast<std::uint32_t>(node + random() % 40)));
    if (random() % 8 == 0) graph.successors_of[node].push_back(random() % (node + 1));
  }
  return graph;
}

void spoil(std::mt19937& random, ToyGraph& graph) {
  for (std::uint32_t k = 0; k < graph.size() / 20; ++k) {
    graph.bad.insert(random() % graph.size());
    const std::uint32_t node = random() % graph.size();
    if (!graph.successors_of[node].empty()) graph.faulty.insert({node, 0});
  }
}

struct Parallel {
  Parallel(const ToyGraph& graph, SearchOptions given, const DeepeningPlan& deepening, unsigned threads,
           bool thresholds = true)
      : options(std::move(given)), model(graph), store(graph.words, options.memory_limit) {
    options.threads = threads;
    const auto more = [&] { return ThreadParts<ToyModel>{&models.emplace_back(graph), nullptr}; };
    search.emplace(model, store, options, deepening, thresholds, more);
  }

  SearchOptions options;
  ToyModel model;
  IndexedStore store;
  std::deque<ToyModel> models;
  std::optional<ParallelBoundedDfs<ToyModel>> search;
};

class ParallelBounded : public testing::TestWithParam<unsigned> {
 protected:
  [[nodiscard]] unsigned threads() const { return GetParam(); }
  std::mt19937 random_{GetParam()};
};

// After each bound: what is nearer is explored, what is at it waits, and nothing else is known.
TEST_P(ParallelBounded, KnowsExactlyWhatIsNearerThanEachBound) {
  for (int round = 0; round < 24; ++round) {
    const std::uint32_t words = 1 + round % 2;
    const ToyGraph graph = round % 3 == 0 ? random_graph(random_, 300, 2.0, words) : with_detours(random_, 400, words);
    const std::vector<std::uint32_t> distance = distances(graph);
    const DeepeningPlan deepening{.bound = std::nullopt, .step = 1 + random_() % 9};
    Parallel parallel(graph, toy_options(), deepening, threads(), round % 4 != 0);
    const SearchResult result = parallel.search->run([&](const ParallelBoundedDfs<ToyModel>& search) {
      const auto bound = static_cast<std::uint32_t>(search.bound());
      std::set<std::uint32_t> waiting, at_bound;
      for (const StateId id : search.frontier()) {
        EXPECT_TRUE(waiting.insert(ToyModel::node_of(parallel.store.state(id))).second) << "twice in the frontier";
        EXPECT_FALSE(search.explored(id));
      }
      for (std::uint32_t node = 0; node < graph.size(); ++node)
        if (distance[node] == bound) at_bound.insert(node);
      EXPECT_EQ(waiting, at_bound) << "bound " << bound;
    });
    EXPECT_EQ(result.ending, Ending::exhausted);
    EXPECT_EQ(result.statistics.states, graph.size() - std::ranges::count(distance, unreached));
    std::uint64_t steps = 0;
    for (std::uint32_t node = 0; node < graph.size(); ++node)
      if (distance[node] != unreached) steps += graph.successors_of[node].size();
    EXPECT_EQ(result.statistics.transitions, steps) << "the steps of a state are counted once";
  }
}

TEST_P(ParallelBounded, CountsWhatOneThreadCounts) {
  for (int round = 0; round < 6; ++round) {
    ToyGraph graph = with_detours(random_, 1000, 2);
    spoil(random_, graph);
    SearchOptions options = toy_options();
    options.deadlock = DeadlockMode::stuttering;
    options.max_errors = UINT64_MAX;
    const DeepeningPlan deepening{.bound = 60, .step = 7};
    ToyModel model(graph);
    IndexedStore store(graph.words, memory);
    const SearchResult expected =
        BoundedDfs<ToyModel, IndexedStore, ThresholdRevisit>(model, store, options, deepening).run();
    const SearchResult result = Parallel(graph, options, deepening, threads()).search->run();
    EXPECT_EQ(result.ending, expected.ending);
    EXPECT_EQ(result.scope.depth, expected.scope.depth);
    EXPECT_EQ(result.statistics.states, expected.statistics.states);
    EXPECT_EQ(result.statistics.transitions, expected.statistics.transitions);
    EXPECT_EQ(result.statistics.errors, expected.statistics.errors);
    EXPECT_EQ(result.violations, expected.violations);
    EXPECT_EQ(result.faults, expected.faults);
    EXPECT_EQ(result.deadlocks, expected.deadlocks);
  }
}

TEST_P(ParallelBounded, ShowsARunToTheViolation) {
  for (int round = 0; round < 6; ++round) {
    ToyGraph graph = with_detours(random_, 2000, 1);
    graph.bad.insert(1000 + random_() % 1000);
    const SearchResult result = Parallel(graph, toy_options(), {.bound = {}, .step = 20}, threads()).search->run();
    ASSERT_EQ(result.ending, Ending::error_limit);
    const std::vector<StateBuffer>& states = result.first->states;
    EXPECT_EQ(ToyModel::node_of(states.front()), 0U);
    EXPECT_TRUE(graph.bad.contains(ToyModel::node_of(states.back())));
    for (std::size_t k = 0; k + 1 < states.size(); ++k)
      EXPECT_GT(std::ranges::count(graph.successors_of[ToyModel::node_of(states[k])], ToyModel::node_of(states[k + 1])),
                0);
  }
}

TEST_P(ParallelBounded, TheStoreGrowsAndHasNoGapsAtTheEnd) {
  const ToyGraph graph = random_graph(random_, 22'000, 2.5, 2);
  Parallel parallel(graph, toy_options(), {.bound = {}, .step = 4}, threads());
  const SearchResult result = parallel.search->run();
  EXPECT_EQ(result.ending, Ending::exhausted);
  const std::vector<std::uint32_t> distance = distances(graph);
  const auto reachable = static_cast<std::uint64_t>(graph.size() - std::ranges::count(distance, unreached));
  EXPECT_GT(reachable, 17'000U);
  EXPECT_EQ(result.statistics.states, reachable);
  std::set<std::uint32_t> nodes;
  for (std::uint64_t id = 0; id < parallel.store.size(); ++id)
    nodes.insert(ToyModel::node_of(parallel.store.state(StateId{id})));
  EXPECT_EQ(nodes.size(), reachable);
}

TEST_P(ParallelBounded, LimitsEndTheSearch) {
  const ToyGraph graph = random_graph(random_, 22'000, 2.5);
  SearchOptions options = toy_options();
  options.tick = [](const Progress&) { return false; };
  const DeepeningPlan deepening{.bound = {}, .step = 4};
  EXPECT_EQ(Parallel(graph, options, deepening, threads()).search->run().ending, Ending::time_or_user);
  options = toy_options();
  options.memory_limit = 1 << 19;
  EXPECT_EQ(Parallel(graph, options, deepening, threads()).search->run().ending, Ending::memory_limit);
}

INSTANTIATE_TEST_SUITE_P(WithThreads, ParallelBounded, testing::Values(1U, 2U, 3U, 8U));

}  // namespace
}  // namespace fathom
