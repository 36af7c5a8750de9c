#include "support/turns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <stdexcept>
#include <string>

namespace fathom {
namespace {

std::vector<std::size_t> that_have_not_ended(const Turns& turns, std::size_t jobs) {
  std::vector<std::size_t> round;
  for (std::size_t k = 0; k < jobs; ++k)
    if (!turns.ended(k)) round.push_back(k);
  return round;
}

// Three jobs of different lengths write their names; the turns go round.
TEST(Turns, GoRoundUntilEveryJobHasEnded) {
  std::string written;
  Turns* turns = nullptr;
  Turns all(3, 1, [&](std::size_t number) {
    for (std::size_t k = 0; k <= number; ++k) {
      if (k > 0) turns->pause(number);
      written += static_cast<char>('a' + number);
    }
  });
  turns = &all;
  all.run([&] { return that_have_not_ended(all, 3); });
  EXPECT_EQ(written, "abcbcc");
}

// As many jobs as may be at work at a time meet, in every round, and no job is a round ahead of another.
TEST(Turns, AreTakenByAsManyAtATimeAsThereMayBe) {
  constexpr std::size_t jobs = 6, at_a_time = 3, rounds = 20;
  std::atomic<std::size_t> at_work = 0, most = 0;
  std::vector<std::atomic<std::size_t>> turns_of(jobs);
  std::atomic<std::size_t> round = 0;
  std::atomic<bool> ahead = false;
  Turns* turns = nullptr;
  Turns all(jobs, at_a_time, [&](std::size_t number) {
    for (std::size_t k = 0; k < rounds; ++k) {
      if (k > 0) turns->pause(number);
      const std::size_t now = ++at_work;
      for (std::size_t seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
      }
      for (int spin = 0; most < at_a_time && spin < 1'000'000; ++spin) std::this_thread::yield();
      if (++turns_of[number] != round) ahead = true;
      --at_work;
    }
  });
  turns = &all;
  all.run([&] {
    ++round;
    return that_have_not_ended(all, jobs);
  });
  EXPECT_EQ(most, at_a_time);
  EXPECT_FALSE(ahead);
  for (const auto& count : turns_of) EXPECT_EQ(count, rounds);
}

TEST(Turns, AJobThatMayNotBeginHasItsTurnLater) {
  std::string written;
  Turns turns(2, 1, [&](std::size_t number) { written += static_cast<char>('a' + number); });
  bool first = true;
  turns.run([&] { return that_have_not_ended(turns, 2); },
            [&](std::size_t number) { return number == 1 || !std::exchange(first, false); });
  EXPECT_EQ(written, "ba");
}

TEST(Turns, AJobThatNeverHadATurnNeverBegins) {
  bool ran = false;
  Turns turns(1, 1, [&](std::size_t) { ran = true; });
  turns.run([] { return std::vector<std::size_t>(); });
  EXPECT_FALSE(ran);
  EXPECT_FALSE(turns.began(0));
}

TEST(Turns, PassOnWhatAJobThrows) {
  for (const std::size_t at_a_time : {1U, 3U}) {
    Turns turns(3, at_a_time, [](std::size_t) { throw std::runtime_error("no"); });
    EXPECT_THROW(turns.run([&] { return that_have_not_ended(turns, 3); }), std::runtime_error);
  }
}

}  // namespace
}  // namespace fathom
