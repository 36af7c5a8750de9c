// Which bits of a state belong together in its code (state_code.hpp), by a sample of states: those of which it is
// seldom that one takes a value beside every value of the other.
#pragma once

#include <vector>

#include "store/state_code.hpp"
#include "store/state_sample.hpp"
#include "support/team.hpp"

namespace fathom {

// For states of so many bits, up to 128, in one word or two.
std::vector<ColumnBits> choose_columns(const StateSample& sample, std::uint32_t state_bits, Team* team = nullptr);

}  // namespace fathom
