// Breadth-bounded searches on random graphs: what the three algorithms promise about the part they keep.
#include "search/highway.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <queue>
#include <set>

#include "store/indexed_store.hpp"
#include "store/inline_store.hpp"
#include "toy_graph.hpp"

namespace fathom {
namespace {

constexpr std::uint64_t memory = std::uint64_t{1} << 24;

std::uint64_t graphs_to_try() {
  const char* const wanted = std::getenv("FATHOM_GRAPHS");
  return wanted == nullptr ? 4000 : std::strtoull(wanted, nullptr, 10);
}

SearchOptions all_deadlocks(std::uint64_t seed) {
  SearchOptions options;
  options.shape = {1, 1, 2};
  options.selected = {true};
  options.deadlock = DeadlockMode::stuck;
  options.max_errors = UINT64_MAX;
  options.seed = seed;
  return options;
}

// What a search kept, node by node and level by level.
struct Kept {
  SearchResult result;
  std::vector<std::vector<std::uint32_t>> levels;
  std::set<std::uint32_t> nodes;
};

template <class Store>
Kept keep(const ToyGraph& graph, Store store, const SearchOptions& options, const HighwayBounds& bounds) {
  ToyModel model(graph);
  Highway search(model, store, options, bounds);
  Kept kept{search.run(), {}, {}};
  for (std::uint64_t id = 0, level = 0; id < store.size(); ++id) {
    while (level < search.levels().size() && search.levels()[level] <= id) {
      kept.levels.emplace_back();
      ++level;
    }
    kept.levels.back().push_back(ToyModel::node_of(store.state(StateId{id})));
    kept.nodes.insert(kept.levels.back().back());
  }
  return kept;
}

std::set<std::uint32_t> reachable(const ToyGraph& graph) {
  std::set<std::uint32_t> known(graph.starts.begin(), graph.starts.end());
  std::queue<std::uint32_t> open;
  for (const std::uint32_t start : known) open.push(start);
  for (; !open.empty(); open.pop())
    for (const std::uint32_t next : graph.successors_of[open.front()])
      if (known.insert(next).second) open.push(next);
  return known;
}

bool leads_into(const ToyGraph& graph, std::uint32_t node, const std::set<std::uint32_t>& nodes) {
  return std::ranges::any_of(graph.successors_of[node], [&](std::uint32_t next) { return nodes.contains(next); });
}

void expect_levels(const ToyGraph& graph, const Kept& kept, std::uint64_t breadth) {
  std::size_t states = 0;
  for (std::size_t level = 0; level < kept.levels.size(); ++level) {
    const auto& here = kept.levels[level];
    states += here.size();
    EXPECT_LE(here.size(), breadth);
    EXPECT_FALSE(here.empty());
    if (level == 0) continue;
    const auto& before = kept.levels[level - 1];
    for (const std::uint32_t node : here)
      EXPECT_TRUE(std::ranges::any_of(
          before, [&](std::uint32_t from) { return std::ranges::count(graph.successors_of[from], node) > 0; }));
  }
  EXPECT_EQ(states, kept.nodes.size());  // each state once
}

std::uint64_t sinks_among(const ToyGraph& graph, const std::set<std::uint32_t>& nodes) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(nodes, [&](std::uint32_t node) { return graph.successors_of[node].empty(); }));
}

// A state that can go on in the model can go on in the part.
void expect_total(const ToyGraph& graph, const Kept& kept) {
  for (const std::uint32_t node : kept.nodes)
    if (!graph.successors_of[node].empty()) {
      EXPECT_TRUE(leads_into(graph, node, kept.nodes));
    }
}

void expect_widths_shrink(const Kept& kept, std::uint64_t from) {
  for (std::size_t level = from + 1; level < kept.levels.size(); ++level)
    EXPECT_LE(kept.levels[level].size(), kept.levels[level - 1].size());
}

HighwayBounds random_bounds(std::mt19937& random) {
  HighwayBounds bounds{.breadth = 1 + random() % 6, .total = random() % 3 != 0, .progress = false, .degrade = {}};
  if (bounds.total) bounds.progress = random() % 2 == 0;
  if (bounds.total && random() % 2 == 0) bounds.degrade = 1 + random() % 6;
  return bounds;
}

TEST(Highway, KeepsWhatItsAlgorithmsPromiseOnRandomGraphs) {
  std::mt19937 random(11);
  std::uint64_t narrowed = 0, exhausted = 0;
  for (std::uint64_t round = 0; round < graphs_to_try(); ++round) {
    const ToyGraph graph = random_graph(random, 2 + random() % 60, 0.8 + 0.1 * (random() % 25), 1 + round % 2);
    const HighwayBounds bounds = random_bounds(random);
    const SearchOptions options = all_deadlocks(round);
    const Kept kept = keep(graph, IndexedStore(graph.words, memory), options, bounds);
    SCOPED_TRACE(round);
    expect_levels(graph, kept, bounds.breadth);
    EXPECT_EQ(kept.result.deadlocks, sinks_among(graph, kept.nodes));  // none but real ones
    if (bounds.total) expect_total(graph, kept);
    if (bounds.degrade) expect_widths_shrink(kept, *bounds.degrade);
    const bool whole = kept.nodes == reachable(graph);
    EXPECT_EQ(kept.result.ending, whole ? Ending::exhausted : Ending::incomplete);
    narrowed += !whole;
    exhausted += whole && kept.result.statistics.breadth->narrowed > 0;
  }
  EXPECT_GT(narrowed, graphs_to_try() / 10);
  EXPECT_GT(exhausted, 0U);  // also where states were passed over and met again
}

