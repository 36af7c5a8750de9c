// Best-first searches against breadth-first search on random graphs, under evaluators of every kind.
#include "search/best_first.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <queue>

#include "heuristic/marked.hpp"
#include "heuristic/zero.hpp"
#include "search/bfs.hpp"
#include "store/fingerprint_store.hpp"
#include "store/indexed_store.hpp"
#include "toy_graph.hpp"
#include "toy_store.hpp"

namespace fathom {
namespace {

constexpr std::uint64_t memory = std::uint64_t{1} << 28;
constexpr std::uint32_t unreached = UINT32_MAX;

int graphs() {
  const char* const wanted = std::getenv("FATHOM_GRAPHS");
  return wanted != nullptr ? std::atoi(wanted) : 5000;
}

// Says of each node what a table says.
class Table final : public Evaluator {
 public:
  explicit Table(std::vector<Cost> estimates) : estimates_(std::move(estimates)) {}
  [[nodiscard]] Cost estimate(StateView state, const Batch&) override { return estimates_[ToyModel::node_of(state)]; }

 private:
  std::vector<Cost> estimates_;
};

using Adjacency = std::vector<std::vector<std::uint32_t>>;

std::vector<std::uint32_t> distances(const Adjacency& edges, std::vector<std::uint32_t> from) {
  std::vector<std::uint32_t> distance(edges.size(), unreached);
  std::queue<std::uint32_t> open;
  const auto reach = [&](std::uint32_t node, std::uint32_t steps) {
    if (distance[node] != unreached) return;
    distance[node] = steps;
    open.push(node);
  };
  for (const std::uint32_t node : from) reach(node, 0);
  for (; !open.empty(); open.pop())
    for (const std::uint32_t next : edges[open.front()]) reach(next, distance[open.front()] + 1);
  return distance;
}

// The edges that lead to a successor.
Adjacency passable(const ToyGraph& graph) {
  Adjacency edges(graph.size());
  for (std::uint32_t node = 0; node < graph.size(); ++node)
    for (std::uint32_t k = 0; k < graph.successors_of[node].size(); ++k)
      if (!graph.faulty.contains({node, k})) edges[node].push_back(graph.successors_of[node][k]);
  return edges;
}

// How many steps a run from each node to some violation takes.
std::vector<std::uint32_t> steps_to_a_violation(const ToyGraph& graph, DeadlockMode deadlock) {
  const Adjacency edges = passable(graph);
  Adjacency backwards(graph.size() + 1);
  const std::uint32_t violation = graph.size();  // a node one step beyond each violation
  for (std::uint32_t node = 0; node < graph.size(); ++node) {
    for (const std::uint32_t next : edges[node]) backwards[next].push_back(node);
    const auto& all = graph.successors_of[node];
    const bool fails = edges[node].size() < all.size();
    const bool stays = std::ranges::all_of(all, [&](std::uint32_t next) { return next == node; });
    const bool deadlocked =
        deadlock == DeadlockMode::stuck ? all.empty() : deadlock == DeadlockMode::stuttering && stays && !fails;
    if (graph.bad.contains(node) || deadlocked) backwards[violation].push_back(node);
  }
  std::vector<std::uint32_t> result = distances(backwards, {violation});
  for (std::uint32_t& steps : result)
    if (steps != unreached) --steps;
  // A failing step is a violation one step ahead.
  std::vector<std::uint32_t> failing;
  for (const auto& [node, k] : graph.faulty) failing.push_back(node);
  backwards[violation].clear();
  const std::vector<std::uint32_t> to_failing = distances(backwards, failing);
  for (std::uint32_t node = 0; node < graph.size(); ++node)
    if (to_failing[node] != unreached) result[node] = std::min(result[node], to_failing[node] + 1);
  result.pop_back();
  return result;
}

bool is_run(const ToyGraph& graph, const Counterexample& run) {
  const auto node = [&](std::size_t k) { return ToyModel::node_of(run.states[k]); };
  if (run.states.empty() || std::ranges::count(graph.starts, node(0)) == 0) return false;
  const Adjacency edges = passable(graph);
  for (std::size_t k = 0; k + 1 < run.states.size(); ++k)
    if (std::ranges::count(edges[node(k)], node(k + 1)) == 0) return false;
  const std::uint32_t last = node(run.states.size() - 1);
  switch (run.violation.kind) {
    case Violation::Kind::invariant:
      return graph.bad.contains(last);
    case Violation::Kind::fault:
      return run.failing_step && graph.faulty.contains({last, parameters_of(*run.failing_step)});
    default:
      return std::ranges::all_of(graph.successors_of[last], [&](std::uint32_t next) { return next == last; });
  }
}

std::size_t length(const Counterexample& run) {
  return run.states.size() - 1 + (run.failing_step ? 1 : 0);
}

class RandomCase {
 public:
  explicit RandomCase(std::mt19937& random) : random_(random) {
    graph = random_graph(random, 2 + random() % 60, 0.8 + double(random() % 20) / 10, 1 + random() % 3);
    if (random() % 3 == 0) stretch();
    for (std::uint32_t k = random() % 4; k > 0; --k) graph.bad.insert(random() % graph.size());
    for (std::uint32_t node = 0; node < graph.size(); ++node)
      if (!graph.successors_of[node].empty() && random() % 40 == 0) graph.faulty.insert({node, 0});
    options = toy_options();
    options.deadlock = std::array{DeadlockMode::off, DeadlockMode::stuck, DeadlockMode::stuttering}[random() % 3];
    options.order = std::array{Order::declared, Order::reverse, Order::random}[random() % 3];
    options.seed = random();
  }

