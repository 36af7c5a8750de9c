// Which attempt at a search for cycles follows which.
#include "search/settled_part.hpp"

#include <gtest/gtest.h>

namespace fathom {
namespace {

class SomeReduction : public Reduction {
 public:
  explicit SomeReduction(bool optional) : optional_(optional) {}
  bool select(StateView, const Batch&, std::uint32_t, std::uint32_t, std::vector<std::uint32_t>&) override {
    return false;
  }
  [[nodiscard]] bool pays() override { return true; }
  [[nodiscard]] bool is_optional() const override { return optional_; }

 private:
  bool optional_;
};

std::vector<Attempt> attempts_with(Reduction* reduction) {
  SearchOptions options;
  options.reduction = reduction;
  return attempts(options);
}

TEST(Attempts, WithoutAReductionThereIsOne) {
  const std::vector<Attempt> all = attempts_with(nullptr);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_FALSE(all[0].reduced);
  EXPECT_EQ(all[0].most, UINT64_MAX);
  EXPECT_EQ(next_attempt(all, 0, Ending::memory_limit), all.size());
}

TEST(Attempts, AReductionThatNobodyAskedForComesWhereItHelps) {
  SomeReduction reduction(true);
  const std::vector<Attempt> all = attempts_with(&reduction);
  EXPECT_FALSE(all[0].reduced);
  for (const Ending ending : {Ending::incomplete, Ending::memory_limit})
    EXPECT_TRUE(all.at(next_attempt(all, 0, ending)).reduced);
  for (const Ending ending : {Ending::exhausted, Ending::error_limit, Ending::time_or_user})
    EXPECT_EQ(next_attempt(all, 0, ending), all.size());
}

// It may have been taken because there was not enough memory for the whole product, by a process with less of it.
TEST(Attempts, TheWholeProductIsSearchedInTheEnd) {
  for (const bool optional : {false, true}) {
    SomeReduction reduction(optional);
    const std::vector<Attempt> all = attempts_with(&reduction);
    const Attempt& last = all.at(next_attempt(all, next_attempt(all, 0, Ending::memory_limit), Ending::incomplete));
    EXPECT_FALSE(last.reduced);
    EXPECT_EQ(last.most, UINT64_MAX);
  }
}

TEST(Attempts, AReductionThatDoesNotPayIsGivenUpThoughItWasAskedFor) {
  SomeReduction reduction(false);
  const std::vector<Attempt> all = attempts_with(&reduction);
  const std::size_t reduced = next_attempt(all, 0, Ending::incomplete);
  EXPECT_TRUE(all.at(reduced).reduced);
  EXPECT_FALSE(all.at(next_attempt(all, reduced, Ending::incomplete)).reduced);
  EXPECT_EQ(next_attempt(all, reduced, Ending::memory_limit), all.size());
}

}  // namespace
}  // namespace fathom
