// A* on a disk against A* and breadth-first search in memory, on random graphs and with memory for a few states.
// FATHOM_GRAPHS says on how many.
#include "search/external_astar.hpp"

#include <gtest/gtest.h>

#include "directed_testing.hpp"
#include "heuristic/zero.hpp"
#include "open/ordered_list.hpp"
#include "search/best_first.hpp"
#include "search/bfs.hpp"
#include "toy_store.hpp"

namespace fathom {
namespace {

constexpr std::uint64_t memory = std::uint64_t{1} << 26;
constexpr std::uint64_t least_store = std::uint64_t{1} << 18;  // a table has 32768 slots at least

using InMemory = BestFirst<ToyModel, IndexedStore>;

BestFirstPlan astar_plan(Promise promise, bool leaves_dead_ends) {
  return {.cost_counts = true, .in_turn = true, .promise = promise, .leaves_dead_ends = leaves_dead_ends};
}

SearchResult in_memory(const RandomCase& c, Evaluator& evaluator, bool leaves_dead_ends = true) {
  ToyModel model(c.graph);
  IndexedStore store(c.graph.words, memory);
  RankedList<Additive, InMemory::Entry> open({1, 1});
  const std::vector<Evaluator*> evaluators{&evaluator};
  return InMemory(model, store, c.options, evaluators, open, astar_plan(evaluator.promise(), leaves_dead_ends)).run();
}

// How much there is room for in memory: before the disk is used, and then.
struct Room {
  std::uint64_t states = UINT64_MAX;
  std::uint64_t bytes = memory;
  BucketPlan plan = {.folder = testing::TempDir(), .store_bytes = memory, .seen = 1 << 20, .sorted = 1 << 16};
};

Room little_room(std::mt19937& random) {
  Room room;
  room.states = 1 + random() % 20;
  room.plan.seen = 1 + random() % 40;
  room.plan.sorted = 1 + random() % 10;
  room.plan.most_runs = 2 + random() % 3;
  room.plan.leaves_dead_ends = true;
  return room;
}

SearchResult on_disk(const RandomCase& c, Evaluator& evaluator, const Room& room) {
  ToyModel model(c.graph);
  SearchOptions options = c.options;
  options.memory_limit = room.bytes;
  IndexedStore store(c.graph.words, room.bytes);
  RankedList<Additive, InMemory::Entry> open({1, 1});
  const std::vector<Evaluator*> evaluators{&evaluator};
  BestFirstPlan plan = astar_plan(evaluator.promise(), room.plan.leaves_dead_ends);
  plan.room = room.states;
  InMemory first(model, store, options, evaluators, open, plan);
  SearchResult result = first.run();
  if (result.ending != Ending::memory_limit || !first.can_be_left()) return result;
  ExternalAstar<ToyModel> rest(model, c.options, evaluator, room.plan);
  EXPECT_TRUE(rest.take_over(store, first, std::move(result)));
  return rest.run();
}

SearchResult breadth_first(const RandomCase& c) {
  ToyModel model(c.graph);
  ToyStore<true> store(c.graph.words);
  return BreadthFirst(model, store, c.options).run();
}

void expect_same_counts(const SearchResult& result, const SearchResult& expected) {
  EXPECT_EQ(result.ending, expected.ending);
  EXPECT_EQ(result.scope.depth, expected.scope.depth);
  EXPECT_EQ(result.statistics.states, expected.statistics.states);
  EXPECT_EQ(result.statistics.transitions, expected.statistics.transitions);
  EXPECT_EQ(result.statistics.errors, expected.statistics.errors);
  EXPECT_EQ(result.statistics.revisits, 0U);
  EXPECT_EQ(result.fired, expected.fired);
  EXPECT_EQ(result.violations, expected.violations);
  EXPECT_EQ(result.faults, expected.faults);
  EXPECT_EQ(result.deadlocks, expected.deadlocks);
  EXPECT_EQ(result.first.has_value(), expected.first.has_value());
}

// Runs a check on random graphs; the order of steps is always theirs.
template <class Check>
void with_random_cases(std::uint32_t seed, int rounds, Check check) {
  std::mt19937 random(seed);
  for (int round = 0; round < rounds && !testing::Test::HasFailure(); ++round) {
    SCOPED_TRACE(round);
    RandomCase c(random);
    c.options.order = Order::declared;
    check(random, c);
  }
}

TEST(ExternalAstar, FindsAShortestRunWhereThereIsOne) {
  with_random_cases(1, graphs(), [](std::mt19937& random, RandomCase& c) {
    Table evaluator = random() % 2 == 0 ? c.consistent_table() : c.uneven_consistent_table();
    const SearchResult result = on_disk(c, evaluator, little_room(random));
    const Cost cheapest = c.cheapest();
    ASSERT_EQ(result.first.has_value(), cheapest != unreached);
    EXPECT_EQ(result.ending, result.first ? Ending::error_limit : Ending::exhausted);
    EXPECT_EQ(result.warnings.size(), 0U);
    if (!result.first) return;
    EXPECT_EQ(c.cost_of(*result.first), cheapest);
    EXPECT_TRUE(result.first->shortest);
  });
}

TEST(ExternalAstar, CountsWhatAstarInMemoryCounts) {
  with_random_cases(2, graphs(), [](std::mt19937& random, RandomCase& c) {
    if (random() % 2 == 0) c.options.max_errors = UINT64_MAX;
    if (random() % 3 == 0) c.options.max_depth = random() % 8;
    Table evaluator = random() % 2 == 0 ? c.consistent_table() : c.uneven_consistent_table();
    const SearchResult result = on_disk(c, evaluator, little_room(random));
    const SearchResult expected = in_memory(c, evaluator);
    ASSERT_EQ(result.first.has_value(), expected.first.has_value());
    if (result.first) {
      EXPECT_EQ(c.cost_of(*result.first), c.cost_of(*expected.first));
    }
    if (result.first && c.options.max_errors == 1) return;
    expect_same_counts(result, expected);
    EXPECT_EQ(result.statistics.dead_ends, expected.statistics.dead_ends);
  });
}

TEST(ExternalAstar, VisitsWhatBreadthFirstDoesWhereDeadEndsAreNotLeft) {
  with_random_cases(3, graphs() / 2, [](std::mt19937& random, RandomCase& c) {
    c.options.max_errors = UINT64_MAX;
    if (random() % 3 == 0) c.options.max_depth = random() % 8;
    Table table = c.uneven_consistent_table();
    Zero zero;
    Room room = little_room(random);
    room.plan.leaves_dead_ends = false;
    Evaluator& evaluator = random() % 3 == 0 ? static_cast<Evaluator&>(zero) : table;
    const SearchResult result = on_disk(c, evaluator, room);
    const SearchResult expected = breadth_first(c);
    expect_same_counts(result, expected);
    EXPECT_EQ(result.statistics.depth, expected.statistics.depth);
    EXPECT_EQ(result.statistics.dead_ends, 0U);
  });
}

// With states of many words and more of them than fit into one block of a run or one piece of the memory.
TEST(ExternalAstar, WorksOnLargerGraphs) {
  std::mt19937 random(4);
  for (int round = 0; round < 60 && !testing::Test::HasFailure(); ++round) {
    SCOPED_TRACE(round);
    RandomCase c(random);
    const std::uint32_t words = std::array{1U, 2U, 3U, 9U, 20U}[round % 5];
    c.graph = random_graph(random, 1000 + random() % 5000, 2.2, words);
    for (int k = 0; k < 2; ++k) c.graph.bad.insert(random() % c.graph.size());
    c.weights.clear();
    for (const auto& successors : c.graph.successors_of) c.weights.emplace_back(successors.size(), 1);
    c.options.order = Order::declared;
    if (round % 2 == 0) c.options.max_errors = UINT64_MAX;
    Table evaluator = round % 3 == 0 ? c.consistent_table() : c.uneven_consistent_table();
    const std::uint64_t little = least_store + (200 + random() % 1000) * words * sizeof(std::uint64_t);
    Room room{.states = round % 4 == 0 ? random() % 500 : UINT64_MAX,
              .bytes = little + 8000,
              .plan = {.folder = testing::TempDir(),
                       .store_bytes = little,
                       .seen = 200 + random() % 3000,
                       .sorted = 1 + random() % 300,
                       .most_runs = 2 + random() % 5,
                       .leaves_dead_ends = true}};
    const SearchResult result = on_disk(c, evaluator, room);
    const SearchResult expected = in_memory(c, evaluator);
    ASSERT_EQ(result.first.has_value(), expected.first.has_value());
    if (result.first) {
      EXPECT_EQ(c.cost_of(*result.first), c.cost_of(*expected.first));
    }
    if (!result.first || c.options.max_errors > 1) expect_same_counts(result, expected);
    EXPECT_TRUE(result.statistics.disk_bytes > 0 || result.statistics.states < 2000);
  }
}

// The survey compares a bucket with those of a few costs before it. In a directed graph a step leads back any number of
// levels, and then states are taken for new ones.
TEST(ExternalAstar, ComparingWithAFewBucketsAloneIsNotEnough) {
  int wrong = 0;
  with_random_cases(5, graphs() / 5, [&](std::mt19937& random, RandomCase& c) {
    c.options.max_errors = UINT64_MAX;
    c.options.max_depth = 30;  // or it would go round for ever
    Table evaluator = c.uneven_consistent_table();
    Room room = little_room(random);
    const std::uint64_t right = on_disk(c, evaluator, room).statistics.states;
    EXPECT_EQ(right, in_memory(c, evaluator).statistics.states);
    room.plan.locality = 1;
    if (on_disk(c, evaluator, room).statistics.states != right) ++wrong;
  });
  EXPECT_GT(wrong, 0);
}

TEST(ExternalAstar, AnEvaluatorThatBreaksItsPromiseCostsNoViolation) {
  int noticed = 0;
  with_random_cases(6, graphs() / 2, [&](std::mt19937& random, RandomCase& c) {
    const bool all = random() % 2 == 0;
    if (all) c.options.max_errors = UINT64_MAX;
    if (random() % 4 == 0) c.options.max_depth = random() % 8;
    Table evaluator(c.any_table().estimates_, {.admissible = true, .consistent = true});
    Room room = little_room(random);
    room.states = 1 + random() % 4;
    const SearchResult result = on_disk(c, evaluator, room), expected = breadth_first(c);
    if (result.ending == Ending::memory_limit) {
      EXPECT_FALSE(result.warnings.empty());
      return;
    }
    const bool warned = !result.warnings.empty();
    if (warned) ++noticed;
    if (result.first) {
      EXPECT_NE(c.cost_of(*result.first), unreached);
      EXPECT_TRUE(expected.first.has_value());
    }
    if (result.ending == Ending::exhausted || result.ending == Ending::bound) {
      EXPECT_EQ(result.ending, expected.ending);
      EXPECT_EQ(result.first.has_value(), expected.first.has_value());
      EXPECT_EQ(result.statistics.states, expected.statistics.states);
      EXPECT_EQ(result.statistics.errors, expected.statistics.errors);
    } else if (result.ending == Ending::incomplete) {
      EXPECT_TRUE(warned);
      EXPECT_TRUE(c.options.max_depth.has_value());
      EXPECT_FALSE(result.scope.depth.has_value());
    }
  });
  EXPECT_GT(noticed, graphs() / 20);
}

TEST(ExternalAstar, TheUserCanEndTheSearch) {
  std::mt19937 random(7);
  RandomCase c(random);
  c.graph = random_graph(random, 60000, 2.5, 1);
  c.options = toy_options();
  c.options.deadlock = DeadlockMode::off;
  c.options.tick = [](const Progress& progress) { return progress.transitions < 30000; };
  Zero zero;
  Room room;
  room.states = 1000;
  const SearchResult result = on_disk(c, zero, room);
  EXPECT_EQ(result.ending, Ending::time_or_user);
  EXPECT_LT(result.statistics.states, 60000U);
}

}  // namespace
}  // namespace fathom
