// Best-first searches against breadth-first search and against plain shortest paths on random graphs, under evaluators
// of every kind. FATHOM_GRAPHS says on how many.
#include "search/best_first.hpp"

#include <gtest/gtest.h>

#include <map>

#include "directed_testing.hpp"
#include "heuristic/marked.hpp"
#include "heuristic/zero.hpp"
#include "open/mixed_list.hpp"
#include "open/ordered_list.hpp"
#include "search/bfs.hpp"
#include "store/fingerprint_store.hpp"
#include "store/indexed_store.hpp"
#include "toy_store.hpp"

namespace fathom {
namespace {

constexpr std::uint64_t memory = std::uint64_t{1} << 28;

// The searches that are made of the engine.
enum class Kind { astar, weighted, k_best, fifo, lifo, alternation, type_based, epsilon, idastar, bnb, refined };

constexpr Kind all_kinds[] = {Kind::astar,   Kind::weighted,    Kind::k_best,     Kind::fifo,
                              Kind::lifo,    Kind::alternation, Kind::type_based, Kind::epsilon,
                              Kind::idastar, Kind::bnb,         Kind::refined};

bool is_bounded(Kind kind) {
  return kind == Kind::idastar || kind == Kind::bnb || kind == Kind::refined;
}
bool is_optimal(Kind kind) {
  return kind == Kind::astar || is_bounded(kind);
}

template <class Search>
std::unique_ptr<typename Search::Open> open_list(Kind kind, std::size_t evaluators, std::uint64_t seed) {
  using A = typename Search::Algebra;
  using Entry = typename Search::Entry;
  if (is_bounded(kind)) return std::make_unique<StackList<A, Entry>>();
  if (kind == Kind::astar || kind == Kind::k_best) return std::make_unique<RankedList<A, Entry>>(RankWeights{1, 1});
  if (kind == Kind::weighted) return std::make_unique<RankedList<A, Entry>>(RankWeights{2, 5});
  if (kind == Kind::fifo) return std::make_unique<RankedList<A, Entry>>(RankWeights{0, 1});
  if (kind == Kind::lifo) return std::make_unique<RankedList<A, Entry>>(RankWeights{0, 1}, Equals::newest_first);
  std::vector<std::unique_ptr<SelectionRule<A>>> rules;
  rules.push_back(std::make_unique<ByEstimate<A>>(0));
  if (kind == Kind::alternation)
    rules.push_back(std::make_unique<ByEstimate<A>>(evaluators - 1));
  else
    rules.push_back(std::make_unique<ByType<A>>(kind == Kind::epsilon, seed));
  if (kind == Kind::epsilon) return std::make_unique<MixedList<A, Entry>>(std::move(rules), 0.3, seed);
  return std::make_unique<MixedList<A, Entry>>(std::move(rules));
}

std::unique_ptr<BoundRule> rule_of(Kind kind) {
  if (kind == Kind::idastar) return std::make_unique<Deepening>();
  if (kind == Kind::bnb) return std::make_unique<Tightening>();
  if (kind == Kind::refined) return std::make_unique<Refining>();
  return nullptr;
}

BestFirstPlan plan_of(Kind kind, Promise promise) {
  BestFirstPlan plan;
  plan.promise = promise;
  plan.in_turn = kind == Kind::astar || kind == Kind::weighted;
  plan.cost_counts = plan.in_turn || kind == Kind::k_best || is_bounded(kind);
  plan.width = kind == Kind::k_best ? 3 : 1;
  plan.within = kind == Kind::weighted ? 2.5 : 1;
  plan.leaves_dead_ends = true;
  return plan;
}

template <class Store, class Costs = UnitCosts>
SearchResult best_first(const RandomCase& c, Store store, Evaluator& evaluator, Kind kind, Costs costs = {}) {
  using Search = BestFirst<ToyModel, Store, Costs>;
  ToyModel model(c.graph);
  Zero zero;
  std::vector<Evaluator*> evaluators{&evaluator};
  if (kind == Kind::alternation) evaluators.push_back(&zero);
  const std::unique_ptr<BoundRule> rule = rule_of(kind);
  BestFirstPlan plan = plan_of(kind, evaluator.promise());
  plan.rule = rule.get();
  const auto open = open_list<Search>(kind, evaluators.size(), c.options.seed);
  return Search(model, store, c.options, evaluators, *open, plan, costs).run();
}

SearchResult breadth_first(const RandomCase& c) {
  ToyModel model(c.graph);
  ToyStore<true> store(c.graph.words);
  return BreadthFirst(model, store, c.options).run();
}

// Runs one check for every kind of search, over stores that keep the states and those that do not.
template <class Check>
void with_every_search(const RandomCase& c, Evaluator& evaluator, Check check) {
  for (const Kind kind : all_kinds) {
    SCOPED_TRACE(static_cast<int>(kind));
    check(kind, best_first(c, ToyStore<true>(c.graph.words), evaluator, kind));
    check(kind, best_first(c, ToyStore<false>(c.graph.words), evaluator, kind));
    if (c.graph.size() != 20) continue;
    check(kind, best_first(c, IndexedStore(c.graph.words, memory), evaluator, kind));
    check(kind, best_first(c, FingerprintStore(memory), evaluator, kind));
  }
}

TEST(BestFirst, VisitsAndCountsExactlyWhatBreadthFirstDoes) {
  std::mt19937 random(1);
  for (int round = 0; round < graphs() / 2 && !testing::Test::HasFailure(); ++round) {
    RandomCase c(random);
    c.options.max_errors = UINT64_MAX;
    if (random() % 3 == 0) c.options.max_depth = random() % 8;
    const SearchResult expected = breadth_first(c);
    Table evaluator = c.any_table();
    with_every_search(c, evaluator, [&](Kind kind, const SearchResult& result) {
      if (is_bounded(kind)) return;
      EXPECT_EQ(result.ending, expected.ending);
      EXPECT_EQ(result.scope.depth, expected.scope.depth);
      EXPECT_EQ(result.statistics.states, expected.statistics.states);
      EXPECT_EQ(result.statistics.transitions, expected.statistics.transitions);
      EXPECT_EQ(result.statistics.errors, expected.statistics.errors);
      EXPECT_EQ(result.violations, expected.violations);
      EXPECT_EQ(result.faults, expected.faults);
      EXPECT_EQ(result.deadlocks, expected.deadlocks);
      if (kind == Kind::astar) {
        EXPECT_EQ(result.statistics.depth, expected.statistics.depth);
      }
    });
  }
}

// Under a bound on the cost, too, everything is visited if nothing is found.
TEST(BestFirst, ReportsARunThatShowsTheViolation) {
  std::mt19937 random(2);
  for (int round = 0; round < graphs() / 2 && !testing::Test::HasFailure(); ++round) {
    RandomCase c(random);
    if (random() % 3 == 0) c.options.max_depth = random() % 8;
    const SearchResult expected = breadth_first(c);
    Table evaluator = c.any_table();
    with_every_search(c, evaluator, [&](Kind kind, const SearchResult& result) {
      ASSERT_EQ(result.first.has_value(), expected.first.has_value());
      EXPECT_EQ(result.ending, expected.ending);
      if (result.first) {
        EXPECT_NE(c.cost_of(*result.first), unreached);
        EXPECT_FALSE(result.first->shortest);
        EXPECT_EQ(result.first->within, 0);
        EXPECT_EQ(result.statistics.errors, 1U);
      } else {
        EXPECT_EQ(result.statistics.states, expected.statistics.states) << static_cast<int>(kind);
        EXPECT_EQ(result.statistics.transitions, expected.statistics.transitions);
      }
    });
  }
}

TEST(BestFirst, KeepsItsPromiseIfTheEvaluatorIsAdmissible) {
  std::mt19937 random(3);
  std::uint64_t revisits = 0, left = 0;
  for (int round = 0; round < graphs() / 2 && !testing::Test::HasFailure(); ++round) {
    RandomCase c(random);
    const Cost nearest = c.cheapest();
    Table uneven = c.admissible_table();
    Zero zero;
    for (Evaluator* const evaluator : std::initializer_list<Evaluator*>{&uneven, &zero}) {
      with_every_search(c, *evaluator, [&](Kind kind, const SearchResult& result) {
        ASSERT_EQ(result.first.has_value(), nearest != unreached);
        EXPECT_TRUE(result.warnings.empty());
        left += result.statistics.dead_ends;
        if (!result.first) {
          EXPECT_EQ(result.ending, Ending::exhausted);
          return;
        }
        EXPECT_EQ(result.first->shortest, is_optimal(kind) && result.exact);
        const Cost cost = c.cost_of(*result.first);
        ASSERT_NE(cost, unreached);
        if (is_optimal(kind)) {
          EXPECT_EQ(cost, nearest);
        }
        if (kind == Kind::weighted) {
          EXPECT_LE(cost, 2.5 * nearest);
          EXPECT_EQ(result.first->within, result.exact ? 2.5 : 0);
        }
        if (kind == Kind::astar) revisits += result.statistics.revisits;
      });
    }
  }
  EXPECT_GT(revisits, 0U);  // otherwise re-opening was not tested
  EXPECT_GT(left, 0U);
}

TEST(BestFirst, FindsCheapestRunsWhenStepsCostDifferently) {
  std::mt19937 random(4);
  for (int round = 0; round < graphs() && !testing::Test::HasFailure(); ++round) {
    RandomCase c(random, 1 + random() % 9);
    const Cost cheapest = c.cheapest();
    Table evaluator = random() % 2 == 0 ? c.admissible_table() : c.consistent_table();
    for (const Kind kind : all_kinds) {
      SCOPED_TRACE(static_cast<int>(kind));
      const SearchResult result = best_first(c, ToyStore<true>(c.graph.words), evaluator, kind, TableCosts{&c.weights});
      ASSERT_EQ(result.first.has_value(), cheapest != unreached);
      EXPECT_TRUE(result.warnings.empty());
      if (!result.first) continue;
      const Cost cost = c.cost_of(*result.first);
      ASSERT_NE(cost, unreached);
      if (is_optimal(kind)) {
        EXPECT_EQ(cost, cheapest);
      }
    }
  }
}

// More than the states that cost no more than the run are never expanded: those that a blind search would expand that
// finishes the level it is in.
TEST(BestFirst, UnderAConsistentEvaluatorAStarOpensNoStateTwiceAndExpandsNoMoreThanABlindSearch) {
  std::mt19937 random(5);
  for (int round = 0; round < graphs() / 2 && !testing::Test::HasFailure(); ++round) {
    RandomCase c(random, 1 + random() % 4);
    Table evaluator = c.consistent_table();
    Zero zero;
    const TableCosts costs{&c.weights};
    const SearchResult directed = best_first(c, ToyStore<true>(c.graph.words), evaluator, Kind::astar, costs);
    const SearchResult blind = best_first(c, ToyStore<true>(c.graph.words), zero, Kind::astar, costs);
    EXPECT_EQ(directed.statistics.revisits, 0U);
    EXPECT_EQ(blind.statistics.revisits, 0U);
    std::uint64_t allowed = 0;
    const std::vector<Cost> cost = cost_from_start(c.graph, c.weights);
    for (std::uint32_t node = 0; node < c.graph.size(); ++node)
      if (cost[node] != unreached && cost[node] <= c.cheapest()) allowed += c.graph.successors_of[node].size();
    EXPECT_LE(directed.statistics.transitions, allowed);
  }
}

TEST(BestFirst, NoticesAnEvaluatorThatDoesNotKeepItsPromise) {
  ToyGraph graph;
  graph.starts = {0};
  graph.successors_of = {{1}, {2}, {3}, {}};
  graph.bad = {3};
  ToyModel model(graph);
  const auto warnings = [&](std::vector<Cost> estimates, Promise promise) {
    Table evaluator(std::move(estimates), promise);
    ToyStore<true> store(1);
    std::vector<Evaluator*> evaluators{&evaluator};
    using Search = BestFirst<ToyModel, ToyStore<true>>;
    RankedList<Additive, Search::Entry> open({1, 1});
    const SearchOptions options = toy_options();
    const SearchResult result =
        Search(model, store, options, evaluators, open, plan_of(Kind::astar, evaluator.promise())).run();
    EXPECT_TRUE(result.first.has_value());
    EXPECT_EQ(result.first->shortest, result.warnings.empty() && promise.admissible);
    return result.warnings.size();
  };
  const Promise both{.admissible = true, .consistent = true};
  EXPECT_EQ(warnings({3, 2, 1, 0}, both), 0U);
  EXPECT_EQ(warnings({3, 1, 1, 0}, both), 1U);
  EXPECT_EQ(warnings({3, 1, 1, 0}, {.admissible = true}), 0U);
  EXPECT_EQ(warnings({3, 2, 1, 1}, {.admissible = true}), 1U);
  EXPECT_EQ(warnings({3, 1, 1, 7}, {}), 0U);
}

// What goes wrong without each of the things that make a search keep its promise.
TEST(BestFirst, GoesWrongWithoutOpeningStatesAgainAndWithTestsAtGeneration) {
  std::mt19937 random(6);
  int too_long_without_reopening = 0, too_long_at_generation = 0;
  for (int round = 0; round < 2000; ++round) {
    RandomCase c(random, 4);
    const Cost cheapest = c.cheapest();
    if (cheapest == unreached) continue;
    Table evaluator = c.admissible_table();
    using Search = BestFirst<ToyModel, ToyStore<true>, TableCosts>;
    std::vector<Evaluator*> evaluators{&evaluator};
    const auto cost = [&](const BestFirstPlan& plan) {
      ToyModel model(c.graph);
      ToyStore<true> store(c.graph.words);
      RankedList<Additive, Search::Entry> open({1, 1});
      const SearchResult result = Search(model, store, c.options, evaluators, open, plan, TableCosts{&c.weights}).run();
      return c.cost_of(*result.first);
    };
    BestFirstPlan never_again = plan_of(Kind::astar, {});
    never_again.opens_again = false;
    too_long_without_reopening += cost(never_again) > cheapest ? 1 : 0;
    BestFirstPlan at_once = plan_of(Kind::astar, {});
    at_once.in_turn = false;
    too_long_at_generation += cost(at_once) > cheapest ? 1 : 0;
    EXPECT_EQ(cost(plan_of(Kind::astar, {})), cheapest);
  }
  EXPECT_GT(too_long_without_reopening, 0);
  EXPECT_GT(too_long_at_generation, 0);
}

// Without opening states again a bound loses what lies within it.
TEST(BestFirst, ABoundWithoutOpeningStatesAgainMissesViolations) {
  ToyGraph graph;
  graph.starts = {0};
  graph.successors_of = {{1, 2}, {3}, {4}, {4}, {5}, {}};  // to 4 there are three steps by 1 and 3, and two by 2
  graph.bad = {5};
  ToyModel model(graph);
  Table evaluator({0, 0, 1, 0, 0, 0});
  std::vector<Evaluator*> evaluators{&evaluator};
  class UpToThree final : public BoundRule {
   public:
    std::optional<Cost> first(Cost) override { return 3; }
    std::optional<Cost> next(const PassOutcome&) override { return std::nullopt; }
  };
  const auto finds = [&](bool opens_again) {
    using Search = BestFirst<ToyModel, ToyStore<true>>;
    ToyStore<true> store(1);
    StackList<Additive, Search::Entry> open;
    UpToThree rule;
    BestFirstPlan plan = plan_of(Kind::bnb, {});
    plan.rule = &rule;
    plan.opens_again = opens_again;
    const SearchOptions options = toy_options();
    return Search(model, store, options, evaluators, open, plan).run().first.has_value();
  };
  EXPECT_TRUE(finds(true));
  EXPECT_FALSE(finds(false));
}

TEST(BestFirst, GreedySearchFollowsTheEvaluator) {
  // Two long arms; the violation is at the end of the second, and the evaluator knows.
  std::mt19937 random(7);
  RandomCase c(random);
  c.graph = {};
  c.graph.starts = {0};
  c.graph.successors_of = {{1, 1001}};
  for (std::uint32_t node = 1; node <= 2000; ++node)
    c.graph.successors_of.push_back(node == 1000 || node == 2000 ? std::vector<std::uint32_t>{}
                                                                 : std::vector<std::uint32_t>{node + 1});
  c.graph.bad = {2000};
  c.options = toy_options();
  std::vector<Cost> estimates(c.graph.size(), 1);
  for (std::uint32_t node = 1001; node <= 2000; ++node) estimates[node] = 0;
  Table evaluator(std::move(estimates));
  const SearchResult result = best_first(c, IndexedStore(1, memory), evaluator, Kind::fifo);
  ASSERT_TRUE(result.first.has_value());
  EXPECT_EQ(result.statistics.states, 1002U);
}

TEST(BestFirst, EndsAtTheMemoryLimitAndWhenTheTickSaysSo) {
  std::mt19937 random(1);
  RandomCase c(random);
  c.graph = random_graph(random, 100000, 4, 2);
  Zero zero;
  for (const Kind kind : {Kind::astar, Kind::type_based, Kind::bnb}) {
    c.options = toy_options();
    c.options.memory_limit = 1 << 20;
    EXPECT_EQ(best_first(c, IndexedStore(2, 1 << 20), zero, kind).ending, Ending::memory_limit);
    EXPECT_EQ(best_first(c, FingerprintStore(1 << 20), zero, kind).ending, Ending::memory_limit);
    c.options = toy_options();
    c.options.tick = [](const Progress& progress) { return progress.states < 5000; };
    EXPECT_EQ(best_first(c, IndexedStore(2, memory), zero, kind).ending, Ending::time_or_user);
    EXPECT_EQ(best_first(c, FingerprintStore(memory), zero, kind).ending, Ending::time_or_user);
  }
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
