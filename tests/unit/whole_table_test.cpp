// The table of all variables, against the exact distances in the whole graph of random models.
#include "heuristic/whole_table.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "analysis/symmetry.hpp"
#include "exact_distances.hpp"
#include "heuristic/abstraction.hpp"
#include "heuristic/straight_way.hpp"
#include "random_networks.hpp"
#include "reduction/symmetry.hpp"

namespace fathom {
namespace {

constexpr int models = 400;

WholeLimits within(std::size_t states) {
  return {states, std::uint64_t{1} << 28U, ThreadClock::now() + std::chrono::seconds(20)};
}

std::vector<std::uint32_t> depths_of(const Graph& graph, std::size_t starts) {
  std::vector<std::uint32_t> depth(graph.states().size(), unreached);
  std::vector<std::size_t> queue;
  for (std::size_t k = 0; k < starts; ++k) {
    depth[k] = 0;
    queue.push_back(k);
  }
  for (std::size_t k = 0; k < queue.size(); ++k)
    for (const std::size_t next : graph.steps()[queue[k]]) {
      if (depth[next] != unreached) continue;
      depth[next] = depth[queue[k]] + 1;
      queue.push_back(next);
    }
  return depth;
}

std::size_t different_starts(InterpretedModel& model) {
  Batch starts;
  model.initial(starts);
  std::set<StateBuffer> all;
  for (std::uint32_t k = 0; k < starts.size(); ++k)
    if (starts.outcome(k).has_successor()) all.emplace(starts.state(k).begin(), starts.state(k).end());
  return all.size();
}

bool has_violation(const Graph& graph) {
  return std::ranges::any_of(graph.to_violations(), [](std::uint32_t distance) { return distance != unreached; });
}

// Where a table must be exact: on every run that is as short as a shortest one. What is off all of these must seem
// longer. "" if it is so.
std::string not_exact(const WholeTable& table, const Graph& graph, const std::vector<std::uint32_t>& exact,
                      const std::vector<std::uint32_t>& depth, const WholeTable::Canonicalise& canonicalise) {
  std::uint64_t shortest = unreached;
  for (std::size_t k = 0; k < exact.size(); ++k)
    if (exact[k] != unreached) shortest = std::min(shortest, std::uint64_t{depth[k]} + exact[k]);
  std::ostringstream out;
  for (std::size_t k = 0; k < exact.size() && out.str().empty(); ++k) {
    StateBuffer state = graph.states()[k];
    if (canonicalise) canonicalise(state.data());
    const std::uint64_t told = table.distance(state);
    if (told > exact[k]) out << "state " << k << ": " << told << " instead of " << exact[k];
    if (depth[k] > shortest) continue;
    const bool on_shortest = exact[k] != unreached && depth[k] + exact[k] == shortest;
    if (on_shortest && told != exact[k]) out << "state " << k << ": only " << told << " of " << exact[k];
    if (!on_shortest && depth[k] + told <= shortest)
      out << "state " << k << " at depth " << depth[k] << " seems to be as near as any: " << told;
  }
  return out.str();
}

TEST(WholeTable, IsExactOnShortestRunsOfRandomModels) {
  int compared = 0;
  for (int seed = 0; seed < models; ++seed) {
    const auto example = random_case(seed);
    if (!example) continue;
    InterpretedModel interpreted(*example->loaded->program);
    const Graph graph(example->goals, interpreted);
    if (!graph.is_small() || graph.states().empty()) continue;
    Executor model(*example->loaded->program, EngineChoice::interpret);
    const WholeTable table(example->goals, model, {}, nullptr, within(largest));
    ASSERT_EQ(table.tells(), has_violation(graph)) << seed << "\n" << example->loaded->text;
    if (!table.tells()) continue;
    const auto depth = depths_of(graph, different_starts(interpreted));
    ASSERT_EQ(not_exact(table, graph, graph.to_violations(), depth, nullptr), "") << seed << "\n"
                                                                                  << example->loaded->text;
    ++compared;
  }
  EXPECT_GT(compared, models / 3);
}

TEST(WholeTable, IsExactForOneStateOfAllThatAreAlike) {
  int compared = 0, smaller = 0;
  for (int seed = 1; seed < 2 * models; seed += 2) {
    const auto example = random_case(seed);
    if (!example) continue;
    const std::vector<const ir::Type*> sets = analyse_symmetry(*example->loaded->program).safe;
    InterpretedModel interpreted(*example->loaded->program);
    const Graph graph(example->goals, interpreted);
    if (sets.empty() || !graph.is_small()) continue;
    Symmetry symmetry(*example->loaded->program, sets);
    const auto canonicalise = [&](std::uint64_t* state) { symmetry.canonicalise(state); };
    Executor model(*example->loaded->program, EngineChoice::interpret);
    const WholeTable table(example->goals, model, {}, canonicalise, within(largest));
    ASSERT_EQ(table.tells(), has_violation(graph)) << seed << "\n" << example->loaded->text;
    smaller += table.size() < graph.states().size() ? 1 : 0;
    if (!table.tells()) continue;
    const auto depth = depths_of(graph, different_starts(interpreted));
    ASSERT_EQ(not_exact(table, graph, graph.to_violations(), depth, canonicalise), "") << seed << "\n"
                                                                                       << example->loaded->text;
    ++compared;
  }
  EXPECT_GT(compared, 30);
  EXPECT_GT(smaller, 25);
}

// Wherever the enumeration is cut off, what it tells is never too much, and drops by one along a step at most.
TEST(WholeTable, PromisesNothingThatIsNotSoWhereItIsCutOff) {
  int told = 0;
  for (int seed = 0; seed < models; ++seed) {
    const auto example = random_case(seed);
    if (!example) continue;
    InterpretedModel interpreted(*example->loaded->program);
    const Graph graph(example->goals, interpreted);
    if (!graph.is_small()) continue;
    const std::vector<std::uint32_t> exact = graph.to_violations();
    for (const std::size_t size : {1, 3, 7, 20, 60}) {
      Executor model(*example->loaded->program, EngineChoice::interpret);
      const WholeTable table(example->goals, model, {}, nullptr, within(size));
      if (!table.tells()) continue;
      told += table.size() < graph.states().size() ? 1 : 0;
      for (std::size_t k = 0; k < graph.states().size(); ++k) {
        const std::uint64_t here = table.distance(graph.states()[k]);
        ASSERT_LE(here, exact[k]) << "state " << k << ", seed " << seed << "\n" << example->loaded->text;
        for (const std::size_t next : graph.steps()[k])
          ASSERT_LE(here, std::uint64_t{table.distance(graph.states()[next])} + 1)
              << "step from " << k << " to " << next << ", seed " << seed << "\n"
              << example->loaded->text;
      }
    }
  }
  EXPECT_GT(told, 30);
}

TEST(WholeTable, CountsCosts) {
  const auto loaded = Loaded::of_murphi(
      "var x: 0..9;\n"
      "rule \"dear\" x < 9 ==> begin x := x + 1; end;\n"
      "rule \"cheap\" x < 8 ==> begin x := x + 2; end;\n"
      "startstate begin x := 0; end;\n"
      "invariant x < 9;\n");
  ASSERT_NE(loaded->program, nullptr);
  const Goals goals = goals_for(*loaded->program, false, false);
  InterpretedModel interpreted(*loaded->program);
  const Graph graph(goals, interpreted);
  Executor model(*loaded->program, EngineChoice::interpret);
  const WholeTable table(goals, model, {7, 3}, nullptr, within(100));
  EXPECT_EQ(table.distance(graph.states().front()), 4U * 3U + 7U);
  // Cut off where it has met a violation, it is not more: what was not expanded may be one cheap step away.
  const WholeTable part(goals, model, {7, 3}, nullptr, within(9));
  EXPECT_TRUE(part.tells());
  EXPECT_LE(part.distance(graph.states().front()), 4U * 3U + 7U);
}

// What happens depends on a number that is too wide for a table of a part of the variables, and the model is small.
TEST(Abstraction, EndsWithAllVariablesWhereAPartTellsTooLittle) {
  const auto loaded = Loaded::of_murphi(
      "var bad: boolean; n: 0..1000000;\n"
      "startstate begin bad := false; n := 0; end;\n"
      "rule n < 30 ==> begin n := n + 1; end;\n"
      "rule n > 0 ==> begin n := n - 1; end;\n"
      "rule n = 30 ==> begin bad := true; end;\n"
      "invariant !bad;\n");
  ASSERT_NE(loaded->program, nullptr);
  const Goals goals = goals_for(*loaded->program, false, false);
  InterpretedModel model(*loaded->program);
  Batch starts;
  model.initial(starts);
  Abstraction whole(goals, std::make_unique<ModelFacts>(*loaded->program),
                    {.variables = {}, .processes = {}, .size = 100'000, .seconds = 2});
  EXPECT_NE(whole.whole(), nullptr);
  EXPECT_EQ(whole.estimate(starts.state(0), Batch()), 31U);
  Abstraction named(goals, std::make_unique<ModelFacts>(*loaded->program),
                    {.variables = {"bad"}, .processes = {}, .size = 100'000, .seconds = 2});
  EXPECT_EQ(named.whole(), nullptr);
}

// Too many instances of rules to follow what may happen: the model itself can be executed.
TEST(Abstraction, HasAllVariablesWhereNoPatternCanBeFollowed) {
  const auto loaded = Loaded::of_murphi(
      "type I: 0..69; var a, b: I;\n"
      "startstate begin a := 0; b := 0; end;\n"
      "ruleset i: I; j: I do rule i = a + 1 & j = b + 2 ==> begin a := i; b := j; end; end;\n"
      "invariant b < 20;\n");
  ASSERT_NE(loaded->program, nullptr);
  const Goals goals = goals_for(*loaded->program, false, false);
  InterpretedModel model(*loaded->program);
  const Graph graph(goals, model);
  Abstraction whole(goals, std::make_unique<ModelFacts>(*loaded->program),
                    {.variables = {}, .processes = {}, .size = 1000, .seconds = 2});
  EXPECT_EQ(whole.complaint(), "");
  EXPECT_TRUE(whole.promise().consistent);
  EXPECT_EQ(whole.estimate(graph.states().front(), Batch()), 10U);
  Abstraction cut_off(goals, std::make_unique<ModelFacts>(*loaded->program),
                      {.variables = {}, .processes = {}, .size = 5, .seconds = 2});
  EXPECT_NE(cut_off.complaint(), "");
  EXPECT_FALSE(cut_off.promise().admissible);
  EXPECT_EQ(cut_off.estimate(graph.states().front(), Batch()), 0U);
}

TEST(StraightWay, IsThereOnlyIfEachStepKeepsWhatTheEstimatePromised) {
  const auto loaded = Loaded::of_murphi(
      "var x, y: 0..9;\n"
      "rule \"y\" y < 9 ==> begin y := y + 1; end;\n"
      "rule \"x\" x < 9 & y > 0 ==> begin x := x + 1; end;\n"
      "startstate begin x := 0; y := 0; end;\n"
      "invariant x < 4;\n");
  ASSERT_NE(loaded->program, nullptr);
  const Goals goals = goals_for(*loaded->program, false, false);
  Executor model(*loaded->program, EngineChoice::interpret);
  const WholeTable table(goals, model, {}, nullptr, within(1000));
  const auto later = ThreadClock::now() + std::chrono::seconds(20);
  const StraightWay::Estimate exact = [&](StateView state) { return table.distance(state); };
  const StraightWay::Estimate less = [&](StateView state) { return std::max(1U, table.distance(state)) - 1; };
  const StraightWay::Estimate nothing = [](StateView) { return 0U; };
  EXPECT_TRUE(StraightWay(goals, model, {}, exact).is_there(later));
  EXPECT_FALSE(StraightWay(goals, model, {}, less).is_there(later));
  EXPECT_FALSE(StraightWay(goals, model, {}, nothing).is_there(later));
}

}  // namespace
}  // namespace fathom
