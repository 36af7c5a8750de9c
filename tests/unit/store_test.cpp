#include <gtest/gtest.h>

#include <random>
#include <set>
#include <thread>

#include "store/fingerprint_store.hpp"
#include "store/indexed_store.hpp"
#include "store/inline_store.hpp"
#include "store/tree_store.hpp"

namespace fathom {
namespace {

constexpr std::uint64_t memory = std::uint64_t{1} << 30;

template <class Store>
Inserted insert(Store& store, const StateBuffer& state) {
  EXPECT_TRUE(store.reserve(1));
  return store.insert(state, store.hash(state));
}

TEST(IndexedStore, AgreesWithASetWhileItGrows) {
  std::mt19937_64 random(7);
  for (const std::uint32_t words : {1U, 2U, 3U, 9U}) {
    IndexedStore store(words, memory);
    std::set<StateBuffer> reference;
    for (int k = 0; k < 60000; ++k) {
      StateBuffer state(words);
      for (auto& word : state) word = random() % 40;  // few values: many duplicates and nearly equal states
      if (words == 1) state[0] = random() % 30000;
      const Inserted inserted = insert(store, state);
      EXPECT_EQ(inserted.fresh, reference.insert(state).second);
      EXPECT_TRUE(std::ranges::equal(store.state(inserted.id), state));
    }
    EXPECT_EQ(store.size(), reference.size());
  }
}

// Inserts in groups, as a search on one thread does.
template <std::uint32_t known, bool alone, class Store>
void expect_view_to_agree(Store& store, std::uint32_t words) {
  std::mt19937_64 random(7);
  std::set<StateBuffer> reference;
  for (int group = 0; group < 600; ++group) {
    ASSERT_TRUE(store.reserve(100));
    typename Store::template View<known, alone> view(store);
    const auto next_index = [&] { return store.next_index(); };
    for (int k = 0; k < 100; ++k) {
      StateBuffer state(words);
      for (auto& word : state) word = random() % (words == 1 ? 30000 : 40);
      const Hash hash = view.hash(state.data());
      EXPECT_EQ(hash, store.hash(state));
      EXPECT_EQ(view.insert(view.approach(hash), state.data(), hash, next_index), reference.insert(state).second);
      EXPECT_TRUE(store.contains(state, hash));
    }
  }
  EXPECT_EQ(store.size(), reference.size());
}

TEST(InlineStore, ItsViewsAgreeWithASet) {
  InlineStore alone(memory), shared(memory);
  expect_view_to_agree<1, true>(alone, 1);
  expect_view_to_agree<1, false>(shared, 1);
}

TEST(IndexedStore, ItsViewsAgreeWithASet) {
  IndexedStore two(2, memory), three(3, memory), nine(9, memory);
  expect_view_to_agree<2, true>(two, 2);
  expect_view_to_agree<0, true>(three, 3);
  expect_view_to_agree<0, true>(nine, 9);
  IndexedStore two_shared(2, memory), nine_shared(9, memory);
  expect_view_to_agree<2, false>(two_shared, 2);
  expect_view_to_agree<0, false>(nine_shared, 9);
}

TEST(TreeStore, AgreesWithASetWhileItGrows) {
  std::mt19937_64 random(7);
  for (const std::uint32_t words : {1U, 9U, 16U, 17U, 32U, 33U, 150U}) {
    TreeStore store(words, memory);
    std::set<StateBuffer> reference;
    StateBuffer state(words);
    std::vector<StateBuffer> all;
    for (int k = 0; k < 20000; ++k) {
      if (k % 3 == 0 && !all.empty()) {
        const std::size_t from = random() % all.size();
        store.near(StateId{from});
        state = all[from];
      }
      if (k % 1000 == 0) state.assign(words, random() % 7);  // far from everything before
      state[random() % words] = random() % 40;
      const Inserted inserted = insert(store, state);
      EXPECT_EQ(inserted.fresh, reference.insert(state).second);
      if (inserted.fresh) {
        EXPECT_EQ(index_of(inserted.id), all.size());
        all.push_back(state);
      }
      EXPECT_EQ(all[index_of(inserted.id)], state);
      EXPECT_EQ(store.find(state, store.hash(state)), inserted.id);
    }
    for (std::uint64_t k = 0; k < all.size(); ++k) EXPECT_TRUE(std::ranges::equal(store.state(StateId{k}), all[k]));
  }
}

TEST(TreeStore, RefusesToGrowPastItsLimit) {
  TreeStore store(32, 4 << 20);
  std::mt19937_64 random(3);
  StateBuffer state(32);
  std::uint64_t count = 0;
  for (; count < 1'000'000 && store.reserve(1); ++count) {
    for (auto& word : state) word = random();
    EXPECT_TRUE(store.insert(state, store.hash(state)).fresh);
  }
  EXPECT_GT(count, 1000U);
  EXPECT_LT(count, 100'000U);
}

TEST(IndexedStore, KeepsIdsStableAcrossGrowth) {
  IndexedStore store(2, memory);
  for (std::uint64_t k = 0; k < 200000; ++k) EXPECT_EQ(index_of(insert(store, {k, ~k}).id), k);
  for (std::uint64_t k = 0; k < 200000; ++k) {
    const StateBuffer state{k, ~k};
    EXPECT_EQ(index_of(store.find(state, store.hash(state))), k);
  }
}

TEST(IndexedStore, ComparesStatesAndNotOnlyTags) {
  IndexedStore store(1, memory);
  ASSERT_TRUE(store.reserve(100));
  for (std::uint64_t k = 0; k < 100; ++k) {  // every state under one hash
    const StateBuffer state{k};
    EXPECT_TRUE(store.insert(state, 42).fresh);
  }
  for (std::uint64_t k = 0; k < 100; ++k) {
    const StateBuffer state{k};
    EXPECT_EQ(index_of(store.insert(state, 42).id), k);
  }
}

TEST(IndexedStore, RefusesToGrowPastItsLimit) {
  IndexedStore store(4, 1 << 20);
  std::uint64_t k = 0;
  while (store.reserve(1)) {
    const StateBuffer state{k++, 0, 0, 0};
    store.insert(state, store.hash(state));
  }
  EXPECT_GT(k, 10000U);
  EXPECT_LE(store.bytes(), 1U << 20);
}

TEST(IndexedStore, TakesEachStateOnceFromManyThreads) {
  IndexedStore store(2, memory);
  constexpr std::uint64_t states = 100000;
  ASSERT_TRUE(store.reserve(states));
  std::atomic<std::uint64_t> fresh = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (std::uint64_t k = 0; k < states; ++k) {
        const std::uint64_t value = (k * 7919 + t * 31) % states;
        const StateBuffer state{value, value * 3};
        const Inserted inserted = store.insert(state, store.hash(state));
        fresh += inserted.fresh;
        ASSERT_TRUE(std::ranges::equal(store.state(inserted.id), state));
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(fresh, states);
  EXPECT_EQ(store.size(), states);
}

TEST(InlineStore, AgreesWithASetIncludingTheAllZeroState) {
  std::mt19937_64 random(3);
  InlineStore store(memory);
  std::set<std::uint64_t> reference;
  for (int k = 0; k < 300000; ++k) {
    const std::uint64_t word = random() % 4 == 0 ? random() >> 1 : random() % 5000;
    EXPECT_EQ(insert(store, {word}).fresh, reference.insert(word).second);
  }
  EXPECT_EQ(store.size(), reference.size());
}

TEST(InlineStore, KeepsTheOrderOfInsertion) {
  InlineStore store(memory);
  for (std::uint64_t k = 0; k < 100000; ++k) EXPECT_EQ(index_of(insert(store, {k * k}).id), k);
  for (std::uint64_t k = 0; k < 100000; ++k) EXPECT_EQ(store.state(StateId{k})[0], k * k);
}

TEST(InlineStore, TakesEachStateOnceFromManyThreads) {
  InlineStore store(memory);
  ASSERT_TRUE(store.reserve(50000));
  std::atomic<std::uint64_t> fresh = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (std::uint64_t k = 0; k < 50000; ++k) {
        const StateBuffer state{k};
        fresh += store.insert(state, store.hash(state)).fresh;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(fresh, 50000U);
}

TEST(MixBijective, MapsOnlyZeroToZeroAndLosesNothing) {
  std::set<std::uint64_t> images;
  for (std::uint64_t k = 0; k < 100000; ++k) images.insert(mix_bijective(k));
  EXPECT_EQ(images.size(), 100000U);
  EXPECT_EQ(mix_bijective(0), 0U);
}

TEST(FingerprintStore, StatesItsOmissionProbability) {
  FingerprintStore store(memory);
  for (std::uint64_t k = 0; k < 1000; ++k) insert(store, {k, k, k});
  EXPECT_EQ(store.size(), 1000U);
  EXPECT_NEAR(store.omission_probability(), 1e6 / 0x1p65, 1e-20);
}

}  // namespace
}  // namespace fathom
