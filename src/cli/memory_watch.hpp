// What a search says that it takes is what it knows of, and is looked at before it grows. This is the second look, at
// what the whole process takes: beside the search there are evaluators, tables of reductions, the program with all that
// was made of it, and what the heap keeps for later.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "support/heap.hpp"

namespace fathom {

class MemoryWatch {
 public:
  explicit MemoryWatch(std::uint64_t memory) : memory_(std::max(memory, least)) {}

  // Whether a search must end that says that it takes so much. Asked every few thousand steps, it looks when that has
  // grown, and now and then.
  [[nodiscard]] bool is_full(std::uint64_t said) {
    if (full_ || (said < look_at_ && ++ticks_ % between_looks != 0)) return full_;
    look_at_ = said + memory_ / between_sizes;
    const std::uint64_t in_use = memory_in_use(), before = std::exchange(in_use_, in_use);
    const std::uint64_t growth = in_use - std::min(in_use, before);  // and as much again until the next look
    if (in_use + growth <= memory_ + memory_ / tolerated) return false;
    give_free_blocks_back();
    full_ = memory_in_use() > memory_;
    return full_;
  }
  [[nodiscard]] bool was_full() const { return full_; }

 private:
  static constexpr std::uint64_t least = std::uint64_t{64} << 20;  // the process alone takes a part of it
  static constexpr std::uint64_t between_looks = 4;
  static constexpr std::uint64_t between_sizes = 128;  // part of the memory
  static constexpr std::uint64_t tolerated =
      40;  // a fortieth of the memory: a table that grows is there twice for a moment

  const std::uint64_t memory_;
  std::uint64_t ticks_ = 0;
  std::uint64_t look_at_ = 0;  // the size from which on it looks
  std::uint64_t in_use_ = 0;   // when it looked last
  bool full_ = false;
};

}  // namespace fathom
