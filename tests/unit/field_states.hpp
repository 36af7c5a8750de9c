// States of one word or two that are made of fields, as those of models are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>

#include "model/model.hpp"

namespace fathom {

// Fields of five bits with few values each, more of them when there is more variety, all over one or two words. Two
// fields in a row have nearly always the same value.
inline StateBuffer some_state(std::mt19937_64& random, std::uint32_t bits, std::uint64_t variety) {
  StateBuffer state(bits > 64 ? 2 : 1, 0);
  std::uint64_t value = 0;
  for (std::uint32_t field = 0; 5 * field + 5 <= bits; ++field) {
    if (field % 2 == 0 || random() % 64 == 0) value = random() % std::min<std::uint64_t>(variety, 32);
    for (std::uint32_t k = 0; k < 5; ++k) state[(5 * field + k) / 64] |= (value >> k & 1) << (5 * field + k) % 64;
  }
  return state;
}

}  // namespace fathom
