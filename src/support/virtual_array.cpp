#include "support/virtual_array.hpp"

#include <sys/mman.h>

#include <new>

namespace fathom {

namespace {
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t smallest = std::size_t{16} << 20;
}  // namespace

VirtualMemory::VirtualMemory(std::size_t bytes) {
  bytes = (bytes + huge_page - 1) / huge_page * huge_page;
  for (; bytes >= huge_page; bytes = bytes / 2 / huge_page * huge_page) {
    void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at != MAP_FAILED) {
      data_ = at;
      size_ = bytes;
      // A wish: without it everything works, only slower. An array that stays small shall not take a large page.
      madvise(static_cast<char*>(at) + huge_page, size_ - huge_page, MADV_HUGEPAGE);
      return;
    }
    if (bytes <= smallest) break;
  }
  throw std::bad_alloc();
}

void VirtualMemory::give_back(std::size_t first, std::size_t end) const {
  const auto begin = reinterpret_cast<std::uintptr_t>(data_);
  const std::uintptr_t from = (begin + first + huge_page - 1) / huge_page * huge_page;
  const std::uintptr_t to = (begin + end) / huge_page * huge_page;
  if (from < to) madvise(static_cast<char*>(data_) + (from - begin), to - from, MADV_DONTNEED);
}

VirtualMemory::~VirtualMemory() {
  if (data_ != nullptr) munmap(data_, size_);
}

}  // namespace fathom
