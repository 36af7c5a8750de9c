// The choice of a level is uniform, on fixed seeds: by Pearson's statistic, against a bound that a uniform sampler
// exceeds once in a thousand times.
#include "search/breadth_sampler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

namespace fathom {
namespace {

constexpr std::size_t candidates = 100, wanted = 10, levels = 20, runs = 2000;

// The value that a chi-square variable exceeds with probability 0.001 (Wilson and Hilferty).
double bound(double freedom) {
  const double part = 2 / (9 * freedom);
  return freedom * std::pow(1 - part + 3.0902 * std::sqrt(part), 3);
}

std::vector<Hash> some_hashes() {
  std::vector<Hash> hashes;
  for (std::uint64_t k = 0; k < candidates; ++k) hashes.push_back(hash_words(&k, 1));
  return hashes;
}

// How often each candidate is in the choice of a level when choices of the levels before were made by the same sampler.
// Each run has a sampler of its own, make(seed).
template <class Make>
std::vector<std::vector<std::uint64_t>> counts_by_level(const Make& make) {
  std::vector<std::vector<std::uint64_t>> counts(levels, std::vector<std::uint64_t>(candidates));
  const std::vector<Hash> hashes = some_hashes();
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    auto sampler = make(seed);
    for (std::size_t level = 0; level < levels; ++level)
      for (const std::uint32_t k : sampler.choose(level, hashes, wanted)) ++counts[level][k];
  }
  return counts;
}

// Choices without replacement: what one candidate has more, the others have less.
double statistic(const std::vector<std::uint64_t>& counts) {
  const double share = static_cast<double>(wanted) / candidates;
  double sum = 0;
  for (const std::uint64_t count : counts) sum += std::pow(static_cast<double>(count) - runs * share, 2);
  return sum / (runs * share * (1 - share)) * (candidates - 1) / candidates;
}

std::size_t uniform_levels(const std::vector<std::vector<std::uint64_t>>& counts) {
  return static_cast<std::size_t>(
      std::ranges::count_if(counts, [](const auto& level) { return statistic(level) < bound(candidates - 1); }));
}

// Reservoir sampling as it is found in a tool: the number of candidates seen so far decides whether one is taken, and
// it must begin anew with each level.
class Reservoir {
 public:
  Reservoir(std::uint64_t seed, bool resets) : random_(seed), resets_(resets) {}

  std::vector<std::uint32_t> choose(std::uint64_t, std::span<const Hash> from, std::size_t size) {
    if (resets_) seen_ = 0;
    std::vector<std::uint32_t> kept;
    for (std::uint32_t k = 0; k < from.size(); ++k) {
      ++seen_;
      if (kept.size() < size) {
        kept.push_back(k);
      } else if (const std::uint64_t place = random_() % seen_; place < size) {
        kept[place] = k;
      }
    }
    return kept;
  }

 private:
  std::mt19937_64 random_;
  bool resets_;
  std::uint64_t seen_ = 0;
};

TEST(BreadthSampler, IsUniformOnEveryLevel) {
  const auto counts = counts_by_level([](std::uint64_t seed) { return BreadthSampler(seed); });
  EXPECT_EQ(uniform_levels(counts), levels);
}

TEST(BreadthSampler, TheTestRejectsASamplerThatNeverResetsItsCounter) {
  const auto sound = counts_by_level([](std::uint64_t seed) { return Reservoir(seed, true); });
  EXPECT_GE(uniform_levels(sound), levels - 1);
  const auto mutant = counts_by_level([](std::uint64_t seed) { return Reservoir(seed, false); });
  EXPECT_LE(uniform_levels(mutant), 1U);
  EXPECT_GT(mutant.back().front(), runs * 9 / 10);
}

TEST(BreadthSampler, KeepsEverythingThatFits) {
  BreadthSampler sampler(1);
  const std::vector<Hash> hashes = some_hashes();
  EXPECT_EQ(sampler.choose(3, hashes, candidates).size(), candidates);
  EXPECT_EQ(sampler.choose(3, hashes, candidates + 7).size(), candidates);
}

TEST(BreadthSampler, IsUniformAmongTheChoicesThatCoverAllLanes) {
  Lanes lanes;
  for (const std::vector<std::uint32_t>& lane : {std::vector<std::uint32_t>{0, 1}, {2, 3, 4}}) {
    lanes.begin_lane();
    lanes.candidates.append(lane);
  }
  std::vector<Hash> six = some_hashes();
  six.resize(6);
  std::map<std::vector<std::uint32_t>, std::uint64_t> counts;
  constexpr std::uint64_t draws = 6000;
  for (std::uint64_t seed = 1; seed <= draws; ++seed) {
    BreadthSampler sampler(seed);
    ++counts[sampler.choose_covering(1, six, lanes, 2)];
    EXPECT_EQ(sampler.fallbacks(), 0U);
  }
  ASSERT_EQ(counts.size(), 6U);
  double sum = 0;
  for (const auto& [choice, count] : counts)
    sum += std::pow(static_cast<double>(count) - draws / 6.0, 2) / (draws / 6.0);
  EXPECT_LT(sum, bound(5));
}

TEST(BreadthSampler, FallsBackWhereDrawingIsHopelessAndCountsIt) {
  BreadthSampler sampler(7);
  Lanes lanes;
  std::vector<Hash> hashes = some_hashes();
  for (std::uint32_t lane = 0; lane < 40; ++lane) {
    lanes.begin_lane();
    lanes.candidates.push_back(2 * lane);
    lanes.candidates.push_back(2 * lane + 1);
  }
  EXPECT_GT(expected_uncovered(lanes, hashes.size(), 40), 8);
  const std::vector<std::uint32_t> chosen = sampler.choose_covering(1, hashes, lanes, 40);
  EXPECT_EQ(sampler.fallbacks(), 1U);
  EXPECT_EQ(chosen.size(), 40U);
  for (std::uint32_t lane = 0; lane < 40; ++lane)
    EXPECT_TRUE(std::ranges::any_of(chosen, [&](std::uint32_t k) { return k / 2 == lane; })) << lane;
}

}  // namespace
}  // namespace fathom
