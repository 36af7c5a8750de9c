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
      madvise(data_, size_, MADV_HUGEPAGE);  // a wish: without it everything works, only slower
      return;
    }
    if (bytes <= smallest) break;
  }
  throw std::bad_alloc();
}

VirtualMemory::~VirtualMemory() {
  if (data_ != nullptr) munmap(data_, size_);
}

}  // namespace fathom
