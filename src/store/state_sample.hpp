// Some states of many, by which it is decided how all of them are kept.
#pragma once

#include <cstdint>
#include <vector>

#include "model/model.hpp"

namespace fathom {

class StateSample {
 public:
  explicit StateSample(std::uint32_t words) : words_(words) {}
  void add(StateView state) { states_.insert(states_.end(), state.begin(), state.end()); }
  [[nodiscard]] std::uint32_t words() const { return words_; }
  [[nodiscard]] std::size_t size() const { return states_.size() / words_; }
  [[nodiscard]] const std::uint64_t* state(std::size_t k) const { return &states_[k * words_]; }

 private:
  std::uint32_t words_;
  std::vector<std::uint64_t> states_;
};

// States of a sample that tell enough about millions of them, and take no more than some hundredths of a second.
inline constexpr std::size_t sample_size = 1 << 13;

}  // namespace fathom
