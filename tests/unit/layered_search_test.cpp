// Beam searches, frontier searches and searches of limited memory against what is true of random graphs.
#include <gtest/gtest.h>

#include <queue>

#include "directed_testing.hpp"
#include "heuristic/zero.hpp"
#include "search/beam.hpp"
#include "search/beam_stack.hpp"
#include "search/bfs.hpp"
#include "search/frontier.hpp"
#include "search/memory_limited.hpp"
#include "toy_store.hpp"

namespace fathom {
namespace {

SearchResult breadth_first(const RandomCase& c) {
  ToyModel model(c.graph);
  ToyStore<true> store(c.graph.words);
  return BreadthFirst(model, store, c.options).run();
}

// What a search found is really there, and what it says of it is true.
void expect_true(const RandomCase& c, const SearchResult& result) {
  const Cost cheapest = c.cheapest();
  if (result.first) {
    EXPECT_EQ(result.ending, Ending::error_limit);
    EXPECT_EQ(result.statistics.errors, 1U);
    const Cost cost = c.cost_of(*result.first);
    ASSERT_NE(cost, unreached);
    if (result.first->shortest) {
      EXPECT_EQ(cost, cheapest);
    }
  } else if (result.ending == Ending::exhausted) {
    EXPECT_EQ(cheapest, unreached);
  }
}

void expect_complete(const RandomCase& c, const SearchResult& result) {
  expect_true(c, result);
  EXPECT_EQ(result.first.has_value(), c.cheapest() != unreached);
  if (!result.first) {
    EXPECT_EQ(result.ending, Ending::exhausted);
  }
}

void expect_optimal(const RandomCase& c, const SearchResult& result) {
  expect_complete(c, result);
  if (result.first) {
    EXPECT_TRUE(result.first->shortest);
  }
}

// How many levels a step leads back at most, and one more.
std::uint64_t locality(const ToyGraph& graph) {
  std::vector<int> depth(graph.size(), -1);
  std::queue<std::uint32_t> open;
  const auto reach = [&](std::uint32_t node, int steps) {
    if (depth[node] >= 0) return;
    depth[node] = steps;
    open.push(node);
  };
  for (const std::uint32_t start : graph.starts) reach(start, 0);
  for (; !open.empty(); open.pop())
    for (const std::uint32_t next : graph.successors_of[open.front()]) reach(next, depth[open.front()] + 1);
  int furthest = 0;
  for (std::uint32_t node = 0; node < graph.size(); ++node)
    for (const std::uint32_t next : graph.successors_of[node])
      if (depth[node] >= 0) furthest = std::max(furthest, depth[node] - depth[next]);
  return static_cast<std::uint64_t>(furthest) + 1;
}

TEST(Beam, IsRightInWhatItSays) {
  std::mt19937 random(21);
  int missed = 0;
  for (int round = 0; round < graphs() && !testing::Test::HasFailure(); ++round) {
    RandomCase c(random, random() % 2 == 0 ? 1 : 5);
    Table evaluator = random() % 2 == 0 ? c.any_table() : c.admissible_table();
    BeamPlan plan;
    plan.width = random() % 4 == 0 ? UINT64_MAX : 1 + random() % 6;
    plan.keeps_ties = random() % 3 == 0;
    plan.rank = std::array{BeamPlan::Rank::total, BeamPlan::Rank::estimate, BeamPlan::Rank::cost}[random() % 3];
    plan.by_cost = random() % 3 == 0;
    plan.first_is_enough = random() % 3 != 0;
    plan.leaves_dead_ends = evaluator.promise().admissible;
    if (random() % 4 == 0) plan.steps = 1 + random() % 2;
    plan.steps_until = random() % 5;
    ToyModel model(c.graph);
    const SearchResult result = Beam(model, c.options, evaluator, plan, TableCosts{&c.weights}).run();
    expect_true(c, result);
    EXPECT_EQ(result.ending == Ending::incomplete, !result.first && !result.scope.gap.empty());
    missed += !result.first && c.cheapest() != unreached ? 1 : 0;
    if (plan.width == UINT64_MAX && plan.steps == UINT64_MAX) {
      expect_complete(c, result);
      if (result.first && (plan.by_cost || !plan.first_is_enough)) {
        EXPECT_EQ(c.cost_of(*result.first), c.cheapest());
      }
    }
  }
  EXPECT_GT(missed, 0);  // a beam that never misses anything is not a beam
}

TEST(Beam, MadeBroaderIsComplete) {
  std::mt19937 random(22);
  for (int round = 0; round < graphs() / 2 && !testing::Test::HasFailure(); ++round) {
    RandomCase c(random);
    Table evaluator = c.any_table();
    BeamPlan plan;
    plan.width = 1 + random() % 3;
    ToyModel model(c.graph);
    expect_complete(c, broaden(model, c.options, evaluator, plan, 2 + random() % 2));
  }
}

TEST(Beam, ADepthBoundIsAScopeOnlyIfNothingWasLeftOut) {
  std::mt19937 random(23);
  for (int round = 0; round < graphs() / 5 && !testing::Test::HasFailure(); ++round) {
    RandomCase c(random);
    c.options.max_depth = random() % 6;
    const SearchResult expected = breadth_first(c);
    Table evaluator = c.any_table();
    BeamPlan plan;
    plan.width = random() % 2 == 0 ? UINT64_MAX : 2;
    ToyModel model(c.graph);
    const SearchResult result = Beam(model, c.options, evaluator, plan).run();
    if (result.ending == Ending::bound || result.ending == Ending::exhausted) {
      EXPECT_FALSE(expected.first.has_value());
    }
    if (result.first) {
      EXPECT_TRUE(expected.first.has_value());
    }
  }
}

TEST(Frontier, FindsShortestRunsHoweverFewLevelsItKeeps) {
  std::mt19937 random(24);
  std::size_t warnings = 0;
  for (int round = 0; round < graphs() && !testing::Test::HasFailure(); ++round) {
    RandomCase c(random);
    Zero zero;
    ToyModel model(c.graph);
    const std::uint64_t levels = random() % 4;
    const SearchResult result = FrontierSearch(model, c.options, zero, {.locality = levels}).run();
    expect_optimal(c, result);
    warnings += result.warnings.size();
    if (levels == 0) {
      EXPECT_TRUE(result.warnings.empty());
      EXPECT_EQ(result.ending, breadth_first(c).ending);
      if (!result.first) {
        EXPECT_EQ(result.statistics.states, breadth_first(c).statistics.states);
      }
    }
  }
  EXPECT_GT(warnings, 0U);
}

// With as many levels as the locality says no state is visited twice; with one less some always is, and that is
// noticed.
TEST(Frontier, NeedsAsManyLevelsAsTheLocalitySays) {
  std::mt19937 random(25);
  int too_few = 0;
  for (int round = 0; round < graphs() / 2 && !testing::Test::HasFailure(); ++round) {
    RandomCase c(random);
    c.graph.bad.clear();
    c.graph.faulty.clear();
    c.options.deadlock = DeadlockMode::off;
    Zero zero;
    ToyModel model(c.graph);
    const std::uint64_t enough = locality(c.graph);
    const std::uint64_t states = breadth_first(c).statistics.states;
    const SearchResult right = FrontierSearch(model, c.options, zero, {.locality = enough}).run();
    EXPECT_EQ(right.statistics.states, states);
    EXPECT_TRUE(right.warnings.empty());
    if (enough < 2) continue;
    ++too_few;
    const SearchResult wrong = FrontierSearch(model, c.options, zero, {.locality = enough - 1}).run();
    EXPECT_EQ(wrong.ending, Ending::exhausted);
    EXPECT_GT(wrong.statistics.states, states);
    EXPECT_EQ(wrong.warnings.size(), 1U);
  }
  EXPECT_GT(too_few, 0);
}

TEST(Frontier, UnderADepthBoundCoversWhatBreadthFirstDoes) {
  std::mt19937 random(26);
  for (int round = 0; round < graphs() / 5 && !testing::Test::HasFailure(); ++round) {
    RandomCase c(random);
    c.options.max_depth = random() % 6;
    const SearchResult expected = breadth_first(c);
    Table evaluator = c.any_table();
    for (const bool bounded : {false, true}) {
      ToyModel model(c.graph);
      const SearchResult result = FrontierSearch(model, c.options, evaluator, {.bounded = bounded}).run();
      EXPECT_EQ(result.ending, expected.ending);
      EXPECT_EQ(result.first.has_value(), expected.first.has_value());
    }
  }
}

TEST(Frontier, DirectedByAnEvaluatorIsCompleteAndShortestIfItIsAdmissible) {
  std::mt19937 random(27);
  for (int round = 0; round < graphs() && !testing::Test::HasFailure(); ++round) {
    RandomCase c(random);
    Table uneven = c.admissible_table();
    Table any = c.any_table();
    ToyModel model(c.graph);
    const std::uint64_t levels = random() % 3;
    expect_optimal(c, FrontierSearch(model, c.options, uneven, {levels, true, uneven.promise(), true}).run());
    expect_complete(c, FrontierSearch(model, c.options, any, {levels, true, any.promise(), false}).run());
  }
}

// Graphs small enough for searches that explore states again and again.
RandomCase small_case(std::mt19937& random) {
  for (;;) {
    RandomCase c(random);
    if (c.graph.size() <= 14) return c;
  }
}

TEST(BeamStack, IsCompleteAndShortestHoweverNarrow) {
  std::mt19937 random(28);
  for (int round = 0; round < graphs() / 2 && !testing::Test::HasFailure(); ++round) {
    const RandomCase c = small_case(random);
    Table uneven = RandomCase(c).admissible_table();
    Table any = RandomCase(c).any_table();
    ToyModel model(c.graph);
    const std::uint64_t width = 1 + random() % 5;
    expect_optimal(c, BeamStack(model, c.options, uneven, width, true).run());
    expect_complete(c, BeamStack(model, c.options, any, width, false).run());
  }
}

TEST(MemoryLimited, KeepsItsPromiseWithinItsLimit) {
  std::mt19937 random(29);
  int given_up = 0;
  std::uint64_t forgotten = 0;
  for (int round = 0; round < graphs() / 2 && !testing::Test::HasFailure(); ++round) {
    const RandomCase c = small_case(random);
    Table uneven = RandomCase(c).admissible_table();
    Table any = RandomCase(c).any_table();
    ToyModel model(c.graph);
    const std::uint64_t limit = 2 + random() % 14;
    for (Evaluator* const evaluator : std::initializer_list<Evaluator*>{&uneven, &any}) {
      const bool admissible = evaluator->promise().admissible;
      const SearchResult result = MemoryLimited(model, c.options, *evaluator, limit, admissible).run();
      expect_true(c, result);
      given_up += result.ending == Ending::incomplete ? 1 : 0;
      forgotten += result.statistics.revisits;
      if (limit < c.graph.size() + 2) continue;  // with room for all of them nothing is given up
      expect_complete(c, result);
      if (admissible) expect_optimal(c, result);
    }
  }
  EXPECT_GT(given_up, 0);
  EXPECT_GT(forgotten, 0U);
}

TEST(LayeredSearches, EndWhenTheTickSaysSoAndAtTheMemoryLimit) {
  std::mt19937 random(1);
  RandomCase c(random);
  c.graph = random_graph(random, 100000, 4, 2);
  Zero zero;
  ToyModel model(c.graph);
  const auto check = [&](Ending ending) {
    EXPECT_EQ(Beam(model, c.options, zero, {}).run().ending, ending);
    EXPECT_EQ(FrontierSearch(model, c.options, zero, {}).run().ending, ending);
    EXPECT_EQ(BeamStack(model, c.options, zero, 100000, false).run().ending, ending);
    EXPECT_EQ(MemoryLimited(model, c.options, zero, 200000, false).run().ending, ending);
  };
  c.options = toy_options();
  c.options.memory_limit = 1 << 18;
  check(Ending::memory_limit);
  c.options = toy_options();
  c.options.tick = [](const Progress&) { return false; };
  check(Ending::time_or_user);
}

}  // namespace
}  // namespace fathom
