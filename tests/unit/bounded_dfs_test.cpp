// Depth-bounded search against plain breadth-first distances on random graphs: after every bound the explored states
// are exactly those nearer than it, and the frontier is exactly those at it. FATHOM_GRAPHS sets how many graphs.
#include "search/bounded_dfs.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <queue>

#include "search/bounded_dfs_depth.hpp"
#include "search/bounded_dfs_naive.hpp"
#include "search/bounded_dfs_threshold.hpp"
#include "store/fingerprint_store.hpp"
#include "store/indexed_store.hpp"
#include "toy_graph.hpp"
#include "toy_store.hpp"

namespace fathom {
namespace {

constexpr std::uint64_t memory = std::uint64_t{1} << 30;
constexpr std::uint32_t unreached = UINT32_MAX;
constexpr FrontierKind frontier_kinds[] = {FrontierKind::states, FrontierKind::traces, FrontierKind::tree};

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

// A graph with its distances.
struct Case {
  explicit Case(ToyGraph g) : graph(std::move(g)), distance(distances(graph)) {}

  ToyGraph graph;
  std::vector<std::uint32_t> distance;

  [[nodiscard]] std::uint64_t count(std::uint32_t nearest, std::uint32_t farthest) const {
    return std::ranges::count_if(distance,
                                 [&](std::uint32_t d) { return d != unreached && d >= nearest && d <= farthest; });
  }
  [[nodiscard]] bool anything_beyond(std::uint32_t bound) const { return count(bound + 1, unreached - 1) > 0; }

  template <class S>
  [[nodiscard]] std::uint32_t node(const S& store, StateId id) const {
    if constexpr (S::keeps_states) return ToyModel::node_of(store.state(id));
    if constexpr (!S::keeps_states) return nodes_in(store).at(store.fingerprint(id));
  }

 private:
  // The nodes by their fingerprints: made once, so a case is for one kind of such store.
  template <class S>
  [[nodiscard]] const std::map<Hash, std::uint32_t>& nodes_in(const S& store) const {
    if (!nodes_.empty()) return nodes_;
    ToyGraph all = graph;
    all.starts.clear();
    for (std::uint32_t node = 0; node < graph.size(); ++node) all.starts.push_back(node);
    Batch states;
    ToyModel(all).initial(states);
    for (std::uint32_t k = 0; k < states.size(); ++k) nodes_[store.hash({states.words(k), graph.words})] = k;
    return nodes_;
  }

