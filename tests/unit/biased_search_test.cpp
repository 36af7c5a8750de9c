// The biased searches against breadth-first search on random graphs, and the figures of the paper as printed, which
// must fail here.
#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <utility>

#include "search/bfs.hpp"
#include "search/biased_bfs.hpp"
#include "search/biased_dfs.hpp"
#include "store/fingerprint_store.hpp"
#include "store/indexed_store.hpp"
#include "toy_graph.hpp"
#include "toy_store.hpp"

namespace fathom {
namespace {

constexpr std::uint32_t unreached = UINT32_MAX;

int graphs() {
  const char* const wanted = std::getenv("FATHOM_GRAPHS");
  return wanted != nullptr ? std::atoi(wanted) : 5000;
}

// ---- What a search must find, by plain algorithms on the graph.

struct Expected {
  std::vector<std::uint32_t> distance;
  std::uint64_t states = 0, transitions = 0, stuck = 0, stuttering = 0, bad = 0, faults = 0;
};

Expected expect(const ToyGraph& graph, std::uint32_t bound = unreached) {
  Expected expected;
  expected.distance.assign(graph.size(), unreached);
  std::deque<std::uint32_t> open;
  const auto reach = [&](std::uint32_t node, std::uint32_t steps) {
    if (expected.distance[node] != unreached || steps > bound) return;
    expected.distance[node] = steps;
    ++expected.states;
    expected.bad += graph.bad.contains(node);
    open.push_back(node);
  };
  for (const std::uint32_t start : graph.starts) reach(start, 0);
  for (; !open.empty(); open.pop_front()) {
    const std::uint32_t node = open.front();
    if (expected.distance[node] == bound) continue;
    const auto& successors = graph.successors_of[node];
    bool moves = false;
    for (std::uint32_t k = 0; k < successors.size(); ++k) {
      const bool fails = graph.faulty.contains({node, k});
      expected.faults += fails;
      moves = moves || fails || successors[k] != node;
      if (!fails) reach(successors[k], expected.distance[node] + 1);
    }
    expected.transitions += successors.size();
    expected.stuck += successors.empty();
    expected.stuttering += !moves;
  }
  return expected;
}

// The fewest switches with which each node can be reached: shortest paths over pairs of a node and an agent, where
// going on as another agent costs one.
std::vector<std::uint32_t> fewest_switches(const ToyGraph& graph, const ToyGuidance& guidance) {
  const Agent agents = guidance.agents();
  std::vector<std::uint32_t> cost(graph.size() * agents, unreached);
  std::deque<std::uint32_t> open;
  const auto reach = [&](std::uint32_t node, Agent agent, std::uint32_t switches, bool free) {
    std::uint32_t& known = cost[node * agents + agent];
    if (switches >= known) return;
    known = switches;
    free ? open.push_front(node * agents + agent) : open.push_back(node * agents + agent);
  };
  for (const std::uint32_t start : graph.starts)
    for (Agent agent = 0; agent < agents; ++agent) reach(start, agent, 0, true);
  while (!open.empty()) {
    const std::uint32_t node = open.front() / agents;
    const Agent agent = open.front() % agents;
    const std::uint32_t here = cost[open.front()];
    open.pop_front();
    for (std::uint32_t k = 0; k < graph.successors_of[node].size(); ++k)
      if (guidance.owners_of[k].include(agent) && !graph.faulty.contains({node, k}))
        reach(graph.successors_of[node][k], agent, here, true);
    for (Agent other = 0; other < agents; ++other) reach(node, other, here + 1, false);
  }
  std::vector<std::uint32_t> fewest(graph.size(), unreached);
  for (std::size_t pair = 0; pair < cost.size(); ++pair)
    fewest[pair / agents] = std::min(fewest[pair / agents], cost[pair]);
  return fewest;
}

bool is_run(const ToyGraph& graph, const std::vector<StateBuffer>& states) {
  if (states.empty()) return false;
  const auto node = [&](std::size_t k) { return ToyModel::node_of(states[k]); };
  if (std::ranges::count(graph.starts, node(0)) == 0) return false;
  for (std::size_t k = 0; k + 1 < states.size(); ++k)
    if (std::ranges::count(graph.successors_of[node(k)], node(k + 1)) == 0) return false;
  return true;
}

bool shows_violation(const ToyGraph& graph, const Counterexample& found) {
  if (!is_run(graph, found.states)) return false;
  const std::uint32_t last = ToyModel::node_of(found.states.back());
  if (found.violation.kind == Violation::Kind::invariant) return graph.bad.contains(last);
  return found.failing_step && graph.faulty.contains({last, parameters_of(*found.failing_step)});
}

// ---- Running the searches.

template <class Policy = BiasedBfsPolicy, class Store>
SearchResult biased_bfs(const ToyGraph& graph, const ToyGuidance& guidance, const SearchOptions& options,
                        BiasedBfsSettings settings, Store store) {
  ToyModel model(graph);
  return BiasedBreadthFirst<ToyModel, Store, Policy>(model, store, options, guidance, settings).run();
}

template <class Policy = BiasedDfsPolicy, class Store>
SearchResult biased_dfs(const ToyGraph& graph, const ToyGuidance& guidance, const SearchOptions& options,
                        BiasedDfsSettings settings, Store store) {
  ToyModel model(graph);
  return BiasedDepthFirst<ToyModel, Store, Policy>(model, store, options, guidance, settings).run();
}

BiasedDfsSettings context_bound(std::uint64_t switches) {
  return {BiasedDfsSettings::never, false, false, switches};
}

class OnRandomGraphs : public testing::Test {
 protected:
  void draw(double degree = 1.4) {
    graph_ = random_graph(random_, 2 + random_() % 40, degree, 1 + random_() % 2);
    guidance_ = random_guidance(random_, graph_);
    options_ = toy_options();
    options_.order = static_cast<Order>(random_() % 3);
    options_.seed = random_();
  }

