// The breadth-first search with several threads against the one with one, on random graphs.
#include <gtest/gtest.h>

#include <deque>

#include "search/bfs.hpp"
#include "search/parallel_bfs.hpp"
#include "store/fingerprint_store.hpp"
#include "store/indexed_store.hpp"
#include "store/inline_store.hpp"
#include "store/tree_store.hpp"
#include "support/errors.hpp"
#include "toy_graph.hpp"

namespace fathom {
namespace {

constexpr std::uint64_t memory = std::uint64_t{1} << 28;

// With so many threads from the first level on that has that many states.
template <class Store>
SearchResult parallel(const ToyGraph& graph, Store store, SearchOptions options, unsigned threads,
                      std::uint64_t hand_over) {
  options.threads = threads;
  ToyModel model(graph);
  BreadthFirst first(model, store, options);
  if (!first.run_to_level_of(hand_over)) return first.finish();
  std::deque<ToyModel> models;
  const auto more = [&] { return ThreadParts<ToyModel>{&models.emplace_back(graph), nullptr}; };
  return ParallelBreadthFirst<ToyModel, Store>(model, store, options, first.leave(), more).run();
}

template <class Store>
SearchResult alone(const ToyGraph& graph, Store store, const SearchOptions& options) {
  ToyModel model(graph);
  return BreadthFirst(model, store, options).run();
}

// A graph with wide levels, some of whose steps go wrong and some of whose states are bad or stuck.
ToyGraph wide_graph(std::mt19937& random, std::uint32_t words, std::uint32_t nodes, double faults) {
  ToyGraph graph = random_graph(random, nodes, 2.5, words);
  const auto some = static_cast<std::uint32_t>(faults * nodes);
  for (std::uint32_t k = 0; k < some; ++k) {
    graph.bad.insert(random() % nodes);
    const std::uint32_t node = random() % nodes;
    if (!graph.successors_of[node].empty()) graph.faulty.insert({node, 0});
  }
  return graph;
}

// Calls check(name, make) for every store; make() gives a new one.
template <class Check>
void with_every_store(std::uint32_t words, const Check& check) {
  if (words == 1) check("inline", [] { return InlineStore(memory); });
  check("indexed", [=] { return IndexedStore(words, memory); });
  check("tree", [=] { return TreeStore(words, memory); });
  check("fingerprint", [] { return FingerprintStore(memory); });
}

class InParallel : public testing::TestWithParam<std::tuple<std::uint32_t, unsigned>> {
 protected:
  [[nodiscard]] std::uint32_t words() const { return std::get<0>(GetParam()); }
  [[nodiscard]] unsigned threads() const { return std::get<1>(GetParam()); }
  std::mt19937 random_{std::get<0>(GetParam()) * 31 + std::get<1>(GetParam())};
};

TEST_P(InParallel, CountsAreThoseOfOneThread) {
  for (int round = 0; round < 2; ++round) {
    const ToyGraph graph = wide_graph(random_, words(), 20000 + random_() % 20000, 0.01);
    SearchOptions options = toy_options();
    options.max_errors = UINT64_MAX;
    options.deadlock = round % 2 == 0 ? DeadlockMode::stuck : DeadlockMode::stuttering;
    with_every_store(words(), [&](const char* name, auto make) {
      SCOPED_TRACE(name);
      const SearchResult expected = alone(graph, make(), options);
      const SearchResult result = parallel(graph, make(), options, threads(), 1 + random_() % 2000);
      EXPECT_EQ(result.ending, expected.ending);
      EXPECT_EQ(result.statistics.states, expected.statistics.states);
      EXPECT_EQ(result.statistics.transitions, expected.statistics.transitions);
      EXPECT_EQ(result.statistics.depth, expected.statistics.depth);
      EXPECT_EQ(result.statistics.errors, expected.statistics.errors);
      EXPECT_EQ(result.fired, expected.fired);
      EXPECT_EQ(result.violations, expected.violations);
      EXPECT_EQ(result.faults, expected.faults);
      EXPECT_EQ(result.deadlocks, expected.deadlocks);
      ASSERT_TRUE(result.first.has_value());
      EXPECT_EQ(result.first->states.size(), expected.first->states.size());
      EXPECT_TRUE(is_path(graph, result.first->states));
    });
  }
}

TEST_P(InParallel, TheFirstViolationHasAShortestTrace) {
  for (int round = 0; round < 4; ++round) {
    const ToyGraph graph = wide_graph(random_, words(), 20000, 0.0002);
    SearchOptions options = toy_options();
    options.deadlock = round % 2 == 0 ? DeadlockMode::off : DeadlockMode::stuttering;
    options.deterministic = round % 3 == 0;
    with_every_store(words(), [&](const char* name, auto make) {
      SCOPED_TRACE(name);
      const SearchResult expected = alone(graph, make(), options);
      const SearchResult result = parallel(graph, make(), options, threads(), 1);
      ASSERT_EQ(result.first.has_value(), expected.first.has_value());
      EXPECT_EQ(result.ending, expected.ending);
      if (!result.first) return;
      EXPECT_TRUE(is_path(graph, result.first->states));
      const auto length = [](const Counterexample& run) { return run.states.size() + run.failing_step.has_value(); };
      EXPECT_EQ(length(*result.first), length(*expected.first));
    });
  }
}

TEST_P(InParallel, ADeterministicTraceDoesNotDependOnTheThreads) {
  for (int round = 0; round < 2; ++round) {
    const ToyGraph graph = wide_graph(random_, words(), 30000, 0.0002);
    SearchOptions options = toy_options();
    options.deadlock = round % 2 == 0 ? DeadlockMode::off : DeadlockMode::stuttering;
    options.deterministic = true;
    with_every_store(words(), [&](const char* name, auto make) {
      if (!decltype(make())::keeps_states) return;
      SCOPED_TRACE(name);
      const SearchResult expected = parallel(graph, make(), options, 1, 1);
      const SearchResult result = parallel(graph, make(), options, threads(), 1);
      ASSERT_TRUE(expected.first && result.first);
      EXPECT_EQ(result.first->states, expected.first->states);
      EXPECT_EQ(result.first->failing_step, expected.first->failing_step);
      EXPECT_EQ(result.first->violation.kind, expected.first->violation.kind);
      EXPECT_EQ(result.statistics.states, expected.statistics.states);
      EXPECT_EQ(result.statistics.transitions, expected.statistics.transitions);
    });
  }
}

TEST_P(InParallel, ADepthBoundIsKept) {
  const ToyGraph graph = wide_graph(random_, words(), 30000, 0);
  SearchOptions options = toy_options();
  for (options.max_depth = 0; *options.max_depth < 25; *options.max_depth += 3)
    with_every_store(words(), [&](const char* name, auto make) {
      SCOPED_TRACE(name);
      const SearchResult expected = alone(graph, make(), options);
      const SearchResult result = parallel(graph, make(), options, threads(), 1);
      EXPECT_EQ(result.ending, expected.ending);
      EXPECT_EQ(result.statistics.states, expected.statistics.states);
      EXPECT_EQ(result.statistics.transitions, expected.statistics.transitions);
      EXPECT_EQ(result.scope.depth, expected.scope.depth);
    });
}

TEST_P(InParallel, TheMemoryLimitEndsTheSearch) {
  const ToyGraph graph = wide_graph(random_, words(), 60000, 0);
  SearchOptions options = toy_options();
  options.memory_limit = 1 << 20;
  const SearchResult result = parallel(graph, IndexedStore(words(), options.memory_limit), options, threads(), 1);
  EXPECT_EQ(result.ending, Ending::memory_limit);
  EXPECT_GT(result.statistics.states, 5000U);
  EXPECT_LE(result.statistics.store_bytes, options.memory_limit);
}

TEST_P(InParallel, TheUserCanEndTheSearch) {
  const ToyGraph graph = wide_graph(random_, words(), 60000, 0);
  SearchOptions options = toy_options();
  options.tick = [](const Progress& progress) { return progress.states < 1000; };
  const SearchResult result = parallel(graph, IndexedStore(words(), memory), options, threads(), 1);
  EXPECT_EQ(result.ending, Ending::time_or_user);
}

// A search that is saved somewhere in the middle and ended there, and another that goes on.
TEST_P(InParallel, ASavedSearchGoesOnToTheSameEnd) {
  const std::filesystem::path file =
      testing::TempDir() + "saved_search_" + std::to_string(words()) + "_" + std::to_string(threads());
  int saves = 0;
  for (int round = 0; round < 2; ++round) {
    const ToyGraph graph = wide_graph(random_, words(), 40000, 0.01);
    SearchOptions options = toy_options();
    options.max_errors = UINT64_MAX;
    options.threads = threads();
    with_every_store(words(), [&](const char* name, auto make) {
      using Store = decltype(make());
      SCOPED_TRACE(name);
      const SearchResult expected = alone(graph, make(), options);
      std::deque<ToyModel> models;
      const auto more = [&] { return ThreadParts<ToyModel>{&models.emplace_back(graph), nullptr}; };
      ToyModel model(graph);
      {
        bool saved = false;
        SearchOptions interrupted = options;
        interrupted.tick = [&](const Progress&) { return !saved; };
        Store store = make();
        BreadthFirst first(model, store, interrupted);
        ASSERT_TRUE(first.run_to_level_of(1));
        ParallelBreadthFirst<ToyModel, Store> search(model, store, interrupted, first.leave(), more);
        search.save_due = [&, left = random_() % 3]() mutable { return left-- == 0; };
        search.save = [&] {
          SealedWriter out(file, checkpoint_kind);
          search.write(out);
          out.commit();
          saved = true;
        };
        const SearchResult interrupted_result = search.run();
        if (!saved) return;  // others did the work, and the first thread was never asked
        ++saves;
        // Of several threads the others may have come to the end of the last level while the first one saved.
        if (threads() == 1) {
          EXPECT_EQ(interrupted_result.ending, Ending::time_or_user);
        }
      }
      Store store = make();
      SealedReader in(file, checkpoint_kind);
      LevelStanding standing = load_standing(options.shape, in);
      ASSERT_TRUE(store.load(in));
      ParallelBreadthFirst<ToyModel, Store> search(model, store, options, std::move(standing), more);
      ASSERT_TRUE(search.read(in));
      in.expect_end();
      const SearchResult result = search.run();
      EXPECT_EQ(result.ending, expected.ending);
      EXPECT_EQ(result.statistics.states, expected.statistics.states);
      EXPECT_EQ(result.statistics.transitions, expected.statistics.transitions);
      EXPECT_EQ(result.statistics.depth, expected.statistics.depth);
      EXPECT_EQ(result.violations, expected.violations);
      EXPECT_EQ(result.faults, expected.faults);
      EXPECT_EQ(result.fired, expected.fired);
      ASSERT_TRUE(result.first && expected.first);
      EXPECT_EQ(result.first->states.size(), expected.first->states.size());
      EXPECT_TRUE(is_path(graph, result.first->states));
    });
  }
  // Of several threads the others may leave nothing to the first.
  if (threads() == 1) {
    EXPECT_GT(saves, 0);
  }
  std::filesystem::remove(file);
}

TEST(SealedFile, IsReadAsItWasWrittenOrNotAtAll) {
  const std::filesystem::path file = testing::TempDir() + "sealed_file";
  const std::vector<std::uint64_t> list(100000, 42);
  {
    SealedWriter out(file, checkpoint_kind);
    out.text("beginning");
    out.list(list);
    out.number(7);
    out.commit();
  }
  { const SealedWriter forgotten(file, checkpoint_kind); }
  SealedReader in(file, checkpoint_kind);
  EXPECT_EQ(in.text(), "beginning");
  EXPECT_EQ(in.list(), list);
  EXPECT_EQ(in.number(), 7U);
  in.expect_end();
  EXPECT_THROW(in.text(), EnvironmentError);
  EXPECT_THROW(SealedReader(file, FileKind{"fathomcp", checkpoint_kind.version + 1, "checkpoint"}), EnvironmentError);
  EXPECT_THROW(SealedReader(file, FileKind{"somethin", 1, "thing"}), EnvironmentError);
  EXPECT_THROW(SealedReader(file.string() + "x", checkpoint_kind), EnvironmentError);
  const auto size = std::filesystem::file_size(file);
  std::filesystem::resize_file(file, size - 1);
  EXPECT_THROW(SealedReader(file, checkpoint_kind), EnvironmentError);
  EXPECT_THROW(SealedWriter("/nowhere/at/all", checkpoint_kind), EnvironmentError);
  std::filesystem::remove(file);
}

INSTANTIATE_TEST_SUITE_P(WithWordsAndThreads, InParallel,
                         testing::Combine(testing::Values(1U, 3U), testing::Values(1U, 2U, 3U, 8U)));

TEST(Team, RunsEveryPieceOfWorkOnceForEachMember) {
  Team team(5);
  std::vector<std::atomic<int>> counts(team.size());
  for (int round = 0; round < 1000; ++round) team.run([&](unsigned k) { ++counts[k]; });
  for (const auto& count : counts) EXPECT_EQ(count, 1000);
}

TEST(Team, SharesSlicesSoThatEverythingIsDoneOnce) {
  Team team(3);
  for (const std::uint64_t count : {0, 1, 5, 24, 1000}) {
    std::vector<std::atomic<int>> done(count);
    in_slices(&team, count, [&](std::uint64_t first, std::uint64_t end) {
      for (std::uint64_t k = first; k < end; ++k) ++done[k];
    });
    for (const auto& each : done) EXPECT_EQ(each, 1) << "of " << count;
  }
}

TEST(StateQueue, HandsOutEveryStateOnceAndFewerTowardsTheEnd) {
  StateQueue queue;
  queue.open(1000, 500'000, 4);
  std::uint64_t next = 1000, last = UINT64_MAX;
  for (IdRange some = queue.take(); !some.empty(); some = queue.take()) {
    EXPECT_EQ(some.first, next);
    EXPECT_LE(some.end - some.first, last);
    last = some.end - some.first;
    next = some.end;
  }
  EXPECT_EQ(next, 500'000U);
  EXPECT_LE(last, 16U);
}

// The numbers of which nobody made use are filled by the last ones, and nothing else moves.
TEST(IdRanges, FillGapsWithTheLastStates) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    std::vector<std::uint64_t> used;
    std::vector<IdRange> unused;
    std::uint64_t end = 10;
    for (int k = 0; k < 6; ++k) {
      for (std::uint64_t n = random() % 4; n > 0; --n) used.push_back(end++);
      const std::uint64_t first = end;
      end += random() % 4;
      if (end != first) unused.push_back({first, end});
    }
    std::ranges::shuffle(unused, random);
    for (const auto [from, to] : to_fill_gaps(unused, end)) {
      const auto moved = std::ranges::find(used, index_of(from));
      ASSERT_NE(moved, used.end());
      ASSERT_EQ(std::ranges::find(used, index_of(to)), used.end());
      ASSERT_LT(index_of(to), index_of(from));
      *moved = index_of(to);
    }
    std::ranges::sort(used);
    ASSERT_EQ(end - numbers_in(unused), 10 + used.size());
    for (std::size_t k = 0; k < used.size(); ++k) ASSERT_EQ(used[k], 10 + k);
  }
}

TEST(Team, ThrowsWhatAMemberThrows) {
  Team team(3);
  EXPECT_THROW(team.run([](unsigned k) {
    if (k == 2) throw std::bad_alloc();
  }),
               std::bad_alloc);
  int calls = 0;
  team.run([&](unsigned k) {
    if (k == 0) ++calls;
  });
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace fathom