  mutable std::map<Hash, std::uint32_t> nodes_;
};

struct NothingMore {
  void operator()(auto&, const auto&) const {}
};

// Whether a run agrees with the distances after every bound and at its end. `meddle` is called after each comparison.
template <class Revisit, class S, class Meddle = NothingMore>
bool agrees(const Case& c, S store, const DeepeningPlan& deepening, Meddle meddle = {}) {
  ToyModel model(c.graph);
  const SearchOptions options = toy_options();
  BoundedDfs<ToyModel, S, Revisit> search(model, store, options, deepening);
  bool same = true;
  std::uint32_t last_bound = 0;
  const SearchResult result = search.run([&](auto& self) {
    const auto bound = static_cast<std::uint32_t>(self.bound());
    const auto at = [&](StateId id) { return c.distance[c.node(store, id)]; };
    std::uint64_t explored = 0, waiting = 0;
    for (std::uint64_t id = 0; id < store.size(); ++id)
      if (self.revisit().explored(StateId{id})) {
        ++explored;
        same = same && at(StateId{id}) < bound;
      }
    self.for_each_frontier_state([&](StateId id) {
      ++waiting;
      same = same && at(id) == bound;
    });
    same = same && explored == c.count(0, bound - 1) && waiting == c.count(bound, bound);
    same = same && (deepening.step == 0 || bound - last_bound <= deepening.step);
    last_bound = bound;
    meddle(self, store);
  });
  const std::uint32_t limit = static_cast<std::uint32_t>(deepening.bound.value_or(unreached - 2));
  const bool beyond = c.anything_beyond(limit);
  return same && result.statistics.states == c.count(0, limit) &&
         result.ending == (beyond ? Ending::bound : Ending::exhausted) &&
         result.scope.depth == (beyond ? deepening.bound : std::nullopt);
}

std::uint32_t graphs_to_try() {
  const char* const wanted = std::getenv("FATHOM_GRAPHS");
  return wanted != nullptr ? static_cast<std::uint32_t>(std::strtoul(wanted, nullptr, 10)) : 5000;
}

// Mostly sparse, so that they are deep; with cycles, loops, and several edges between two nodes.
Case random_case(std::mt19937& random) {
  const std::uint32_t nodes = 2 + random() % 30;
  return Case(random_graph(random, nodes, 1.0 + double(random() % 100) / 80, 1 + random() % 2));
}

// No bound, or one that often falls onto the deepest state.
DeepeningPlan random_deepening(std::mt19937& random, const Case& c, std::uint64_t step, FrontierKind kind) {
  std::uint32_t deepest = 0;
  for (const std::uint32_t d : c.distance)
    if (d != unreached) deepest = std::max(deepest, d);
  DeepeningPlan deepening{.bound = std::nullopt, .step = step, .frontier = kind};
  if (random() % 3 != 0) deepening.bound = random() % 2 == 0 ? deepest : random() % (deepest + 2);
  return deepening;
}

template <class Revisit>
void compare_on(const Case& c, const DeepeningPlan& deepening) {
  EXPECT_TRUE((agrees<Revisit>(c, ToyStore<true>(c.graph.words), deepening)));
  EXPECT_TRUE((agrees<Revisit>(c, ToyStore<false>(c.graph.words), deepening)));
}

TEST(BoundedDfs, ExploresExactlyTheStatesNearerThanEveryBound) {
  std::mt19937 random(1);
  for (std::uint32_t round = 0; round < graphs_to_try() && !testing::Test::HasFailure(); ++round) {
    const Case c = random_case(random);
    for (std::uint64_t step = 1; step <= 5; ++step)
      for (const FrontierKind kind : frontier_kinds) {
        const DeepeningPlan deepening = random_deepening(random, c, step, kind);
        compare_on<DepthRevisit>(c, deepening);
        compare_on<ThresholdRevisit>(c, deepening);
      }
  }
}

TEST(BoundedDfs, AgreesWithTheStoresOfTheProgramToo) {
  std::mt19937 random(2);
  for (int round = 0; round < 100; ++round) {
    const Case c = random_case(random);
    for (const FrontierKind kind : frontier_kinds) {
      const DeepeningPlan deepening = random_deepening(random, c, 1 + random() % 5, kind);
      EXPECT_TRUE(agrees<ThresholdRevisit>(c, IndexedStore(c.graph.words, memory), deepening));
      EXPECT_TRUE(agrees<ThresholdRevisit>(c, FingerprintStore(memory), deepening));
    }
  }
}

// ---- Mutants: the comparison above must notice each of the mistakes that are easily made here.

// Counts the random graphs on which a wrong search is caught. The bound ends those that would go on for ever.
template <class Revisit, class Meddle = NothingMore>
std::uint32_t times_caught(Meddle meddle = {}) {
  std::mt19937 random(3);
  std::uint32_t caught = 0;
  for (int round = 0; round < 1000; ++round) {
    const Case c = random_case(random);
    DeepeningPlan deepening{.bound = 12, .step = 1 + random() % 5, .frontier = FrontierKind::tree};
    caught += !agrees<Revisit>(c, ToyStore<true>(c.graph.words), deepening, meddle);
  }
  return caught;
}

// Fig. 3 with the claim to be sound.
struct NaiveCalledSound : NaiveRevisit {
  static constexpr bool sound = true;
};

// Frontier states enter the table with their depth.
struct FrontierInTheTable : ThresholdRevisit {
  mutable Depth last = 0;
  [[nodiscard]] bool must_explore(StateId id, Depth at) const {
    last = at;
    return ThresholdRevisit::must_explore(id, at);
  }
  void wait(StateId id, std::uint32_t) { set(id, last); }
  void leave_frontier(StateId) {}
};

// One successor less is asked for its threshold: it is as if the others were cut off.
struct CutSuccessors : ThresholdRevisit {
  void leave(StateId id, Depth from_successors) { set(id, std::max(-1, from_successors - 1)); }
};

TEST(BoundedDfs, TheComparisonCatchesTheNaiveSearch) {
  EXPECT_GT(times_caught<NaiveCalledSound>(), 0U);
}

TEST(BoundedDfs, TheComparisonCatchesThresholdsThatAreClearedBetweenBounds) {
  const auto clear = [](auto& search, const auto& store) {
    for (std::uint64_t id = 0; id < store.size(); ++id) search.revisit().leave_frontier(StateId{id});
  };
  EXPECT_GT(times_caught<ThresholdRevisit>(clear), 0U);
}

TEST(BoundedDfs, TheComparisonCatchesFrontierStatesInTheTable) {
  EXPECT_GT(times_caught<FrontierInTheTable>(), 0U);
}

TEST(BoundedDfs, TheComparisonCatchesThresholdsThatAreTooLow) {
  EXPECT_GT(times_caught<CutSuccessors>(), 0U);
}

TEST(BoundedDfs, TheComparisonAcceptsTheSearchItself) {
  EXPECT_EQ(times_caught<DepthRevisit>(), 0U);
  EXPECT_EQ(times_caught<ThresholdRevisit>(), 0U);
}

// ---- Violations, counts, and what is claimed.

template <class Revisit, class S>
SearchResult run_on(const ToyGraph& graph, S store, const SearchOptions& options, const DeepeningPlan& deepening) {
  ToyModel model(graph);
  return BoundedDfs<ToyModel, S, Revisit>(model, store, options, deepening).run();
}

template <class Check>
void with_every_frontier(const Case& c, const SearchOptions& options, DeepeningPlan deepening, Check check) {
  for (const FrontierKind kind : frontier_kinds) {
    SCOPED_TRACE(static_cast<int>(kind));
    deepening.frontier = kind;
    check(run_on<DepthRevisit>(c.graph, ToyStore<true>(c.graph.words), options, deepening));
    check(run_on<ThresholdRevisit>(c.graph, ToyStore<true>(c.graph.words), options, deepening));
    check(run_on<ThresholdRevisit>(c.graph, ToyStore<false>(c.graph.words), options, deepening));
  }
}

bool is_run(const ToyGraph& graph, const std::vector<StateBuffer>& states) {
  if (states.empty() || std::ranges::count(graph.starts, ToyModel::node_of(states[0])) == 0) return false;
  for (std::size_t k = 0; k + 1 < states.size(); ++k)
    if (std::ranges::count(graph.successors_of[ToyModel::node_of(states[k])], ToyModel::node_of(states[k + 1])) == 0)
      return false;
  return true;
}

TEST(BoundedDfs, FindsAViolationExactlyWhereOneLiesWithinTheBound) {
  std::mt19937 random(4);
  for (int round = 0; round < 500; ++round) {
    Case c = random_case(random);
    c.graph.bad = {std::uint32_t(random() % c.graph.size())};
    const std::uint32_t bound = random() % 10;
    const std::uint32_t at = c.distance[*c.graph.bad.begin()];
    with_every_frontier(c, toy_options(), {.bound = bound, .step = 1 + random() % 4}, [&](const SearchResult& result) {
      ASSERT_EQ(result.first.has_value(), at <= bound);
      if (!result.first) return;
      EXPECT_EQ(result.ending, Ending::error_limit);
      EXPECT_FALSE(result.first->shortest);
      EXPECT_TRUE(is_run(c.graph, result.first->states));
      EXPECT_LE(result.first->states.size(), bound + 1U);
      EXPECT_TRUE(c.graph.bad.contains(ToyModel::node_of(result.first->states.back())));
    });
  }
}

TEST(BoundedDfs, CountsStatesStepsAndErrorsAsABreadthFirstSearchDoes) {
  std::mt19937 random(5);
  for (int round = 0; round < 500; ++round) {
    ToyGraph graph = random_case(random).graph;
    for (int k = 0; k < 4; ++k) graph.bad.insert(random() % graph.size());
    for (std::uint32_t node = 0; node < graph.size(); ++node)
      if (!graph.successors_of[node].empty() && random() % 8 == 0) graph.faulty.insert({node, 0});
    const Case c(graph);
    const std::uint32_t bound = random() % 8;
    std::uint64_t steps = 0, stuck = 0, faults = 0, bad = 0;
    for (std::uint32_t node = 0; node < graph.size(); ++node) {
      if (c.distance[node] <= bound) bad += graph.bad.contains(node);
      if (c.distance[node] >= bound) continue;
      steps += graph.successors_of[node].size();
      stuck += graph.successors_of[node].empty();
      faults += graph.faulty.contains({node, 0});
    }
    SearchOptions options = toy_options();
    options.max_errors = UINT64_MAX;
    options.deadlock = DeadlockMode::stuck;
    options.max_depth = bound;
    with_every_frontier(c, options, {.bound = 100, .step = 1 + random() % 4}, [&](const SearchResult& result) {
      EXPECT_EQ(result.statistics.states, c.count(0, bound));
      EXPECT_EQ(result.statistics.transitions, steps);
      EXPECT_EQ(result.deadlocks, stuck);
      EXPECT_EQ(result.faults[1], faults);
      EXPECT_EQ(result.violations[0], bad);
      EXPECT_EQ(result.statistics.errors, stuck + faults + bad);
    });
  }
}

ToyGraph chain(std::uint32_t length) {
  ToyGraph graph;
  graph.starts = {0};
  for (std::uint32_t node = 0; node < length; ++node) graph.successors_of.push_back({node + 1});
  graph.successors_of.emplace_back();
  return graph;
}

TEST(BoundedDfs, TheNaiveSearchMissesAStateOfFigure4AndDoesNotSayHolds) {
  ToyGraph figure;
  figure.starts = {0};
  figure.successors_of = {{1, 2}, {2}, {3}, {4}, {}};
  const DeepeningPlan deepening{.bound = 3, .step = 3};
  const SearchResult naive = run_on<NaiveRevisit>(figure, ToyStore<true>(1), toy_options(), deepening);
  EXPECT_EQ(naive.statistics.states, 4U);
  EXPECT_EQ(naive.ending, Ending::incomplete);
  EXPECT_FALSE(naive.scope.gap.empty());
  EXPECT_FALSE(naive.scope.depth.has_value());
  const SearchResult sound = run_on<ThresholdRevisit>(figure, ToyStore<true>(1), toy_options(), deepening);
  EXPECT_EQ(sound.statistics.states, 5U);
  EXPECT_EQ(sound.ending, Ending::exhausted);
}

TEST(BoundedDfs, DoesNotVouchForDeadlocksAndFaultsAtTheLastBound) {
  ToyGraph graph = chain(5);
  SearchOptions options = toy_options();
  const DeepeningPlan deepening{.bound = 5, .step = 2};
  EXPECT_EQ(run_on<ThresholdRevisit>(graph, ToyStore<true>(1), options, deepening).ending, Ending::exhausted);
  options.deadlock = DeadlockMode::stuttering;
  EXPECT_EQ(run_on<ThresholdRevisit>(graph, ToyStore<true>(1), options, deepening).ending, Ending::bound);
  options.deadlock = DeadlockMode::off;
  graph.successors_of[5] = {0};
  graph.faulty = {{5, 0}};
  EXPECT_EQ(run_on<ThresholdRevisit>(graph, ToyStore<true>(1), options, deepening).ending, Ending::bound);
}

TEST(BoundedDfs, ThresholdsSaveRevisitsAtLargeSteps) {
  std::mt19937 random(6);
  std::uint64_t by_depth = 0, by_threshold = 0;
  for (int round = 0; round < 300; ++round) {
    const ToyGraph graph = random_graph(random, 200, 1.5);
    by_depth += run_on<DepthRevisit>(graph, ToyStore<true>(1), toy_options(), {}).statistics.revisits;
    by_threshold += run_on<ThresholdRevisit>(graph, ToyStore<true>(1), toy_options(), {}).statistics.revisits;
  }
  EXPECT_LT(by_threshold, by_depth);
}

TEST(BoundedDfs, HandsOutTheStatesWithinEveryCompletedBound) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const Case c = random_case(random);
    ToyModel model(c.graph);
    ToyStore<true> store(c.graph.words);
    const SearchOptions options = toy_options();
    BoundedDfs<ToyModel, ToyStore<true>, ThresholdRevisit> search(model, store, options, {.bound = 6, .step = 2});
    search.run();
    const auto within = [&](std::uint32_t depth) {
      std::set<std::uint32_t> nodes;
      const bool known =
          search.for_each_state_within(depth, [&](StateId id) { nodes.insert(ToyModel::node_of(store.state(id))); });
      return std::pair(known, nodes);
    };
    for (std::uint32_t depth = 0; depth <= search.bound(); depth += 2) {
      std::set<std::uint32_t> expected;
      for (std::uint32_t node = 0; node < c.graph.size(); ++node)
        if (c.distance[node] <= depth) expected.insert(node);
      EXPECT_EQ(within(depth), std::pair(true, expected));
    }
    EXPECT_FALSE(within(1).first);
    EXPECT_EQ(within(50).first, !c.anything_beyond(6));
  }
}