TEST(Highway, IsTheSameForOneSeedAndAnotherForAnotherWhateverTheStore) {
  std::mt19937 random(5);
  const ToyGraph graph = random_graph(random, 400, 3);
  const HighwayBounds bounds{.breadth = 5, .total = true, .progress = false, .degrade = {}};
  const Kept once = keep(graph, IndexedStore(1, memory), all_deadlocks(3), bounds);
  const Kept again = keep(graph, IndexedStore(1, memory), all_deadlocks(3), bounds);
  const Kept other = keep(graph, IndexedStore(1, memory), all_deadlocks(4), bounds);
  EXPECT_EQ(once.levels, again.levels);
  EXPECT_NE(once.levels, other.levels);
  const Kept inlined = keep(graph, InlineStore(memory), all_deadlocks(3), bounds);
  for (const auto& level : inlined.levels) EXPECT_LE(level.size(), 5U);
}

TEST(Highway, WithEnoughBreadthIsABreadthFirstSearch) {
  std::mt19937 random(9);
  for (int round = 0; round < 50; ++round) {
    const ToyGraph graph = random_graph(random, 100, 2);
    const Kept kept = keep(graph, IndexedStore(1, memory), all_deadlocks(1), {.breadth = 200});
    EXPECT_EQ(kept.result.ending, Ending::exhausted);
    EXPECT_EQ(kept.nodes, reachable(graph));
    EXPECT_EQ(kept.result.statistics.breadth->narrowed, 0U);
  }
}

TEST(Highway, SamplesStartStatesAndSaysSo) {
  ToyGraph graph;
  graph.successors_of.resize(50);
  for (std::uint32_t k = 0; k < 50; ++k) {
    graph.starts.push_back(k);
    graph.successors_of[k] = {k};
  }
  const Kept kept = keep(graph, IndexedStore(1, memory), all_deadlocks(1), {.breadth = 7, .total = true});
  EXPECT_EQ(kept.nodes.size(), 7U);
  EXPECT_EQ(kept.result.ending, Ending::incomplete);
}

TEST(Highway, ForgetsLargeLevelsWithoutChangingTheChoice) {
  ToyGraph graph;  // one state with very many successors, so that the level is cut down while it is collected
  graph.starts = {0};
  graph.successors_of.resize(20'001);
  for (std::uint32_t k = 1; k <= 20'000; ++k) graph.successors_of[0].push_back(k);
  std::vector<std::uint64_t> halves(2);
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Kept kept = keep(graph, IndexedStore(1, memory), all_deadlocks(seed), {.breadth = 50});
    ASSERT_EQ(kept.levels.size(), 2U);
    ASSERT_EQ(kept.levels[1].size(), 50U);
    for (const std::uint32_t node : kept.levels[1]) ++halves[node > 10'000];
  }
  EXPECT_NEAR(static_cast<double>(halves[0]), 1000.0, 120.0);
}

TEST(Highway, ShowsViolationsByRunsOfTheGraph) {
  std::mt19937 random(21);
  std::uint64_t found = 0;
  for (int round = 0; round < 300; ++round) {
    ToyGraph graph = random_graph(random, 80, 2.2);
    for (int k = 0; k < 4; ++k) graph.bad.insert(random() % graph.size());
    graph.faulty.insert({static_cast<std::uint32_t>(random() % graph.size()), 0});
    SearchOptions options = all_deadlocks(static_cast<std::uint64_t>(round));
    options.max_errors = 1 + static_cast<std::uint64_t>(round) % 2;
    options.deadlock = DeadlockMode::off;
    const Kept kept = keep(graph, IndexedStore(1, memory), options, {.breadth = 3, .total = true});
    if (!kept.result.first) continue;
    ++found;
    const auto& states = kept.result.first->states;
    EXPECT_TRUE(std::ranges::count(graph.starts, ToyModel::node_of(states.front())) > 0);
    for (std::size_t k = 0; k + 1 < states.size(); ++k)
      EXPECT_TRUE(
          std::ranges::count(graph.successors_of[ToyModel::node_of(states[k])], ToyModel::node_of(states[k + 1])) > 0);
    EXPECT_TRUE(kept.result.first->failing_step || graph.bad.contains(ToyModel::node_of(states.back())));
  }
  EXPECT_GT(found, 50U);
}

TEST(Highway, IsCutByADepthBound) {
  std::mt19937 random(2);
  const ToyGraph graph = random_graph(random, 500, 3);
  SearchOptions options = all_deadlocks(1);
  options.max_depth = 2;
  const Kept wide = keep(graph, IndexedStore(1, memory), options, {.breadth = 1000});
  EXPECT_EQ(wide.result.ending, Ending::bound);
  EXPECT_EQ(wide.result.scope.depth, 2U);
  const Kept narrow = keep(graph, IndexedStore(1, memory), options, {.breadth = 2, .total = true});
  EXPECT_EQ(narrow.result.ending, Ending::incomplete);
  EXPECT_LE(narrow.levels.size(), 3U);
}

}  // namespace
}  // namespace fathom
