// The breadth-first search on a disk against the one in memory, on random graphs and with memory for a few states.
#include <gtest/gtest.h>

#include "search/bfs.hpp"
#include "search/external_bfs.hpp"
#include "store/disk_run.hpp"
#include "store/indexed_store.hpp"
#include "store/inline_store.hpp"
#include "toy_graph.hpp"

namespace fathom {
namespace {

constexpr std::uint64_t memory = std::uint64_t{1} << 24;

template <class Store>
std::unique_ptr<Store> make_store(std::uint32_t words, std::uint64_t bytes) {
  if constexpr (std::is_same_v<Store, InlineStore>)
    return std::make_unique<InlineStore>(bytes);
  else
    return std::make_unique<IndexedStore>(words, bytes);
}

template <class Store>
SearchResult in_memory(const ToyGraph& graph, const SearchOptions& options) {
  ToyModel model(graph);
  const auto store = make_store<Store>(graph.words, memory);
  return BreadthFirst(model, *store, options).run();
}

// In memory up to a level of so many states, or until `first_bytes` are full, and then on the disk.
template <class Store>
SearchResult on_disk(const ToyGraph& graph, const SearchOptions& options, std::uint64_t large,
                     std::uint64_t first_bytes, std::uint64_t store_bytes, std::uint64_t sorted) {
  ToyModel model(graph);
  const auto full = make_store<Store>(graph.words, first_bytes);
  BreadthFirst first(model, *full, options);
  if (!first.run_to_level_of(large) && !first.is_full()) return first.finish();
  ExternalBreadthFirst<ToyModel, Store> search(model, options, {testing::TempDir(), store_bytes, sorted},
                                               [&] { return make_store<Store>(graph.words, store_bytes); });
  EXPECT_TRUE(search.take_over(*full, first.leave()));
  return search.run();
}

ToyGraph graph_with_faults(std::mt19937& random, std::uint32_t words, std::uint32_t nodes, double faults) {
  ToyGraph graph = random_graph(random, nodes, 2.5, words);
  for (auto some = static_cast<std::uint32_t>(faults * nodes); some > 0; --some) {
    graph.bad.insert(random() % nodes);
    const std::uint32_t node = random() % nodes;
    if (!graph.successors_of[node].empty()) graph.faulty.insert({node, 0});
  }
  return graph;
}

std::size_t length(const Counterexample& run) {
  return run.states.size() + (run.failing_step ? 1 : 0);
}

void expect_equal(const SearchResult& result, const SearchResult& expected, bool counts) {
  EXPECT_EQ(result.ending, expected.ending);
  ASSERT_EQ(result.first.has_value(), expected.first.has_value());
  if (result.first) {
    EXPECT_EQ(length(*result.first), length(*expected.first));
    EXPECT_EQ(result.first->shortest, expected.first->shortest);
  }
  if (!counts) return;
  EXPECT_EQ(result.statistics.states, expected.statistics.states);
  EXPECT_EQ(result.statistics.transitions, expected.statistics.transitions);
  EXPECT_EQ(result.statistics.depth, expected.statistics.depth);
  EXPECT_EQ(result.statistics.errors, expected.statistics.errors);
  EXPECT_EQ(result.fired, expected.fired);
  EXPECT_EQ(result.violations, expected.violations);
  EXPECT_EQ(result.faults, expected.faults);
  EXPECT_EQ(result.deadlocks, expected.deadlocks);
  EXPECT_EQ(result.scope.depth, expected.scope.depth);
}

class OnDisk : public testing::TestWithParam<std::uint32_t> {
 protected:
  // Both searches on one graph, with buffers of random sizes.
  void compare(const ToyGraph& graph, const SearchOptions& options) {
    if (graph.words == 1)
      compare_with<InlineStore>(graph, options);
    else
      compare_with<IndexedStore>(graph, options);
  }

  std::mt19937 random_{GetParam()};

 private:
  // A store has a table of 32768 slots at least, and must have room for the steps of one group of states.
  [[nodiscard]] std::uint64_t little_memory() {
    return (1 << 18) + (200 + random_() % 1000) * GetParam() * sizeof(std::uint64_t);
  }

