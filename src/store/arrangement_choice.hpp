// An arrangement of states for a tree, chosen by a sample of them. The root of a state is two numbers of nodes, one for
// either half of its bytes, and nodes are few where each half takes few values: if one of them is different in nearly
// all states, there are as many nodes as states. So each byte goes to the half in which it makes fewer new values.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "store/state_arrangement.hpp"
#include "store/state_sample.hpp"

namespace fathom {

// In longer states there are too many bytes to try them one by one.
inline constexpr std::uint32_t most_words_to_arrange = 32;

// halves[k] is the half of the root, 0 or 1, below which chunk k of a state lies. Nothing if no arrangement would be
// much better than leaving the states as they are.
std::optional<StateArrangement> better_arrangement(const StateSample& sample, const std::vector<std::uint32_t>& halves);

}  // namespace fathom
