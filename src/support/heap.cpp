#include "support/heap.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace fathom {

void give_large_blocks_back() {
  mallopt(M_MMAP_THRESHOLD, static_cast<int>(large_block));
  mallopt(M_TRIM_THRESHOLD, static_cast<int>(large_block));
}

void give_free_blocks_back() {
  malloc_trim(0);
}

// This is asked often, so the file stays open. It has the pages of the address space, a blank, and those in use.
std::uint64_t memory_in_use() {
  static const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  static const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  std::array<char, 64> text{};
  if (pread(file, text.data(), text.size() - 1, 0) <= 0) return 0;
  char* rest = text.data();
  std::strtoull(rest, &rest, 10);
  return std::strtoull(rest, nullptr, 10) * page;
}

}  // namespace fathom