  template <class Store>
  void compare_with(const ToyGraph& graph, const SearchOptions& options) {
    const std::uint64_t sorted = 1 + random_() % 300, large = 1 + random_() % 50;
    const bool fills_up = random_() % 2 == 0;
    const SearchResult result = on_disk<Store>(graph, options, fills_up ? UINT64_MAX : large,
                                               fills_up ? little_memory() : memory, little_memory(), sorted);
    expect_equal(result, in_memory<Store>(graph, options), options.max_errors > 1 || !result.first);
    EXPECT_TRUE(!result.first || is_path(graph, result.first->states));
  }
};

TEST_P(OnDisk, CountsAreThoseOfASearchInMemory) {
  for (int round = 0; round < 12; ++round) {
    const ToyGraph graph = graph_with_faults(random_, GetParam(), 50 + random_() % 6000, round % 3 == 0 ? 0 : 0.01);
    SearchOptions options = toy_options();
    options.max_errors = UINT64_MAX;
    options.deadlock = round % 2 == 0 ? DeadlockMode::stuck : DeadlockMode::stuttering;
    compare(graph, options);
  }
}

TEST_P(OnDisk, TheFirstViolationHasAShortestTrace) {
  for (int round = 0; round < 20; ++round) {
    const ToyGraph graph = graph_with_faults(random_, GetParam(), 50 + random_() % 4000, 0.001);
    SearchOptions options = toy_options();
    options.deadlock = round % 2 == 0 ? DeadlockMode::off : DeadlockMode::stuttering;
    compare(graph, options);
  }
}

TEST_P(OnDisk, ADepthBoundIsKept) {
  const ToyGraph graph = graph_with_faults(random_, GetParam(), 4000, 0);
  SearchOptions options = toy_options();
  for (options.max_depth = 0; *options.max_depth < 20; ++*options.max_depth) compare(graph, options);
}

INSTANTIATE_TEST_SUITE_P(Words, OnDisk, testing::Values(1U, 2U, 5U, 9U, 20U));

TEST(OnDisk, ADeepGraphIsSearchedToItsEnd) {
  ToyGraph graph;
  graph.successors_of.resize(3000);
  for (std::uint32_t k = 0; k < graph.size(); ++k) graph.successors_of[k] = {(k + 1) % graph.size(), k / 2, k};
  graph.starts = {0};
  const SearchOptions options = toy_options();
  const SearchResult result = on_disk<InlineStore>(graph, options, 1, memory, 1 << 19, 7);
  expect_equal(result, in_memory<InlineStore>(graph, options), true);
}

TEST(OnDisk, TheUserCanEndTheSearch) {
  std::mt19937 random(3);
  const ToyGraph graph = graph_with_faults(random, 1, 60000, 0);
  SearchOptions options = toy_options();
  options.tick = [](const Progress& progress) { return progress.transitions < 30000; };
  const SearchResult result = on_disk<InlineStore>(graph, options, 50, memory, memory, 1000);
  EXPECT_EQ(result.ending, Ending::time_or_user);
  EXPECT_LT(result.statistics.states, 60000U);
}

TEST(OnDisk, AFolderThatIsNotThereIsReported) {
  EXPECT_THROW(DiskFile("/nowhere/at/all"), EnvironmentError);
}

// ---- The runs themselves.

class Runs : public testing::TestWithParam<std::uint32_t> {
 protected:
  [[nodiscard]] std::vector<std::uint64_t> random_states(std::uint64_t count) {
    std::vector<std::uint64_t> states(count * GetParam());
    const int shift = static_cast<int>(random_() % 60);
    for (std::uint64_t& word : states) word = random_() >> shift;
    return states;
  }
  [[nodiscard]] SharedRun written(const std::vector<std::uint64_t>& states) {
    RunWriter out(std::make_shared<DiskFile>(testing::TempDir()), GetParam());
    for (std::size_t k = 0; k < states.size(); k += GetParam()) out.append(&states[k]);
    return out.finish();
  }
  [[nodiscard]] std::set<StateBuffer> as_set(const std::vector<std::uint64_t>& states) const {
    std::set<StateBuffer> set;
    for (std::size_t k = 0; k < states.size(); k += GetParam())
      set.emplace(states.begin() + std::ptrdiff_t(k), states.begin() + std::ptrdiff_t(k) + GetParam());
    return set;
  }
  std::mt19937_64 random_{GetParam()};
};

TEST_P(Runs, GiveBackWhatWasWritten) {
  for (const std::uint64_t count : {0, 1, 2, 8191, 8192, 8193, 30000}) {
    const std::vector<std::uint64_t> states = random_states(count);
    std::vector<std::uint64_t> read;
    for (RunReader run(written(states)); !run.at_end(); run.move_to(run.end()))
      read.insert(read.end(), run.begin(), run.end());
    EXPECT_EQ(read, states);
  }
}

TEST_P(Runs, AreMergedWithoutRepetitions) {
  std::vector<SharedRun> runs;
  std::set<StateBuffer> expected;
  for (int k = 0; k < 5; ++k) {
    std::vector<std::uint64_t> states = random_states(random_() % 3000);
    sort_states(states.data(), states.size() / GetParam(), GetParam());
    runs.push_back(written(states));
    expected.merge(as_set(states));
  }
  std::vector<StateBuffer> merged;
  const SharedRun all =
      merge_runs(runs, GetParam(), std::make_shared<DiskFile>(testing::TempDir()), [] { return true; });
  for (RunReader run(all); !run.at_end(); run.move_to(run.begin() + GetParam()))
    merged.emplace_back(run.begin(), run.begin() + GetParam());
  EXPECT_TRUE(std::ranges::equal(merged, expected));
}

TEST_P(Runs, TellWhichStatesAreKnown) {
  for (const std::uint64_t asked : {3, 500, 20000}) {
    std::vector<std::uint64_t> states = random_states(20000), others = random_states(asked);
    const std::uint32_t words = GetParam();
    for (std::size_t k = 0; k < asked; k += 2)
      std::copy_n(&states[random_() % 20000 * words], words, &others[k * words]);
    sort_states(states.data(), 20000, words);
    const std::set<StateBuffer> known = as_set(states), distinct = as_set(others);
    others.clear();
    for (const StateBuffer& state : distinct) others.insert(others.end(), state.begin(), state.end());
    RunReader run(written(states));
    std::vector<std::uint8_t> is_known(distinct.size());
    mark_known(others.data(), distinct.size(), words, run, is_known);
    for (std::size_t k = 0; k < distinct.size(); ++k) {
      const StateBuffer state(&others[k * words], &others[k * words] + words);
      ASSERT_EQ(is_known[k] != 0, known.contains(state)) << k;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Words, Runs, testing::Values(1U, 2U, 3U, 9U, 20U));

}  // namespace
}  // namespace fathom
