// Which edges may have been taken inside steps that began with others. A search counts the first edge of a step only,
// and of the others nobody can say that they were never taken.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ir/program.hpp"

namespace fathom {

// Per edge; `fired` says how often steps began with each.
std::vector<bool> taken_inside_steps(const ir::Program& program, std::span<const std::uint64_t> fired);

}  // namespace fathom
