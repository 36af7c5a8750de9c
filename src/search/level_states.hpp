// States of a level that a search has beside a store that does not keep them: one behind the other, in memory that
// never moves, so that no more of it is taken than they have ever needed.
#pragma once

#include <algorithm>
#include <utility>

#include "model/model.hpp"
#include "support/virtual_array.hpp"

namespace fathom {

class LevelStates {
 public:
  LevelStates() = default;
  explicit LevelStates(std::uint64_t memory_limit)
      : words_(std::min(memory_limit, most_reserved) / sizeof(std::uint64_t)) {}

  // False: there is no room.
  [[nodiscard]] bool add(StateView state) {
    if (words_.capacity() - size_ < state.size()) return false;
    std::ranges::copy(state, words_.data() + size_);
    size_ += state.size();
    most_ = std::max(most_, size_);
    return true;
  }
  // Of so many words each.
  [[nodiscard]] StateView state(std::uint64_t number, std::uint32_t words) const {
    return {words_.data() + number * words, words};
  }
  void clear() { size_ = 0; }
  [[nodiscard]] std::uint64_t bytes() const { return most_ * sizeof(std::uint64_t); }
  // The words of all of them, with no memory behind them.
  [[nodiscard]] VirtualArray<std::uint64_t> take() {
    words_.give_back(size_, most_);
    size_ = most_ = 0;
    return std::exchange(words_, {});
  }

 private:
  VirtualArray<std::uint64_t> words_;
  std::uint64_t size_ = 0, most_ = 0;  // words
};

}  // namespace fathom
