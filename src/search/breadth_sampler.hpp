// Which states of a level a breadth-bounded search keeps.
//
// Every state has a random rank that a keyed hash gives it, with another key for each level; those of the smallest
// ranks are kept. That is a uniform choice among all subsets of the wanted size, it takes one pass, and it does not
// depend on the order in which the states were found.
//
// A choice can have to cover lanes: a state whose successors are all new must keep one of them (Meulen, Stappers,
// Willemse 2010, Algorithms 2 and 3). We draw until a choice does, which is uniform among those that do. Where that is
// hopeless, or has failed often, one successor of each lane that still needs one is drawn first and the rest is filled
// up by rank: such a choice covers all lanes but is not uniform, and it is counted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "support/hash.hpp"
#include "support/plain_list.hpp"

namespace fathom {

// For each lane that must be covered, the candidates that would do. Rows one after the other.
struct Lanes {
  PlainList<std::uint32_t> rows;  // where the candidates of each lane begin
  PlainList<std::uint32_t> candidates;

  void clear() {
    rows.clear();
    candidates.clear();
  }
  void begin_lane() { rows.push_back(static_cast<std::uint32_t>(candidates.size())); }
  [[nodiscard]] std::size_t size() const { return rows.size(); }
  [[nodiscard]] std::uint64_t bytes() const { return rows.bytes() + candidates.bytes(); }
  [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t lane) const {
    const std::size_t end = lane + 1 < rows.size() ? rows[lane + 1] : candidates.size();
    return std::span(candidates.data(), candidates.size()).subspan(rows[lane], end - rows[lane]);
  }
};

class BreadthSampler {
 public:
  explicit BreadthSampler(std::uint64_t seed) : seed_(seed) {}

  // The rank of a state in the first draw of a level.
  [[nodiscard]] std::uint64_t rank(std::uint64_t level, Hash state) const { return rank_by(key(level, 0), state); }

  // Numbers of the kept candidates, ascending; all of them where there are no more than `wanted`. The candidates are
  // given by their hashes.
  const std::vector<std::uint32_t>& choose(std::uint64_t level, std::span<const Hash> candidates, std::size_t wanted);
  // The same among the choices that cover all lanes. There must be one: at most `wanted` lanes will do.
  const std::vector<std::uint32_t>& choose_covering(std::uint64_t level, std::span<const Hash> candidates,
                                                    const Lanes& lanes, std::size_t wanted);

  [[nodiscard]] std::uint64_t redrawn() const { return redrawn_; }      // draws that did not cover all lanes
  [[nodiscard]] std::uint64_t fallbacks() const { return fallbacks_; }  // choices that are not uniform

  // What a choice among so many candidates takes.
  [[nodiscard]] std::uint64_t bytes_for(std::size_t candidates) const {
    return std::max(candidates, ranks_.capacity()) * (sizeof ranks_[0] + sizeof chosen_[0]);
  }

 private:
  static constexpr std::uint64_t most_draws = 64;

  [[nodiscard]] std::uint64_t key(std::uint64_t level, std::uint64_t draw) const;
  [[nodiscard]] static std::uint64_t rank_by(std::uint64_t key, Hash state);
  void draw(std::uint64_t key, std::span<const Hash> candidates, std::size_t wanted);
  void draw_for_lanes(std::uint64_t key, std::span<const Hash> candidates, const Lanes& lanes, std::size_t wanted);
  void list_chosen();
  void keep_smallest(std::size_t from, std::size_t wanted);
  [[nodiscard]] bool covers(const Lanes& lanes) const;

  std::uint64_t seed_;
  std::uint64_t redrawn_ = 0;
  std::uint64_t fallbacks_ = 0;
  std::vector<std::uint64_t> ranks_;
  std::vector<std::uint32_t> chosen_;
  std::vector<bool> is_chosen_;
};

// How many lanes a uniform choice of `wanted` out of `candidates` is expected to leave uncovered.
double expected_uncovered(const Lanes& lanes, std::size_t candidates, std::size_t wanted);

}  // namespace fathom
