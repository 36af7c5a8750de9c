// Bitstate hashing (Holzmann 1987) with a Bloom filter whose bits for one state lie in one cache line (Putze, Sanders,
// Singler 2007): a state is k bits, and it is taken for known if all of them are set. How probable that was for each
// new state follows from how full its line was, so the number of states that were left out can be estimated.
#pragma once

#include <bit>

#include "support/hash.hpp"
#include "support/virtual_array.hpp"

namespace fathom {

class BitTable {
 public:
  BitTable(std::uint64_t bytes, std::uint32_t bits_per_state)
      : lines_(std::max<std::uint64_t>(bytes / sizeof(Line), 1)), k_(bits_per_state), memory_(lines_) {}

  [[gnu::always_inline]] void prefetch(Hash hash) const { __builtin_prefetch(&memory_[line_of(hash)], 1); }
  [[nodiscard]] bool has_room(std::uint64_t) const { return true; }
  [[nodiscard]] std::uint64_t bytes() const { return lines_ * sizeof(Line); }
  [[nodiscard]] double expected_omissions() const { return expected_; }

  bool insert(Hash hash) {
    Line& line = memory_[line_of(hash)];
    const double chance = chance_of_all_set(line);
    if (!set(line, hash)) return false;
    // For each new state that was found there were chance / (1 - chance) that were not.
    expected_ += chance / (1 - chance);
    return true;
  }
  void insert_known_to_be_new(Hash hash) { set(memory_[line_of(hash)], hash); }

 private:
  static constexpr std::uint32_t line_bits = 512;
  struct Line {
    std::uint64_t words[line_bits / 64];
  };

  [[nodiscard]] std::uint64_t line_of(Hash hash) const {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(hash) * lines_) >> 64);
  }
  [[nodiscard]] double chance_of_all_set(const Line& line) const {
    int ones = 0;
    for (const std::uint64_t word : line.words) ones += std::popcount(word);
    double chance = 1;
    for (std::uint32_t k = 0; k < k_; ++k) chance *= static_cast<double>(ones) / line_bits;
    return chance;
  }
  // Whether one of the bits was not set.
  bool set(Line& line, Hash hash) const {
    bool fresh = false;
    std::uint64_t choice = hash_words(&hash, 1);
    for (std::uint32_t k = 0; k < k_; ++k, choice /= line_bits) {
      if (choice < line_bits) choice = hash_words(&(hash += k + 1), 1);
      std::uint64_t& word = line.words[choice % line_bits / 64];
      const std::uint64_t bit = std::uint64_t{1} << choice % 64;
      fresh |= (word & bit) == 0;
      word |= bit;
    }
    return fresh;
  }

  std::uint64_t lines_;
  std::uint32_t k_;
  VirtualArray<Line> memory_;
  double expected_ = 0;
};

}  // namespace fathom
