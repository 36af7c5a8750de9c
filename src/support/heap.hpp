// What the heap does with large blocks, and how much memory the process has.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fathom {

// Blocks of this size or more are pages of their own: they grow without being copied, and go back to the system when
// they are freed, so that freed memory does not count against --memory.
inline constexpr std::size_t large_block = std::size_t{1} << 20;

// Sees to that, once, before there are threads. Left alone, the heap keeps larger and larger blocks for later.
void give_large_blocks_back();

// All that is free in the heap goes back now.
void give_free_blocks_back();

// Bytes of memory that this process has in use.
std::uint64_t memory_in_use();

}  // namespace fathom