  void add_errors() {
    for (int k = 0; k < 2; ++k) graph_.bad.insert(random_() % graph_.size());
    for (std::uint32_t node = 0; node < graph_.size(); ++node)
      if (!graph_.successors_of[node].empty() && random_() % 10 == 0)
        graph_.faulty.insert({node, random_() % graph_.successors_of[node].size()});
  }

  [[nodiscard]] BiasedBfsSettings bfs_settings() {
    constexpr std::uint64_t limits[] = {0, 1, 5};
    return {limits[random_() % 3], random_() % 2 == 0};
  }
  [[nodiscard]] BiasedDfsSettings dfs_settings() {
    return {1 + random_() % 3, random_() % 2 == 0, random_() % 2 == 0, std::nullopt};
  }

  // Runs one check under every search that is complete, with a store that keeps states and with one that does not.
  template <class Check>
  void with_every_search(Check check) {
    const BiasedBfsSettings bfs = bfs_settings();
    const BiasedDfsSettings dfs = dfs_settings();
    const std::uint32_t words = graph_.words;
    check("biased-bfs", biased_bfs(graph_, guidance_, options_, bfs, ToyStore<true>(words)));
    check("biased-bfs, fingerprints", biased_bfs(graph_, guidance_, options_, bfs, ToyStore<false>(words)));
    check("biased-dfs", biased_dfs(graph_, guidance_, options_, dfs, ToyStore<true>(words)));
    check("biased-dfs, fingerprints", biased_dfs(graph_, guidance_, options_, dfs, ToyStore<false>(words)));
    check("context-bounded", biased_dfs(graph_, guidance_, options_, context_bound(1000), ToyStore<true>(words)));
  }

