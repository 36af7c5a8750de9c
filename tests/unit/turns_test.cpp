#include "support/turns.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace fathom {
namespace {

// Three jobs of different lengths write their names; the turns go round.
TEST(Turns, GoRoundUntilEveryJobHasEnded) {
  std::string written;
  std::size_t last = 2;
  Turns* turns = nullptr;
  Turns all(3, [&](std::size_t number) {
    for (std::size_t k = 0; k <= number; ++k) {
      if (k > 0) turns->pause(number);
      written += static_cast<char>('a' + number);
    }
  });
  turns = &all;
  all.run([&]() -> std::optional<std::size_t> {
    for (int k = 0; k < 3; ++k) {
      last = (last + 1) % 3;
      if (!all.ended(last)) return last;
    }
    return std::nullopt;
  });
  EXPECT_EQ(written, "abcbcc");
}

TEST(Turns, AJobThatNeverHadATurnNeverBegins) {
  bool ran = false;
  Turns turns(1, [&](std::size_t) { ran = true; });
  turns.run([] { return std::nullopt; });
  EXPECT_FALSE(ran);
  EXPECT_FALSE(turns.began(0));
}

TEST(Turns, PassOnWhatAJobThrows) {
  Turns turns(1, [](std::size_t) { throw std::runtime_error("no"); });
  const auto once = [&]() -> std::optional<std::size_t> {
    if (turns.ended(0)) return std::nullopt;
    return 0;
  };
  EXPECT_THROW(turns.run(once), std::runtime_error);
}

}  // namespace
}  // namespace fathom
