// Tables of quotients against sets, and a breadth-first search that changes to one at random moments against one that
// does not.
#include <gtest/gtest.h>

#include <deque>
#include <set>

#include "search/bfs.hpp"
#include "search/packing.hpp"
#include "search/parallel_bfs.hpp"
#include "store/inline_store.hpp"
#include "toy_graph.hpp"

namespace fathom {
namespace {

constexpr std::uint64_t memory = std::uint64_t{1} << 28;

// ---- The store.

StateBuffer random_state(std::mt19937_64& random, std::uint32_t bits) {
  StateBuffer state{random()};
  if (bits < 64) state[0] &= (std::uint64_t{1} << bits) - 1;
  if (bits > 64) state.push_back(random() & ((std::uint64_t{1} << (bits - 64)) - 1));
  if (random() % 2 == 0) state[0] &= 0x3fff;  // nearly equal ones, and duplicates
  return state;
}

class Quotients : public testing::TestWithParam<std::uint32_t> {};

TEST_P(Quotients, AgreeWithASetWhileTheTableGrows) {
  for (const std::uint64_t limit : {memory, memory / 64}) {  // lines stay emptier where there is plenty
    std::mt19937_64 random(GetParam());
    QuotientStore store(GetParam(), limit, true);
    std::set<StateBuffer> reference;
    for (int k = 0; k < 60'000; ++k) {
      const StateBuffer state = random_state(random, GetParam());
      ASSERT_TRUE(store.reserve(1));
      ASSERT_EQ(store.insert(state, store.hash(state)).fresh, reference.insert(state).second);
    }
    EXPECT_EQ(store.size(), reference.size());
    for (const StateBuffer& state : reference) ASSERT_FALSE(store.insert(state, store.hash(state)).fresh);
  }
}

// All threads insert the same states, in the same order, so that they meet; they grow the table together.
TEST_P(Quotients, OneOfSeveralThreadsFindsEachState) {
  Team team(4);
  QuotientStore store(GetParam(), memory / 64, false);
  std::set<StateBuffer> reference;
  std::mt19937_64 random(GetParam());
  for (int round = 0; round < 8; ++round) {
    std::vector<StateBuffer> states(6'000);
    for (StateBuffer& state : states) state = random_state(random, GetParam());
    ASSERT_TRUE(store.reserve(states.size(), &team));
    std::atomic<std::uint64_t> fresh = 0;
    team.run([&](unsigned) {
      for (const StateBuffer& state : states)
        if (store.insert(state, store.hash(state), [] { return std::uint64_t{0}; }).fresh) ++fresh;
    });
    const std::uint64_t before = reference.size();
    reference.insert(states.begin(), states.end());
    ASSERT_EQ(fresh, reference.size() - before);
    store.set_size(reference.size());
  }
}

INSTANTIATE_TEST_SUITE_P(Bits, Quotients, testing::Values(1U, 17U, 40U, 41U, 52U, 63U, 64U, 65U, 75U, 85U));

TEST(QuotientStore, SaysWhenItsMemoryIsFull) {
  QuotientStore store(60, 1 << 20, true);
  std::uint64_t count = 0;
  for (; store.reserve(1); ++count) {
    const StateBuffer state{count * 0x9e3779b97f4a7c15 >> 4};
    ASSERT_TRUE(store.insert(state, store.hash(state)).fresh);
  }
  EXPECT_LE(store.bytes(), 1 << 20);
  EXPECT_GT(count, (1 << 20) / 14);  // of 7 or 8 bytes each
}

// ---- The search.

// Long, with shortcuts back: every level is small, so that there are many milestones.
ToyGraph long_graph(std::mt19937& random, std::uint32_t nodes) {
  ToyGraph graph;
  graph.successors_of.resize(nodes);
  for (std::uint32_t k = 0; k < nodes; ++k) {
    graph.successors_of[k] = {std::min(k + 1 + static_cast<std::uint32_t>(random() % 3), nodes - 1), k / 2};
    if (random() % 2 == 0) graph.successors_of[k].push_back(std::min(k + 1, nodes - 1));
  }
  graph.starts = {0};
  return graph;
}

// Packed before a level at which there are so many states; by one thread or several before and behind that.
SearchResult packed_search(const ToyGraph& graph, const SearchOptions& options, std::uint64_t states,
                           bool is_parallel) {
  ToyModel model(graph);
  std::deque<ToyModel> models;
  const auto more = [&] { return ThreadParts<ToyModel>{&models.emplace_back(graph), nullptr}; };
  InlineStore full(memory);
  BreadthFirst first(model, full, options);
  if (!first.run_to_level_of(is_parallel ? 1 + states / 2 : UINT64_MAX, states)) return first.finish();
  LevelStanding standing = first.leave();
  if (full.size() < states) {
    ParallelBreadthFirst<ToyModel, InlineStore> second(model, full, options, std::move(standing), more);
    second.most_states = states;
    SearchResult result = second.run();
    if (!second.is_to_go_on()) return result;
    standing = second.leave(std::move(result));
  }
  const auto store = packed(full, standing, 20, memory, options.threads);
  return ParallelBreadthFirst<ToyModel, QuotientStore>(model, *store, options, std::move(standing), more).run();
}

class PackedSearch : public testing::TestWithParam<unsigned> {
 protected:
  void compare(const ToyGraph& graph, SearchOptions options) {
    ToyModel model(graph);
    InlineStore store(memory);
    const SearchResult expected = BreadthFirst(model, store, options).run();
    options.threads = GetParam();
    const SearchResult result = packed_search(graph, options, 1 + random_() % graph.size(), random_() % 2 == 0);
    EXPECT_TRUE(result.exact);
    EXPECT_EQ(result.ending, expected.ending);
    ASSERT_EQ(result.first.has_value(), expected.first.has_value());
    if (result.first) {
      EXPECT_EQ(result.first->states.size(), expected.first->states.size());
      EXPECT_EQ(result.first->failing_step.has_value(), expected.first->failing_step.has_value());
      EXPECT_TRUE(is_path(graph, result.first->states));
      EXPECT_TRUE(result.first->shortest);
    }
    if (options.max_errors == 1 && result.first) return;
    EXPECT_EQ(result.statistics.states, expected.statistics.states);
    EXPECT_EQ(result.statistics.transitions, expected.statistics.transitions);
    EXPECT_EQ(result.statistics.depth, expected.statistics.depth);
    EXPECT_EQ(result.statistics.errors, expected.statistics.errors);
    EXPECT_EQ(result.fired, expected.fired);
    EXPECT_EQ(result.violations, expected.violations);
    EXPECT_EQ(result.scope.depth, expected.scope.depth);
  }

  ToyGraph some_graph(int round, double faults) {
    const std::uint32_t nodes = 50 + random_() % 9000;
    ToyGraph graph = round % 2 == 0 ? random_graph(random_, nodes, 2.5) : long_graph(random_, nodes);
    for (auto some = static_cast<std::uint32_t>(faults * nodes); some > 0; --some) {
      graph.bad.insert(random_() % nodes);
      const std::uint32_t node = random_() % nodes;
      if (!graph.successors_of[node].empty()) graph.faulty.insert({node, 0});
    }
    return graph;
  }

  std::mt19937 random_{GetParam()};
};

TEST_P(PackedSearch, CountsAreTheSame) {
  for (int round = 0; round < 24; ++round) {
    const ToyGraph graph = some_graph(round, round % 3 == 0 ? 0 : 0.01);
    SearchOptions options = toy_options();
    options.max_errors = UINT64_MAX;
    options.deadlock = round % 4 < 2 ? DeadlockMode::stuck : DeadlockMode::stuttering;
    compare(graph, options);
  }
}

TEST_P(PackedSearch, TheFirstViolationHasAShortestTrace) {
  for (int round = 0; round < 40; ++round) {
    const ToyGraph graph = some_graph(round, 0.0003);
    SearchOptions options = toy_options();
    options.deadlock = round % 4 < 2 ? DeadlockMode::off : DeadlockMode::stuttering;
    compare(graph, options);
  }
}

TEST_P(PackedSearch, ADepthBoundIsKept) {
  const ToyGraph graph = some_graph(1, 0);
  SearchOptions options = toy_options();
  for (options.max_depth = 4; *options.max_depth < 2000; *options.max_depth *= 3) compare(graph, options);
}

INSTANTIATE_TEST_SUITE_P(Threads, PackedSearch, testing::Values(1U, 3U));

}  // namespace
}  // namespace fathom
