// An arrangement of states for a tree, chosen by a sample of them. The root of a state is two numbers of nodes, one for
// either half of its bytes, and nodes are few where each half takes few values: if one of them is different in nearly
// all states, there are as many nodes as states. So each byte goes to the half in which it makes fewer new values.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/model.hpp"
#include "store/state_arrangement.hpp"

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
// In longer states there are too many bytes to try them one by one.
inline constexpr std::uint32_t most_words_to_arrange = 32;

// halves[k] is the half of the root, 0 or 1, below which chunk k of a state lies. Nothing if no arrangement would be
// much better than leaving the states as they are.
std::optional<StateArrangement> better_arrangement(const StateSample& sample, const std::vector<std::uint32_t>& halves);

}  // namespace fathom
