// Codes of states: that they tell states apart, stay what they are, and are short where few values occur; and tables of
// them against sets.
#include "store/state_code.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <map>
#include <random>
#include <set>

#include "field_states.hpp"
#include "search/checkpoint.hpp"
#include "store/code_choice.hpp"
#include "store/coded_store.hpp"

namespace fathom {
namespace {

constexpr std::uint64_t memory = std::uint64_t{1} << 28;

std::vector<ColumnBits> columns_for(std::uint32_t bits, std::uint64_t variety) {
  std::mt19937_64 random(bits);
  StateSample sample(bits > 64 ? 2 : 1);
  for (int k = 0; k < 2'000; ++k) sample.add(some_state(random, bits, variety));
  return choose_columns(sample, bits);
}

class Codes : public testing::TestWithParam<std::uint32_t> {
 protected:
  const std::uint32_t bits = GetParam(), words = bits > 64 ? 2 : 1;
};

TEST_P(Codes, EveryBitIsInOneColumn) {
  std::uint64_t first = 0, second = 0;
  for (const ColumnBits& column : columns_for(bits, 3)) {
    EXPECT_LE(column.count(), ColumnBits::most);
    EXPECT_EQ(column.first & first, 0U);
    EXPECT_EQ(column.second & second, 0U);
    first |= column.first;
    second |= column.second;
  }
  EXPECT_EQ(static_cast<std::uint32_t>(std::popcount(first) + std::popcount(second)), bits);
  EXPECT_EQ(std::bit_width(first), static_cast<int>(std::min(bits, 64U)));
}

// Of values that are learned before it is decided what the codes are, and of others behind that.
TEST_P(Codes, TellStatesApartAndStayWhatTheyAre) {
  for (const bool by_instruction : {false, StateCode::has_instruction()})
    for (const std::uint32_t least : {0U, 30U}) {
      std::mt19937_64 random(bits);
      StateCode code(words, columns_for(bits, 3), by_instruction);
      for (int k = 0; k < 500; ++k) code.learn(some_state(random, bits, 3).data());
      if (!code.decide(least)) continue;
      EXPECT_GE(code.mixed_bits(), least);
      EXPECT_EQ(code.beyond_bits(), 0U);
      std::map<StateBuffer, StateCode::Code> known;
      std::map<StateCode::Code, StateBuffer> states;
      for (std::uint64_t k = 0; k < 20'000; ++k) {
        const StateBuffer state = some_state(random, bits, 3 + k / 500);
        const StateCode::Code its = code.code(state.data());
        ASSERT_EQ(known.emplace(state, its).first->second, its);
        ASSERT_EQ(states.emplace(its, state).first->second, state);
        ASSERT_LE(std::bit_width(its[0]), static_cast<int>(code.mixed_bits()));
        ASSERT_LE(std::bit_width(its[1]), static_cast<int>(code.beyond_bits()));
      }
      if (bits > 40) {
        EXPECT_GT(code.beyond_bits(), 0U);
      }
    }
}

TEST_P(Codes, AreShortWhereFewValuesOccur) {
  std::mt19937_64 random(bits);
  StateCode code(words, columns_for(bits, 2));
  for (int k = 0; k < 2'000; ++k) code.learn(some_state(random, bits, 2).data());
  ASSERT_TRUE(code.decide(0));
  // A bit for each field of five and something for what is rare; and not more than 64 lie beyond.
  EXPECT_LE(code.mixed_bits(), std::max(10 + bits / 3, bits - std::min(bits, 64U)));
}

INSTANTIATE_TEST_SUITE_P(Bits, Codes, testing::Values(5U, 20U, 41U, 63U, 64U, 65U, 85U, 100U, 127U));

TEST(StateCode, KnowsWhenThereCannotBeOne) {
  std::mt19937_64 random(1);
  StateSample sample(2);
  for (int k = 0; k < 2'000; ++k) sample.add(StateBuffer{random(), random()});
  StateCode code(2, choose_columns(sample, 128));
  for (int k = 0; k < 20'000; ++k) code.learn(StateBuffer{random(), random()}.data());
  EXPECT_FALSE(code.decide(40));
}

// ---- The table.

TEST(BijectiveMix, CanBeUndone) {
  std::mt19937_64 random(1);
  for (std::uint32_t bits = 20; bits <= 64; ++bits) {
    const BijectiveMix mix(bits);
    for (int k = 0; k < 200; ++k) {
      const std::uint64_t word = random() >> (64 - bits), beyond = k % 2 == 0 ? 0 : random();
      ASSERT_EQ(mix.undone(mix.mixed(word, beyond), beyond), word) << bits;
    }
  }
}

TEST(QuotientStore, TellsWhatIsInIt) {
  for (const std::uint32_t bits : {50U, 64U, 100U}) {
    std::mt19937_64 random(bits);
    QuotientStore store(QuotientShape::bits_of(bits), memory / 64, true);
    std::set<QuotientStore::Pair> reference, found;
    for (int k = 0; k < 60'000; ++k) {
      const QuotientStore::Pair pair{bits < 64 ? random() >> (64 - bits) : random(),
                                     bits <= 64 ? 0 : random() >> (128 - bits)};
      ASSERT_TRUE(store.reserve(1));
      store.insert(pair, store.hash(pair));
      reference.insert(pair);
    }
    const auto find = [&](const QuotientStore::Pair& pair) { EXPECT_TRUE(found.insert(pair).second); };
    store.for_each(0, store.parts(), find);
    store.for_each_aside(find);
    EXPECT_EQ(found, reference);
  }
}

// What has more bits beyond than there are for it is known all the same, and goes into the table when there are.
TEST(QuotientStore, KeepsAsideWhatIsTooWide) {
  QuotientStore store(QuotientShape::Bits{40, 0}, memory, true);
  ASSERT_TRUE(store.reserve(1000));
  for (int round = 0; round < 3; ++round) {
    for (std::uint64_t k = 0; k < 500; ++k) {
      const QuotientStore::Pair pair{k, k % 4};
      EXPECT_EQ(store.insert(pair, store.hash(pair)).fresh, round == 0);
    }
    if (round == 1) {
      ASSERT_TRUE(store.reserve(1, 2, nullptr));
    }
  }
  EXPECT_EQ(store.size(), 500U);
}

// Also when the table grows before it gets these bits.
TEST(QuotientStore, KeepsAsideWhatIsStillTooWide) {
  QuotientStore store(QuotientShape::Bits{40, 0}, memory, true);
  const auto pair = [](std::uint64_t k) { return QuotientStore::Pair{k, k % 256}; };
  for (std::uint64_t k = 0; k < 100'000; ++k) {
    ASSERT_TRUE(store.reserve(1, k < 60'000 ? 0 : 5, nullptr));
    ASSERT_TRUE(store.insert(pair(k), store.hash(pair(k))).fresh);
  }
  for (std::uint64_t k = 0; k < 100'000; ++k) ASSERT_FALSE(store.insert(pair(k), store.hash(pair(k))).fresh);
}

class CodedStates : public testing::TestWithParam<std::uint32_t> {
 protected:
  const std::uint32_t bits = GetParam();
};

// It begins without codes, and becomes one of codes when it grows.
TEST_P(CodedStates, AgreeWithASet) {
  for (const bool early : {false, true}) {
    std::mt19937_64 random(bits);
    CodedStore store(bits, memory / 16, true, early);
    std::set<StateBuffer> reference;
    for (std::uint64_t k = 0; k < 150'000; ++k) {
      const StateBuffer state = some_state(random, bits, 4 + k / 10'000);
      if (store.is_cramped() || store.room() == 0) {
        ASSERT_TRUE(store.reserve(1));
      }
      ASSERT_EQ(store.insert(state, store.hash(state)).fresh, reference.insert(state).second);
    }
    EXPECT_TRUE(store.has_code());
    EXPECT_EQ(store.size(), reference.size());
    for (const StateBuffer& state : reference) ASSERT_FALSE(store.insert(state, store.hash(state)).fresh);
    const std::unique_ptr<CodedStore> empty = store.another();
    ASSERT_TRUE(empty->reserve(1));
    EXPECT_TRUE(empty->insert(*reference.begin(), empty->hash(*reference.begin())).fresh);
    EXPECT_FALSE(empty->insert(*reference.begin(), empty->hash(*reference.begin())).fresh);
    EXPECT_EQ(empty->size(), 1U);
  }
}

INSTANTIATE_TEST_SUITE_P(Bits, CodedStates, testing::Values(60U, 64U, 80U, 127U));

// There is nothing to be saved, and it goes on without.
TEST(CodedStore, LeavesStatesAsTheyAreThatTakeAllValues) {
  std::mt19937_64 random(1);
  CodedStore store(60, memory / 16, true, true);
  std::set<StateBuffer> reference;
  for (std::uint64_t k = 0; k < 100'000; ++k) {
    const StateBuffer state{random() >> 4};
    ASSERT_TRUE(store.reserve(1));
    ASSERT_EQ(store.insert(state, store.hash(state)).fresh, reference.insert(state).second);
  }
  EXPECT_FALSE(store.has_code());
}

// The code was made when there was so little that no table of its codes can be large.
TEST(CodedStore, GoesOnWithMoreMemoryThanItsCodeIsFor) {
  const std::string file = testing::TempDir() + "coded_store";
  const auto state = [](std::uint64_t k) {
    const std::uint64_t three = k % 101 | k / 101 % 101 << 10 | k / 10'201 % 101 << 20;
    return StateBuffer{three | three << 30};
  };
  CodedStore store(60, 2 << 20, true);
  std::uint64_t count = 0;
  for (; store.reserve(1); ++count) store.insert(state(count), store.hash(state(count)));
  ASSERT_TRUE(store.has_code());
  SealedWriter out(file, checkpoint_kind);
  store.save(out);
  out.commit();
  for (const std::uint64_t memory : {std::uint64_t{2} << 20, std::uint64_t{1} << 30}) {
    SealedReader in(file, checkpoint_kind);
    CodedStore loaded(60, memory, true);
    ASSERT_TRUE(loaded.load(in));
    ASSERT_EQ(loaded.size(), count);
    const bool is_more = memory > 2 << 20;
    ASSERT_EQ(loaded.reserve(100'000'000), is_more);
    for (std::uint64_t k = 0; k < count + (is_more ? 1'000 : 0); ++k)
      ASSERT_EQ(loaded.insert(state(k), loaded.hash(state(k))).fresh, k >= count);
  }
  std::filesystem::remove(file);
}

TEST(CodedStore, SaysWhenItsMemoryIsFull) {
  std::mt19937_64 random(1);
  CodedStore store(60, 4 << 20, true);
  while (store.reserve(1)) {
    const StateBuffer state = some_state(random, 60, 24);
    store.insert(state, store.hash(state));
  }
  EXPECT_TRUE(store.has_code());
  EXPECT_LE(store.bytes(), 4 << 20);
  EXPECT_GT(store.size(), (4 << 20) / 8U);
}

}  // namespace
}  // namespace fathom