// ---- Budgets.

TEST(BoundedDfs, SaysDownToWhichDepthEverythingWasCheckedWhenItsTimeIsUp) {
  std::mt19937 random(8);
  const Case c(random_graph(random, 100000, 1.5));
  SearchOptions options = toy_options();
  options.tick = [](const Progress& progress) { return progress.states < 20000; };
  with_every_frontier(c, options, {.step = 2}, [&](const SearchResult& result) {
    EXPECT_EQ(result.ending, Ending::time_or_user);
    ASSERT_TRUE(result.scope.depth.has_value());
    EXPECT_GT(*result.scope.depth, 0U);
    EXPECT_LE(c.count(0, static_cast<std::uint32_t>(*result.scope.depth)), result.statistics.states);
    EXPECT_LT(result.statistics.states, c.count(0, unreached - 1));
  });
}

TEST(BoundedDfs, EndsAtTheMemoryLimitInsteadOfGoingOn) {
  std::mt19937 random(9);
  const ToyGraph graph = random_graph(random, 100000, 4, 20);
  SearchOptions options = toy_options();
  options.memory_limit = 1 << 21;
  for (const FrontierKind kind : frontier_kinds) {
    const SearchResult result =
        run_on<ThresholdRevisit>(graph, FingerprintStore(options.memory_limit), options, {.step = 3, .frontier = kind});
    EXPECT_EQ(result.ending, Ending::memory_limit);
    EXPECT_GT(result.statistics.frontier_bytes, 0U);
  }
}

