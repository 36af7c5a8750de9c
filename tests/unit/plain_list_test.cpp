// Long lists, against std::vector, and what is left of the memory limit.
#include "support/plain_list.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <vector>

#include "cli/memory_watch.hpp"

namespace fathom {
namespace {

using List = PlainList<std::uint32_t>;
using Items = std::vector<std::uint32_t>;

std::uint64_t random_below(std::uint64_t end) {
  return *rc::gen::inRange<std::uint64_t>(0, end);
}

Items random_items() {
  return *rc::gen::arbitrary<Items>();
}

// Does the same to both.
void change(List& list, Items& items) {
  switch (random_below(11)) {
    case 0: {
      const auto more = random_items();
      list.append(more);
      items.insert(items.end(), more.begin(), more.end());
      break;
    }
    case 1: {
      const auto first = random_items();
      list.prepend(first);
      items.insert(items.begin(), first.begin(), first.end());
      break;
    }
    case 2: {
      const auto count = random_below(2 * items.size() + 1);
      list.resize(count, 7);
      items.resize(count, 7);
      break;
    }
    case 3: {
      const auto count = random_below(items.size() + 1);
      list.drop_front(count);
      items.erase(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(count));
      break;
    }
    case 4:
      list.shrink_to_fit();
      break;
    case 5: {
      List copy(list);
      copy.push_back(1);
      list = copy;
      items.push_back(1);
      break;
    }
    case 6: {
      List moved(std::move(list));
      list = std::move(moved);
      break;
    }
    case 7:
      random_below(8) == 0 ? (list.release(), items.clear()) : (list.clear(), items.clear());
      break;
    case 8:
      list.assign(5, 9);
      items.assign(5, 9);
      break;
    case 9:
      if (items.empty()) break;
      list.pop_back();
      items.pop_back();
      break;
    default:
      list.push_back(list.empty() ? 3 : list.front());  // an item of its own
      items.push_back(items.empty() ? 3 : items.front());
  }
}

TEST(PlainList, IsAVectorWhateverIsDoneToIt) {
  EXPECT_TRUE(rc::check([] {
    List list;
    Items items;
    for (auto left = random_below(40); left > 0; --left) {
      change(list, items);
      RC_ASSERT(Items(list.begin(), list.end()) == items);
      RC_ASSERT(list.bytes() >= items.size() * sizeof items[0]);
    }
  }));
}

TEST(PlainList, GrowsByLittleOnceItIsLong) {
  List list;
  for (std::uint32_t k = 0; k < 8 * large_block; ++k) {
    list.push_back(k);
    if (k > large_block) {
      ASSERT_LE(list.capacity(), list.size() + list.size() / 8 + 1);
    }
  }
  for (std::uint32_t k = 0; k < list.size(); ++k) ASSERT_EQ(list[k], k);
}

bool fills_up(MemoryWatch& watch) {
  for (int question = 0; question < 100; ++question)
    if (watch.is_full(0)) return true;
  return false;
}

TEST(MemoryWatch, SeesWhatNoSearchCounts) {
  constexpr std::uint64_t room = std::uint64_t{64} << 20;
  MemoryWatch watch(memory_in_use() + room);
  EXPECT_FALSE(fills_up(watch));
  const std::vector<char> taken(2 * room, 1);
  EXPECT_TRUE(fills_up(watch));
  EXPECT_TRUE(watch.was_full());
  EXPECT_EQ(taken.back(), 1);
}

TEST(MemoryWatch, LooksAtOnceWhenASearchHasGrown) {
  const std::uint64_t room = std::uint64_t{64} << 20;
  MemoryWatch watch(memory_in_use() + room);
  EXPECT_FALSE(watch.is_full(0));
  const std::vector<char> taken(2 * room, 1);
  EXPECT_TRUE(watch.is_full(taken.size()));
}

TEST(MemoryWatch, DoesNotCountWhatWasGivenBack) {
  constexpr std::uint64_t room = std::uint64_t{64} << 20;
  MemoryWatch watch(memory_in_use() + room);
  EXPECT_EQ(std::vector<char>(2 * room, 1).back(), 1);
  EXPECT_FALSE(fills_up(watch));
}

}  // namespace
}  // namespace fathom
