// Where each state of a breadth-first search came from, in about ten bits: enough for a trace when nothing else of a
// state is kept. States are numbered in the order in which they are found, so those that one state led to are
// neighbours: a bit 1 stands for each of them and a bit 0 for the end of their row, and rows are in the order in which
// states are expanded. A byte beside says by which of its steps the state led there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "store/store.hpp"
#include "support/virtual_array.hpp"

namespace fathom {

class BirthLog {
 public:
  BirthLog() = default;  // has no room
  explicit BirthLog(std::uint64_t memory_limit)
      : bits_(std::min(memory_limit, most_reserved) / 16 / sizeof(std::uint64_t)),
        steps_(std::min(memory_limit, most_reserved) / 4) {}

  // There is room for one more state and the end of a row.
  [[nodiscard]] bool has_room() const { return (end_ + 1) / 64 < bits_.capacity() && size_ < steps_.capacity(); }
  // The `step`-th step of the state whose turn it is led to a new one; before the first end of a row, of the beginning.
  void born(std::uint32_t step) {
    bits_[end_ / 64] |= std::uint64_t{1} << end_ % 64;
    ++end_;
    if (step >= large_step) large_.emplace_back(size_, step);
    steps_[size_++] = static_cast<std::uint8_t>(std::min(step, large_step));
  }
  void end_row() { ++end_; }

  [[nodiscard]] std::uint64_t bytes() const { return size_ + end_ / 8 + large_.size() * sizeof(large_[0]); }

  // By which steps a state was reached, from the number of a start state on.
  [[nodiscard]] std::vector<std::uint32_t> steps_to(StateId id) const {
    std::vector<std::uint32_t> steps;
    std::uint64_t ones = size_, at = end_;  // there are so many 1s before this bit
    for (std::uint64_t state = index_of(id);;) {
      for (; ones > state; --at) ones -= bits_[(at - 1) / 64] >> (at - 1) % 64 & 1;
      steps.push_back(step_to(state));
      const std::uint64_t row = at - state;  // rows that ended before
      if (row == 0) break;
      state = row - 1;
    }
    std::ranges::reverse(steps);
    return steps;
  }

 private:
  static constexpr std::uint32_t large_step = 255;

  [[nodiscard]] std::uint32_t step_to(std::uint64_t state) const {
    if (steps_[state] < large_step) return steps_[state];
    return std::ranges::lower_bound(large_, state, {}, &std::pair<std::uint64_t, std::uint32_t>::first)->second;
  }

  VirtualArray<std::uint64_t> bits_;
  VirtualArray<std::uint8_t> steps_;
  std::uint64_t end_ = 0, size_ = 0;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> large_;  // steps that a byte cannot hold
};

}  // namespace fathom