TEST(BoundedDfs, GoesAHundredThousandStepsDeep) {
  Case c(chain(100000));
  c.graph.bad = {100000};
  with_every_frontier(c, toy_options(), {.step = 10000}, [&](const SearchResult& result) {
    ASSERT_TRUE(result.first.has_value());
    EXPECT_EQ(result.first->states.size(), 100001U);
  });
}

// States of 10 kB of which each step changes two words: a counter, and one of the others.
class WideCounter {
 public:
  static constexpr std::uint32_t words = 1280;
  static constexpr std::uint64_t last = 100000;

  [[nodiscard]] std::uint32_t state_words() const { return words; }
  void initial(Batch& out) {
    std::fill_n(out.spare(words), words, 0);
    out.push(make_instance(0, 0), {}, words);
  }
  void successors(StateView state, Batch& out) {
    if (state[0] == last) return;
    std::uint64_t* const next = out.spare(words);
    std::ranges::copy(state, next);
    step(next);
    out.push(make_instance(0, 0), {}, words);
  }
  void enabled(StateView state, Batch& out) {
    if (state[0] != last) out.push(make_instance(0, 0), {}, 0);
  }
  Outcome apply(StateBuffer& top, InstanceId, Undo& undo) {
    const auto other = static_cast<std::uint32_t>(1 + top[0] % (words - 1));
    undo.words = {{0, top[0]}, {other, top[other]}};
    step(top.data());
    return {};
  }
  void undo(StateBuffer& top, const Undo& undo) {
    for (const Undo::Word& word : undo.words) top[word.index] = word.old;
  }
  void check(StateView, StateCheck& findings) { findings.result = StateCheck::Result::fine; }
  ir::SiteId live(StateView, std::uint64_t*) { return ir::SiteId::none; }
  ir::SiteId atoms(StateView, std::uint32_t, AtomValues&) { return ir::SiteId::none; }
  void quiet(bool) {}

 private:
  static void step(std::uint64_t* state) {
    ++state[1 + state[0] % (words - 1)];
    ++state[0];
  }
};

TEST(BoundedDfs, HoldsOnlyTheTopOfADeepStackOfLargeStatesInFull) {
  for (const FrontierKind kind : frontier_kinds) {
    WideCounter model;
    FingerprintStore store(memory);
    const SearchOptions options = toy_options();
    BoundedDfs<WideCounter, FingerprintStore, ThresholdRevisit> search(model, store, options,
                                                                       {.step = 20000, .frontier = kind});
    const SearchResult result = search.run();
    EXPECT_EQ(result.ending, Ending::exhausted);
    EXPECT_EQ(result.statistics.states, WideCounter::last + 1);
    EXPECT_GT(result.statistics.stack_bytes, 0U);
    EXPECT_LT(result.statistics.stack_bytes, 20'000'000U);  // in full it would be a gigabyte
    EXPECT_LT(result.statistics.frontier_bytes, 5'000'000U);
  }
}

}  // namespace
}  // namespace fathom