  Table any_table() {
    std::vector<Cost> estimates(graph.size());
    for (Cost& estimate : estimates) estimate = random_() % 12;
    return Table(std::move(estimates));
  }

  // Never more than the truth, but as uneven as it can be.
  Table admissible_table() {
    std::vector<Cost> estimates(graph.size());
    const std::vector<std::uint32_t> truth = steps_to_a_violation(graph, options.deadlock);
    for (std::size_t k = 0; k < truth.size(); ++k)
      estimates[k] = random_() % (1 + std::min<Cost>(truth[k], graph.size()));
    return Table(std::move(estimates));
  }

  ToyGraph graph;
  SearchOptions options;

 private:
  // Long ways, and many of different lengths between the same nodes.
  void stretch() {
    graph.starts = {0};
    for (std::uint32_t node = 0; node < graph.size(); ++node) {
      graph.successors_of[node].clear();
      for (std::uint32_t k = 1 + random_() % 3; k > 0; --k)
        graph.successors_of[node].push_back(std::min<std::uint32_t>(node + 1 + random_() % 5, graph.size() - 1));
    }
    graph.bad.insert(graph.size() - 1);
  }

  std::mt19937& random_;
};

template <class Store>
SearchResult best_first(const RandomCase& c, Store store, Evaluator& evaluator, BestFirstOrder order) {
  ToyModel model(c.graph);
  return BestFirst(model, store, c.options, evaluator, order).run();
}

SearchResult breadth_first(const RandomCase& c) {
  ToyModel model(c.graph);
  ToyStore<true> store(c.graph.words);
  return BreadthFirst(model, store, c.options).run();
}

// Runs one check for greedy search and A*, over stores that keep the states and those that do not.
template <class Check>
void with_every_search(const RandomCase& c, Evaluator& evaluator, bool admissible, Check check) {
  for (const bool path_counts : {false, true}) {
    const BestFirstOrder order{path_counts, admissible};
    SCOPED_TRACE(path_counts ? "astar" : "greedy");
    check(order, best_first(c, ToyStore<true>(c.graph.words), evaluator, order));
    check(order, best_first(c, ToyStore<false>(c.graph.words), evaluator, order));
    if (c.graph.size() != 20) continue;
    check(order, best_first(c, IndexedStore(c.graph.words, memory), evaluator, order));
    check(order, best_first(c, FingerprintStore(memory), evaluator, order));
  }
}

TEST(BestFirst, VisitsAndCountsExactlyWhatBreadthFirstDoes) {
  std::mt19937 random(1);
  for (int round = 0; round < graphs() && !testing::Test::HasFailure(); ++round) {
    RandomCase c(random);
    c.options.max_errors = UINT64_MAX;
    if (random() % 3 == 0) c.options.max_depth = random() % 8;
    const SearchResult expected = breadth_first(c);
    Table evaluator = c.any_table();
    with_every_search(c, evaluator, false, [&](BestFirstOrder order, const SearchResult& result) {
      EXPECT_EQ(result.ending, expected.ending);
      EXPECT_EQ(result.scope.depth, expected.scope.depth);
      EXPECT_EQ(result.statistics.states, expected.statistics.states);
      EXPECT_EQ(result.statistics.transitions, expected.statistics.transitions);
      EXPECT_EQ(result.statistics.errors, expected.statistics.errors);
      EXPECT_EQ(result.violations, expected.violations);
      EXPECT_EQ(result.faults, expected.faults);
      EXPECT_EQ(result.deadlocks, expected.deadlocks);
      if (order.path_counts) {
        EXPECT_EQ(result.statistics.depth, expected.statistics.depth);
      }
    });
  }
}

TEST(BestFirst, ReportsARunThatShowsTheViolation) {
  std::mt19937 random(2);
  for (int round = 0; round < graphs() / 2 && !testing::Test::HasFailure(); ++round) {
    RandomCase c(random);
    const bool violated = breadth_first(c).first.has_value();
    Table evaluator = c.any_table();
    with_every_search(c, evaluator, false, [&](BestFirstOrder, const SearchResult& result) {
      ASSERT_EQ(result.first.has_value(), violated);
      if (!violated) return;
      EXPECT_EQ(result.ending, Ending::error_limit);
      EXPECT_TRUE(is_run(c.graph, *result.first));
      EXPECT_FALSE(result.first->shortest);
    });
  }
}

TEST(BestFirst, AStarFindsAShortestRunIfTheEvaluatorIsAdmissible) {
  std::mt19937 random(3);
  std::uint64_t revisits = 0;
  for (int round = 0; round < graphs() && !testing::Test::HasFailure(); ++round) {
    RandomCase c(random);
    const std::vector<std::uint32_t> truth = steps_to_a_violation(c.graph, c.options.deadlock);
    std::uint32_t nearest = unreached;
    for (const std::uint32_t start : c.graph.starts) nearest = std::min(nearest, truth[start]);
    Table uneven = c.admissible_table();
    Zero zero;
    for (Evaluator* const evaluator : std::initializer_list<Evaluator*>{&uneven, &zero}) {
      with_every_search(c, *evaluator, true, [&](BestFirstOrder order, const SearchResult& result) {
        ASSERT_EQ(result.first.has_value(), nearest != unreached);
        if (!result.first) return;
        EXPECT_TRUE(is_run(c.graph, *result.first));
        EXPECT_EQ(result.first->shortest, order.path_counts && result.exact);
        if (order.path_counts) {
          EXPECT_EQ(length(*result.first), nearest);
          revisits += result.statistics.revisits;
        }
      });
    }
  }
  EXPECT_GT(revisits, 0U);  // otherwise re-opening was not tested
}

TEST(BestFirst, GreedySearchFollowsTheEvaluator) {
  // Two long arms; the violation is at the end of the second, and the evaluator knows.
  ToyGraph graph;
  graph.starts = {0};
  graph.successors_of = {{1, 1001}};
  for (std::uint32_t node = 1; node <= 2000; ++node)
    graph.successors_of.push_back(node == 1000 || node == 2000 ? std::vector<std::uint32_t>{}
                                                               : std::vector<std::uint32_t>{node + 1});
  graph.bad = {2000};
  std::vector<Cost> estimates(graph.size(), 1);
  for (std::uint32_t node = 1001; node <= 2000; ++node) estimates[node] = 0;
  Table evaluator(std::move(estimates));
  ToyModel model(graph);
  IndexedStore store(1, memory);
  const SearchResult result = BestFirst(model, store, toy_options(), evaluator, {}).run();
  ASSERT_TRUE(result.first.has_value());
  EXPECT_EQ(result.statistics.states, 1002U);
}

TEST(BestFirst, EndsAtTheMemoryLimitAndWhenTheTickSaysSo) {
  std::mt19937 random(1);
  const ToyGraph graph = random_graph(random, 100000, 4, 2);
  Zero zero;
  ToyModel model(graph);
  const auto search = [&](auto store, const SearchOptions& options) {
    return BestFirst(model, store, options, zero, {true, true}).run();
  };
  SearchOptions small = toy_options();
  small.memory_limit = 1 << 20;
  EXPECT_EQ(search(IndexedStore(2, small.memory_limit), small).ending, Ending::memory_limit);
  EXPECT_EQ(search(FingerprintStore(small.memory_limit), small).ending, Ending::memory_limit);
  SearchOptions brief = toy_options();
  brief.tick = [](const Progress& progress) { return progress.states < 5000; };
  EXPECT_EQ(search(IndexedStore(2, brief.memory_limit), brief).ending, Ending::time_or_user);
  EXPECT_EQ(search(FingerprintStore(brief.memory_limit), brief).ending, Ending::time_or_user);
}

TEST(Marked, CountsTheMarkedStepsThatAreEnabled) {
  ToyGraph graph;
  graph.starts = {0};
  graph.successors_of = {{0, 0, 0}, std::vector<std::uint32_t>(150, 0)};
  ToyModel model(graph);
  Marked evaluator([](InstanceId step, StateView) { return parameters_of(step) != 1; });
  EXPECT_TRUE(evaluator.wants_enabled());
  const auto estimate = [&](std::uint64_t node) {
    const StateBuffer state{node + 1};
    Batch enabled;
    model.enabled(state, enabled);
    return evaluator.estimate(state, enabled);
  };
  EXPECT_EQ(estimate(0), 98U);
  EXPECT_EQ(estimate(1), 0U);  // never below
}

TEST(BucketList, GivesTheLowestRankAndAmongEqualOnesTheOldest) {
  std::mt19937 random(4);
  for (int round = 0; round < 50; ++round) {
    BucketList<std::uint32_t> list;
    std::multimap<std::uint64_t, std::uint32_t> reference;  // keeps the order of insertion among equal keys
    const std::uint32_t ranks = 1 + random() % 40;
    for (std::uint32_t entry = 0; entry < 6000; ++entry) {
      const std::uint64_t rank = random() % ranks;
      list.push(rank, entry);
      reference.emplace(rank, entry);
      for (std::uint32_t pops = random() % 3; pops > 0 && !reference.empty(); --pops) {
        ASSERT_EQ(list.pop(), reference.begin()->second);
        reference.erase(reference.begin());
        ASSERT_EQ(list.size(), reference.size());
        ASSERT_EQ(list.empty(), reference.empty());
      }
    }
  }
}

TEST(BucketList, ForgetsTheEntriesThatHaveLeft) {
  BucketList<std::uint64_t> list;
  for (std::uint64_t entry = 0; entry < 1000000; ++entry) {
    list.push(entry % 2, entry);
    if (entry > 10) (void)list.pop();
  }
  EXPECT_LT(list.bytes(), 200000U);
}

}  // namespace
}  // namespace fathom
