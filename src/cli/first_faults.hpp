// A look at the first states of a program, before the search that matters.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/program.hpp"

namespace fathom {

// The faults that steps from the first few thousand states, and a few random runs, run into, counted per site, as far
// as processes may still call functions there.
std::vector<std::uint64_t> first_faults(const ir::Program& program);

}  // namespace fathom
