// Fetching memory that is going to be written: a line that other threads have read is asked of them in time, and not
// when the write waits for it. __builtin_prefetch(address, 1) is an ordinary prefetch unless the program is compiled
// for newer processors only.
#pragma once

namespace fathom {

[[gnu::always_inline]] inline void prefetch_to_write(const void* address) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(address)));  // older processors do nothing then
#else
  __builtin_prefetch(address, 1);
#endif
}

}  // namespace fathom
