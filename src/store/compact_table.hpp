// Hash compaction (Wolper, Leroy 1993; Stern, Dill 1995): a table of cache lines in which a state is a signature of a
// few bytes. Where in the table it stands is chosen by other bits of its hash, so a new state is taken for a known one
// only if its signature is among the few it is compared with. Those comparisons are counted: divided by the number of
// signatures they are what is to be expected.
#pragma once

#include <cstring>

#include "support/hash.hpp"
#include "support/virtual_array.hpp"

namespace fathom {

class CompactTable {
 public:
  static constexpr std::uint64_t line = 64;  // bytes

  // `bits` of a signature, a multiple of 8 up to 56.
  CompactTable(std::uint64_t bytes, std::uint32_t bits)
      : lines_(std::max<std::uint64_t>(bytes / line, 2)),
        entry_(bits / 8),
        entries_(static_cast<std::uint32_t>(line / entry_)),
        mask_((std::uint64_t{1} << bits) - 1),
        memory_(lines_ * line + sizeof(std::uint64_t)) {}

  [[gnu::always_inline]] void prefetch(Hash hash) const { __builtin_prefetch(&memory_[line_of(hash) * line], 1); }
  [[nodiscard]] bool has_room(std::uint64_t extra) const { return size_ + extra <= capacity() / 20 * 19; }
  [[nodiscard]] std::uint64_t bytes() const { return lines_ * line; }
  [[nodiscard]] double expected_omissions() const {
    return static_cast<double>(compared_) / static_cast<double>(mask_);
  }

  // Whether the state is new.
  bool insert(Hash hash) { return enter(hash, true); }
  void insert_known_to_be_new(Hash hash) { enter(hash, false); }

 private:
  [[nodiscard]] std::uint64_t capacity() const { return lines_ * entries_; }
  [[nodiscard]] std::uint64_t line_of(Hash hash) const {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(hash) * lines_) >> 64);
  }
  // Bits that do not choose the line; 0 is an empty place.
  [[nodiscard]] std::uint64_t signature_of(Hash hash) const {
    const std::uint64_t signature = hash_words(&hash, 1) & mask_;
    return signature == 0 ? 1 : signature;
  }

  bool enter(Hash hash, bool compares) {
    const std::uint64_t signature = signature_of(hash);
    std::uint64_t compared = 0;
    for (std::uint64_t at = line_of(hash);; at = at + 1 == lines_ ? 0 : at + 1)
      for (std::uint32_t k = 0; k < entries_; ++k) {
        std::uint8_t* const place = &memory_[at * line + std::uint64_t{k} * entry_];
        std::uint64_t found = 0;
        std::memcpy(&found, place, sizeof found);
        found &= mask_;
        if (found == 0) {
          std::memcpy(place, &signature, entry_);
          ++size_;
          compared_ += compares ? compared : 0;
          return true;
        }
        if (compares && found == signature) return false;
        ++compared;
      }
  }

  std::uint64_t lines_;
  std::uint32_t entry_;    // bytes of one
  std::uint32_t entries_;  // of a line
  std::uint64_t mask_;
  VirtualArray<std::uint8_t> memory_;
  std::uint64_t size_ = 0;
  std::uint64_t compared_ = 0;  // with other states, by those that were found to be new
};

}  // namespace fathom
