// What the machine we run on has to offer.
#pragma once

#include <cstdint>

namespace fathom {

// Bytes of memory this process may use: those of the machine or of its control group, whichever is less.
std::uint64_t available_memory();

// Processors this process may use, at least one.
std::uint64_t available_cores();

}  // namespace fathom
