// Arrangements of states for a tree: that they can be undone, and that those chosen by a sample make few nodes.
#include "store/state_arrangement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "store/arrangement_choice.hpp"
#include "store/state_tree.hpp"

namespace fathom {
namespace {

constexpr std::uint64_t memory = std::uint64_t{1} << 28;

StateBuffer random_words(std::mt19937_64& random, std::uint32_t words) {
  StateBuffer state(words);
  for (std::uint64_t& word : state) word = random();
  return state;
}

StateArrangement random_arrangement(std::mt19937_64& random, std::uint32_t words) {
  std::vector<std::uint32_t> places(StateArrangement::chunks_for(words) * StateArrangement::chunk_bytes);
  std::iota(places.begin(), places.end(), 0U);
  std::ranges::shuffle(places, random);
  places.resize(words * StateArrangement::word_bytes);
  return StateArrangement(places);
}

TEST(StateArrangement, CanBeUndone) {
  std::mt19937_64 random(1);
  for (std::uint32_t words = 1; words <= 40; ++words)
    for (const auto& arrangement : {StateArrangement(words), random_arrangement(random, words)}) {
      ASSERT_EQ(arrangement.words(), words);
      const StateBuffer state = random_words(random, words);
      StateBuffer arranged(arrangement.chunks() * StateArrangement::chunk_words, ~std::uint64_t{0}), again(words);
      arrangement.arrange(state.data(), arranged.data());
      arrangement.undo(arranged.data(), again.data());
      EXPECT_EQ(again, state) << words;
    }
}

TEST(StateArrangement, PutsEveryByteInItsPlace) {
  std::vector<std::uint32_t> places(3 * StateArrangement::word_bytes);
  for (std::uint32_t byte = 0; byte < places.size(); ++byte) places[byte] = 31 - byte;
  const StateBuffer state{0x0807060504030201, 0x100f0e0d0c0b0a09, 0x1817161514131211};
  StateBuffer arranged(4);
  StateArrangement(places).arrange(state.data(), arranged.data());
  EXPECT_EQ(arranged, (StateBuffer{0, 0x1112131415161718, 0x090a0b0c0d0e0f10, 0x0102030405060708}));
}

TEST(StateTree, GivesArrangedStatesBackAsTheyWere) {
  std::mt19937_64 random(2);
  for (const std::uint32_t words : {1U, 2U, 3U, 9U, 12U, 31U}) {
    StateTree tree(random_arrangement(random, words), memory);
    std::vector<std::pair<StateTree::Root, StateBuffer>> kept;
    StateBuffer state(words);
    for (std::uint64_t k = 0; k < 500; ++k) {
      state[random() % words] ^= random() & random() & random();
      ASSERT_TRUE(tree.reserve(1, nullptr));
      kept.emplace_back(tree.root(state), state);
    }
    for (std::uint64_t k = 0; k < kept.size(); ++k) {
      EXPECT_TRUE(std::ranges::equal(tree.state(StateId{k}, kept[k].first), kept[k].second)) << words;
      EXPECT_EQ(tree.root(kept[k].second), kept[k].first) << words;
    }
  }
}

// ---- The choice.

// One word is different in all states, and the rest tells of a few of its bits what they are.
StateBuffer state_with_a_counter(std::uint64_t count, std::uint32_t words) {
  StateBuffer state(words, 0);
  state[1] = count;
  for (std::uint32_t word = 2; word < words; ++word) state[word] = (count & 0xf) * 0x0101010101010101 * word;
  return state;
}

std::uint64_t node_bytes(const StateArrangement& arrangement, std::uint64_t states) {
  StateTree tree(arrangement, memory);
  for (std::uint64_t k = 0; k < states; ++k) {
    EXPECT_TRUE(tree.reserve(1, nullptr));
    static_cast<void>(tree.root(state_with_a_counter(k, arrangement.words())));
  }
  return tree.usual_bytes();
}

TEST(ArrangementChoice, CutsAWordThatIsDifferentInAllStates) {
  for (const std::uint32_t words : {9U, 10U, 13U, 24U, 32U}) {
    constexpr std::uint64_t states = 60'000;
    StateSample sample(words);
    for (std::uint64_t k = 0; k < sample_size; ++k) sample.add(state_with_a_counter(k * states / sample_size, words));
    const auto arrangement = better_arrangement(sample, StateTree::halves(words));
    ASSERT_TRUE(arrangement) << words;
    EXPECT_LT(node_bytes(*arrangement, states) * 10, node_bytes(StateArrangement(words), states)) << words;
  }
}

TEST(ArrangementChoice, LeavesStatesAloneWhereNothingIsGained) {
  std::mt19937_64 random(3);
  StateSample alike(10), unlike(10), none(10), long_ones(40);
  for (std::size_t k = 0; k < sample_size; ++k) {
    StateBuffer state(10, 0);
    state[0] = random() % 100;
    state[2] = random() % 100;
    alike.add(state);
    unlike.add(random_words(random, 10));
    long_ones.add(state_with_a_counter(k, 40));
  }
  for (const StateSample* sample : {&alike, &unlike, &none, &long_ones})
    EXPECT_FALSE(better_arrangement(*sample, StateTree::halves(sample->words())));
}

TEST(ArrangementChoice, FitsIntoTheTreeWhateverTheStatesAre) {
  std::mt19937_64 random(4);
  for (std::uint32_t words = 3; words <= most_words_to_arrange; ++words) {
    StateSample sample(words);
    std::vector<StateBuffer> states;
    for (int k = 0; k < 500; ++k) {
      StateBuffer state(words, 0);
      state[0] = static_cast<std::uint64_t>(k);
      for (std::uint64_t& word : state)
        if (random() % 3 == 0) word |= (random() % 2) << random() % 64;
      sample.add(states.emplace_back(state));
    }
    const auto arrangement = better_arrangement(sample, StateTree::halves(words));
    StateTree tree(arrangement.value_or(StateArrangement(words)), memory);
    std::set<StateTree::Root> roots;
    for (const StateBuffer& state : states) {
      ASSERT_TRUE(tree.reserve(1, nullptr));
      roots.insert(tree.root(state));
    }
    EXPECT_EQ(roots.size(), std::set(states.begin(), states.end()).size());
  }
}

}  // namespace
}  // namespace fathom