  std::mt19937 random_{20110327};
  ToyGraph graph_;
  ToyGuidance guidance_;
  SearchOptions options_;
};

TEST_F(OnRandomGraphs, BiasedSearchesVisitExactlyTheReachableStates) {
  for (int round = 0; round < graphs() && !HasFailure(); ++round) {
    draw();
    const Expected expected = expect(graph_);
    with_every_search([&](const char* name, const SearchResult& result) {
      SCOPED_TRACE(name);
      EXPECT_EQ(result.ending, Ending::exhausted);
      EXPECT_EQ(result.statistics.states, expected.states);
      EXPECT_EQ(result.statistics.transitions, expected.transitions);
      EXPECT_FALSE(result.first.has_value());
    });
  }
}

TEST_F(OnRandomGraphs, BiasedSearchesFindAViolationExactlyWhenThereIsOne) {
  for (int round = 0; round < graphs() && !HasFailure(); ++round) {
    draw(1.6);
    add_errors();
    const Expected expected = expect(graph_);
    with_every_search([&](const char* name, const SearchResult& result) {
      SCOPED_TRACE(name);
      ASSERT_EQ(result.first.has_value(), expected.bad + expected.faults > 0);
      if (!result.first) return;
      EXPECT_EQ(result.ending, Ending::error_limit);
      EXPECT_FALSE(result.first->shortest);
      EXPECT_TRUE(shows_violation(graph_, *result.first));
    });
  }
}

TEST_F(OnRandomGraphs, BiasedSearchesCountEveryViolationOnce) {
  for (int round = 0; round < graphs() && !HasFailure(); ++round) {
    draw(round % 2 == 0 ? 1.4 : 0.9);
    add_errors();
    options_.max_errors = UINT64_MAX;
    options_.deadlock = round % 3 == 0 ? DeadlockMode::stuck : DeadlockMode::stuttering;
    const Expected expected = expect(graph_);
    const std::uint64_t deadlocks = round % 3 == 0 ? expected.stuck : expected.stuttering;
    with_every_search([&](const char* name, const SearchResult& result) {
      SCOPED_TRACE(name);
      EXPECT_EQ(result.violations[0], expected.bad);
      EXPECT_EQ(result.faults[1], expected.faults);
      EXPECT_EQ(result.deadlocks, deadlocks);
      EXPECT_EQ(result.statistics.states, expected.states);
      EXPECT_EQ(result.statistics.transitions, expected.transitions);
    });
  }
}

TEST_F(OnRandomGraphs, ADepthBoundOnBiasedBfsCoversExactlyTheStatesWithinIt) {
  for (int round = 0; round < graphs() && !HasFailure(); ++round) {
    draw();
    const std::uint32_t bound = random_() % 8;
    options_.max_depth = bound;
    const Expected expected = expect(graph_, bound);
    const bool at_bound = std::ranges::count(expected.distance, bound) > 0;
    const SearchResult result = biased_bfs(graph_, guidance_, options_, bfs_settings(), ToyStore<true>(graph_.words));
    EXPECT_EQ(result.ending, at_bound ? Ending::bound : Ending::exhausted);
    EXPECT_EQ(result.statistics.states, expected.states);
    EXPECT_EQ(result.statistics.transitions, expected.transitions);
  }
}

TEST_F(OnRandomGraphs, ADepthBoundOnBiasedDfsCoversExactlyTheStatesWithinIt) {
  for (int round = 0; round < graphs() && !HasFailure(); ++round) {
    draw(round % 2 == 0 ? 1.4 : 2.5);
    if (round % 3 == 0) add_errors();
    options_.max_errors = UINT64_MAX;
    options_.deadlock = DeadlockMode::stuck;
    const std::uint32_t bound = random_() % 8;
    options_.max_depth = bound;
    const Expected expected = expect(graph_, bound);
    const bool at_bound = std::ranges::count(expected.distance, bound) > 0;
    const BiasedDfsSettings settings = dfs_settings();
    const SearchResult kept = biased_dfs(graph_, guidance_, options_, settings, ToyStore<true>(graph_.words));
    const SearchResult hashed = biased_dfs(graph_, guidance_, options_, settings, ToyStore<false>(graph_.words));
    for (const SearchResult* result : {&kept, &hashed}) {
      EXPECT_EQ(result->ending, at_bound ? Ending::bound : Ending::exhausted);
      EXPECT_EQ(result->scope.depth.has_value(), at_bound);
      EXPECT_EQ(result->statistics.states, expected.states);
      EXPECT_EQ(result->statistics.transitions, expected.transitions);
      EXPECT_EQ(result->violations[0], expected.bad);
      EXPECT_EQ(result->faults[1], expected.faults);
      EXPECT_EQ(result->deadlocks, expected.stuck);
      EXPECT_TRUE(!result->first || result->first->states.size() <= bound + 1);
    }
  }
}

// Whether runs of at most so many steps with at most so many switches reach each node: the fewest steps to every
// triple of a node, the agent that runs and the switches so far, until nothing gets shorter.
std::vector<bool> reached_within(const ToyGraph& graph, const ToyGuidance& guidance, std::uint32_t switches,
                                 std::uint32_t steps) {
  const Agent agents = guidance.agents();
  const auto triple = [&](std::uint32_t node, Agent agent, std::uint32_t used) {
    return (node * agents + agent) * (switches + 1) + used;
  };
  std::vector<std::uint32_t> fewest(graph.size() * agents * (switches + 1), unreached);
  bool changed = true;
  const auto reach = [&](std::uint32_t node, Agent agent, std::uint32_t used, std::uint32_t length) {
    if (length > steps || length >= fewest[triple(node, agent, used)]) return;
    fewest[triple(node, agent, used)] = length;
    changed = true;
  };
  for (const std::uint32_t start : graph.starts)
    for (Agent agent = 0; agent < agents; ++agent) reach(start, agent, 0, 0);
  const auto go_on_from = [&](std::uint32_t node, Agent agent, std::uint32_t used) {
    const std::uint32_t length = fewest[triple(node, agent, used)];
    if (length == unreached) return;
    for (std::uint32_t k = 0; k < graph.successors_of[node].size(); ++k)
      if (guidance.owners_of[k].include(agent) && !graph.faulty.contains({node, k}))
        reach(graph.successors_of[node][k], agent, used, length + 1);
    for (Agent other = 0; other < agents && used < switches; ++other) reach(node, other, used + 1, length);
  };
  while (std::exchange(changed, false))
    for (std::uint32_t node = 0; node < graph.size(); ++node)
      for (Agent agent = 0; agent < agents; ++agent)
        for (std::uint32_t used = 0; used <= switches; ++used) go_on_from(node, agent, used);
  std::vector<bool> reached(graph.size(), false);
  for (std::size_t k = 0; k < fewest.size(); ++k)
    if (fewest[k] != unreached) reached[k / (agents * (switches + 1))] = true;
  return reached;
}

TEST_F(OnRandomGraphs, ContextBoundedSearchUnderADepthBoundVisitsExactlyWhatSuchRunsReach) {
  for (int round = 0; round < graphs() / 5 && !HasFailure(); ++round) {
    draw(round % 2 == 0 ? 1.4 : 2.5);
    const std::uint32_t switches = random_() % 4;
    const std::uint32_t bound = random_() % 10;
    options_.max_depth = bound;
    const auto within = std::ranges::count(reached_within(graph_, guidance_, switches, bound), true);
    const bool is_all = static_cast<std::uint64_t>(within) == expect(graph_).states;
    const SearchResult kept =
        biased_dfs(graph_, guidance_, options_, context_bound(switches), ToyStore<true>(graph_.words));
    const SearchResult hashed =
        biased_dfs(graph_, guidance_, options_, context_bound(switches), ToyStore<false>(graph_.words));
    for (const SearchResult* result : {&kept, &hashed}) {
      EXPECT_EQ(result->statistics.states, static_cast<std::uint64_t>(within));
      EXPECT_TRUE(is_all || result->ending == Ending::bound);
      if (result->ending == Ending::bound) {
        EXPECT_EQ(result->scope.depth, bound);
        EXPECT_EQ(result->scope.switches, switches);
      }
    }
  }
}

TEST_F(OnRandomGraphs, ContextBoundedSearchVisitsExactlyWhatSoManySwitchesReach) {
  for (int round = 0; round < graphs() && !HasFailure(); ++round) {
    draw();
    const std::uint32_t bound = random_() % 4;
    const std::vector<std::uint32_t> fewest = fewest_switches(graph_, guidance_);
    const auto within = std::ranges::count_if(fewest, [&](std::uint32_t switches) { return switches <= bound; });
    const auto reachable = std::ranges::count_if(fewest, [&](std::uint32_t switches) { return switches != unreached; });
    const SearchResult kept =
        biased_dfs(graph_, guidance_, options_, context_bound(bound), ToyStore<true>(graph_.words));
    const SearchResult hashed =
        biased_dfs(graph_, guidance_, options_, context_bound(bound), ToyStore<false>(graph_.words));
    for (const SearchResult* result : {&kept, &hashed}) {
      EXPECT_EQ(result->statistics.states, static_cast<std::uint64_t>(within));
      EXPECT_EQ(result->ending, within == reachable ? Ending::exhausted : Ending::bound);
      EXPECT_EQ(result->scope.switches.has_value(), within != reachable);
    }
  }
}

TEST_F(OnRandomGraphs, ContextBoundedSearchFindsAViolationExactlyWithinTheBound) {
  for (int round = 0; round < graphs() && !HasFailure(); ++round) {
    draw(1.6);
    graph_.bad.insert(random_() % graph_.size());
    const std::uint32_t bound = random_() % 4;
    const bool within = fewest_switches(graph_, guidance_)[*graph_.bad.begin()] <= bound;
    const SearchResult result =
        biased_dfs(graph_, guidance_, options_, context_bound(bound), ToyStore<true>(graph_.words));
    ASSERT_EQ(result.first.has_value(), within);
    EXPECT_TRUE(!within || shows_violation(graph_, *result.first));
  }
}

// ---- The figures of the paper as printed.

template <bool a, bool b, bool c>
struct PartlyFixed {
  static constexpr bool remembers_expanded = a;
  static constexpr bool new_seeds_each_level = b;
  static constexpr bool new_reduced_frontier = c;
  static constexpr bool skips_spent_seeds = false;
};

class TheFigures : public OnRandomGraphs {
 protected:
  // How many of some graphs a version of biased-bfs does not finish on.
  template <class Policy>
  int endless_runs() {
    int endless = 0;
    for (int round = 0; round < 100; ++round) {
      draw();
      int ticks = 0;
      options_.tick = [&](const Progress&) { return ++ticks < 20; };
      const SearchResult result =
          biased_bfs<Policy>(graph_, guidance_, options_, {0, true}, ToyStore<true>(graph_.words));
      endless += result.ending == Ending::time_or_user;
    }
    return endless;
  }
};

TEST_F(TheFigures, BiasedBfsNeedsAllThreeCorrectionsToEnd) {
  EXPECT_EQ((endless_runs<PartlyFixed<true, true, true>>()), 0);
  EXPECT_GT((endless_runs<PartlyFixed<false, true, true>>()), 0);
  EXPECT_GT((endless_runs<PartlyFixed<true, false, true>>()), 0);
  EXPECT_GT((endless_runs<PartlyFixed<true, true, false>>()), 0);
  EXPECT_GT((endless_runs<PartlyFixed<false, false, false>>()), 0);
}

struct ForgetsAtTheLast {
  static constexpr bool puts_off_where_the_last_is_stuck = false;
};

TEST_F(TheFigures, BiasedDfsMissesStatesWhereTheLastAgentIsStuck) {
  int incomplete = 0;
  for (int round = 0; round < 500; ++round) {
    draw();
    const BiasedDfsSettings settings{2, false, true, std::nullopt};
    const Expected expected = expect(graph_);
    const SearchResult printed =
        biased_dfs<ForgetsAtTheLast>(graph_, guidance_, options_, settings, ToyStore<true>(graph_.words));
    const SearchResult corrected = biased_dfs(graph_, guidance_, options_, settings, ToyStore<true>(graph_.words));
    incomplete += printed.statistics.states < expected.states;
    EXPECT_EQ(corrected.statistics.states, expected.states);
  }
  EXPECT_GT(incomplete, 0);
}

// The smallest case: agent 0, the last one, has come to a stop where agent 1 could go on.
TEST(BiasedDfs, GoesOnWithTheOthersWhereTheLastAgentIsStuck) {
  ToyGraph graph;
  graph.starts = {0};
  graph.successors_of = {{0, 1}, {2}, {}};
  ToyGuidance guidance;
  guidance.agent_count = 2;
  guidance.owners_of = {{1, 1}, {0, 0}};
  EXPECT_EQ(biased_dfs(graph, guidance, toy_options(), {}, ToyStore<true>(1)).statistics.states, 3U);
  const auto printed = biased_dfs<ForgetsAtTheLast>(graph, guidance, toy_options(), {}, ToyStore<true>(1));
  EXPECT_EQ(printed.statistics.states, 2U);
}

TEST(BiasedBfs, FollowsMarkedStepsAheadOfTheOthers) {
  // A chain of marked steps to the bad node beside a wide tree of others.
  ToyGraph graph;
  graph.starts = {0};
  graph.successors_of.resize(2000);
  for (std::uint32_t k = 0; k < 9; ++k) graph.successors_of[k] = {k + 1};
  for (std::uint32_t k = 0; k < 600; ++k)
    for (std::uint32_t child = 0; child < 3; ++child)
      graph.successors_of[k == 0 ? 0 : 10 + k].push_back(11 + 3 * k + child);
  graph.bad = {9};
  ToyGuidance guidance;
  guidance.owners_of.assign(8, {0, 0});
  for (std::uint32_t k = 0; k < 9; ++k) guidance.marks.insert({k, 0});
  const SearchResult biased = biased_bfs(graph, guidance, toy_options(), {}, IndexedStore(1, std::uint64_t{1} << 20));
  ToyModel model(graph);
  IndexedStore store(1, std::uint64_t{1} << 20);
  const SearchResult plain = BreadthFirst(model, store, toy_options()).run();
  ASSERT_TRUE(biased.first && plain.first);
  EXPECT_EQ(biased.first->states.size(), plain.first->states.size());
  EXPECT_LT(10 * biased.statistics.states, plain.statistics.states);
}

// Marked steps lead to the bad node by a way of three steps, before the only other state of the level, from which it is
// two, has its turn.
TEST(BiasedBfs, LooksThroughTheRestOfTheLevelForAShorterTrace) {
  ToyGraph graph;
  graph.starts = {0};
  graph.successors_of = {{1, 4}, {2}, {3}, {}, {3}};
  graph.bad = {3};
  ToyGuidance guidance;
  guidance.owners_of.assign(2, {0, 0});
  guidance.marks = {{1, 0}, {2, 0}};
  const SearchResult result = biased_bfs(graph, guidance, toy_options(), {}, IndexedStore(1, std::uint64_t{1} << 20));
  ASSERT_TRUE(result.first);
  EXPECT_EQ(result.first->states.size(), 3U);
}

}  // namespace
}  // namespace fathom
