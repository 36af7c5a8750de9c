#include "search/breadth_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fathom {

namespace {

// With more than so many lanes expected to be left uncovered, about one draw in three thousand covers them all.
constexpr double hopeless = 8;

std::uint64_t scrambled(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace

std::uint64_t BreadthSampler::key(std::uint64_t level, std::uint64_t draw) const {
  return scrambled(scrambled(scrambled(seed_) ^ level) ^ draw);
}

std::uint64_t BreadthSampler::rank_by(std::uint64_t key, Hash state) {
  return scrambled(fold_multiply(state ^ key, key | 1) ^ state);
}

const std::vector<std::uint32_t>& BreadthSampler::choose(std::uint64_t level, std::span<const Hash> candidates,
                                                         std::size_t wanted) {
  draw(key(level, 0), candidates, wanted);
  list_chosen();
  return chosen_;
}

const std::vector<std::uint32_t>& BreadthSampler::choose_covering(std::uint64_t level, std::span<const Hash> candidates,
                                                                  const Lanes& lanes, std::size_t wanted) {
  const bool try_it = expected_uncovered(lanes, candidates.size(), wanted) <= hopeless;
  for (std::uint64_t attempt = 0; try_it && attempt < most_draws; ++attempt) {
    draw(key(level, attempt), candidates, wanted);
    list_chosen();
    if (covers(lanes)) return chosen_;
    ++redrawn_;
  }
  ++fallbacks_;
  draw_for_lanes(key(level, most_draws), candidates, lanes, wanted);
  list_chosen();
  return chosen_;
}

void BreadthSampler::draw(std::uint64_t key, std::span<const Hash> candidates, std::size_t wanted) {
  chosen_.resize(candidates.size());
  std::iota(chosen_.begin(), chosen_.end(), 0U);
  is_chosen_.assign(candidates.size(), candidates.size() <= wanted);
  if (candidates.size() <= wanted) return;
  ranks_.resize(candidates.size());
  for (std::size_t k = 0; k < candidates.size(); ++k) ranks_[k] = rank_by(key, candidates[k]);
  keep_smallest(0, wanted);
}

// In ascending order, which a pass over all gives sooner than sorting.
void BreadthSampler::list_chosen() {
  chosen_.clear();
  for (std::uint32_t k = 0; k < is_chosen_.size(); ++k)
    if (is_chosen_[k]) chosen_.push_back(k);
}

// Of the chosen ones from `from` on, those of the smallest ranks remain, so that `wanted` remain in all.
void BreadthSampler::keep_smallest(std::size_t from, std::size_t wanted) {
  const auto smaller = [this](std::uint32_t a, std::uint32_t b) {
    return ranks_[a] != ranks_[b] ? ranks_[a] < ranks_[b] : a < b;
  };
  const auto middle = chosen_.begin() + static_cast<std::ptrdiff_t>(wanted);
  std::nth_element(chosen_.begin() + static_cast<std::ptrdiff_t>(from), middle, chosen_.end(), smaller);
  chosen_.resize(wanted);
  for (const std::uint32_t k : chosen_) is_chosen_[k] = true;
}

void BreadthSampler::draw_for_lanes(std::uint64_t key, std::span<const Hash> candidates, const Lanes& lanes,
                                    std::size_t wanted) {
  ranks_.resize(candidates.size());
  for (std::size_t k = 0; k < candidates.size(); ++k) ranks_[k] = rank_by(key, candidates[k]);
  is_chosen_.assign(candidates.size(), false);
  chosen_.clear();
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    const auto of_lane = lanes[lane];
    if (std::ranges::any_of(of_lane, [&](std::uint32_t k) { return is_chosen_[k]; })) continue;
    const std::uint32_t first = *std::ranges::min_element(of_lane, {}, [&](std::uint32_t k) { return ranks_[k]; });
    is_chosen_[first] = true;
    chosen_.push_back(first);
  }
  const std::size_t needed = chosen_.size();
  for (std::uint32_t k = 0; k < candidates.size(); ++k)
    if (!is_chosen_[k]) chosen_.push_back(k);
  keep_smallest(needed, std::min(wanted, chosen_.size()));
}

bool BreadthSampler::covers(const Lanes& lanes) const {
  for (std::size_t lane = 0; lane < lanes.size(); ++lane)
    if (std::ranges::none_of(lanes[lane], [&](std::uint32_t k) { return is_chosen_[k]; })) return false;
  return true;
}

double expected_uncovered(const Lanes& lanes, std::size_t candidates, std::size_t wanted) {
  if (candidates <= wanted) return 0;
  const double passed = 1 - static_cast<double>(wanted) / static_cast<double>(candidates);
  double expected = 0;
  for (std::size_t lane = 0; lane < lanes.size(); ++lane)
    expected += std::pow(passed, static_cast<double>(lanes[lane].size()));
  return expected;
}

}  // namespace fathom
