// Stores that may lose states: they find what is theirs, and lose no more than they say.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "search/bfs.hpp"
#include "store/bit_table.hpp"
#include "store/compact_table.hpp"
#include "store/indexed_store.hpp"
#include "store/lossy_store.hpp"
#include "toy_graph.hpp"

namespace fathom {
namespace {

constexpr std::uint64_t memory = std::uint64_t{1} << 26;

template <class Table>
Inserted insert(LossyStore<Table>& store, const StateBuffer& state) {
  EXPECT_TRUE(store.reserve(1));
  return store.insert(state, store.hash(state));
}

template <class Table>
void agrees_with_a_set(std::uint32_t parameter) {
  std::mt19937_64 random(5);
  LossyStore<Table> store(memory, parameter);
  std::set<std::uint64_t> reference;
  for (int k = 0; k < 200000; ++k) {
    const std::uint64_t word = random() % 60000;
    const Inserted inserted = insert(store, {word, ~word});
    EXPECT_EQ(inserted.fresh, reference.insert(word).second);
    if (inserted.fresh) {
      EXPECT_EQ(index_of(inserted.id), reference.size() - 1);
    }
  }
  EXPECT_EQ(store.size(), reference.size());
}

TEST(LossyStore, LosesNothingWhileThereIsRoomForWholeFingerprints) {
  agrees_with_a_set<CompactTable>(16);
  agrees_with_a_set<BitTable>(2);
}

TEST(LossyStore, KnowsWhatItKnewBeforeItChangedOver) {
  LossyStore<CompactTable> store(1 << 20, 56);
  for (std::uint64_t k = 0; k < 80000; ++k) EXPECT_TRUE(insert(store, {k}).fresh) << k;
  EXPECT_GT(store.bytes(), std::uint64_t{1} << 19);  // the table of fixed size
  for (std::uint64_t k = 0; k < 80000; ++k) EXPECT_FALSE(insert(store, {k}).fresh) << k;
  EXPECT_LT(store.omission_probability(), 1e-9);
}

TEST(LossyStore, EndsWhereTheCompactTableIsFull) {
  LossyStore<CompactTable> store(1 << 16, 40);
  std::uint64_t count = 0;
  for (; count < 1'000'000 && store.reserve(1); ++count) insert(store, {count});
  EXPECT_GT(count, 6000U);
  EXPECT_LT(count, 12000U);
}

// Small stores that must lose something now and then: over many runs no more than they say, and not much less.
template <class Table>
void loses_what_it_says(std::uint32_t parameter, std::uint64_t states) {
  constexpr int runs = 1000;
  double stated = 0, variance = 0, expected = 0;
  int lossy_runs = 0;
  std::uint64_t lost = 0;
  for (int run = 0; run < runs; ++run) {
    LossyStore<Table> store(1 << 14, parameter);
    std::uint64_t omitted = 0;
    for (std::uint64_t k = 0; k < states; ++k) {
      const StateBuffer state{k, static_cast<std::uint64_t>(run)};
      ASSERT_TRUE(store.reserve(1));
      omitted += store.insert(state, store.hash(state)).fresh ? 0 : 1;
    }
    const double probability = store.omission_probability();
    stated += probability;
    variance += probability * (1 - std::min(probability, 1.0));
    expected += store.expected_omissions();
    lossy_runs += omitted > 0 ? 1 : 0;
    lost += omitted;
  }
  EXPECT_GT(lossy_runs, 0);
  EXPECT_LE(lossy_runs, stated + 4 * std::sqrt(variance) + 1);
  EXPECT_NEAR(static_cast<double>(lost), expected, 4 * std::sqrt(expected) + 0.1 * expected);
}

TEST(LossyStore, CompactLosesWhatItSays) {
  loses_what_it_says<CompactTable>(16, 1500);
  loses_what_it_says<CompactTable>(16, 900);
}

TEST(LossyStore, BitstateLosesWhatItSays) {
  loses_what_it_says<BitTable>(3, 1500);
  loses_what_it_says<BitTable>(5, 6000);
}

TEST(BirthLog, GivesTheStepsToEveryState) {
  std::mt19937 random(3);
  BirthLog log(memory);
  std::vector<std::vector<std::uint32_t>> expected;
  const auto born = [&](std::vector<std::uint32_t> steps) {
    log.born(steps.back());
    expected.push_back(std::move(steps));
  };
  for (std::uint32_t k = 0; k < 3; ++k) born({k * 200});
  log.end_row();
  for (std::size_t row = 0; row < 5000 && row < expected.size(); ++row) {
    for (std::uint32_t k = random() % 4; k > 0; --k) {
      std::vector<std::uint32_t> steps = expected[row];
      steps.push_back(random() % 300);
      born(std::move(steps));
    }
    log.end_row();
  }
  ASSERT_GT(expected.size(), 1000U);
  for (std::size_t k = 0; k < expected.size(); k += 1 + random() % 20) EXPECT_EQ(log.steps_to(StateId{k}), expected[k]);
}

TEST(LossyStore, BreadthFirstSearchFindsTracesByTheLog) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    ToyGraph graph = random_graph(random, 300, 1.8, 2);
    graph.bad.insert(random() % graph.size());
    const SearchOptions options = toy_options();
    ToyModel model(graph);
    LossyStore<CompactTable> compact(memory, 40);
    IndexedStore exact(2, memory);
    const SearchResult result = BreadthFirst(model, compact, options).run();
    const SearchResult expected = BreadthFirst(model, exact, options).run();
    ASSERT_EQ(result.first.has_value(), expected.first.has_value());
    EXPECT_EQ(result.statistics.states, expected.statistics.states);
    EXPECT_FALSE(result.exact);
    if (result.first) {
      EXPECT_EQ(result.first->states, expected.first->states);
    }
  }
}

}  // namespace
}  // namespace fathom
