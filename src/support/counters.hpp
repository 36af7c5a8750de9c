// Numbers that a thread counts with at every step, while others count on theirs: they have lines of memory of their
// own. If two threads write to one line it goes to and fro between them, and so it does with everything else in it.
// (Where a list comes to lie cannot be told by who made it: memory that a thread gives back is used again by another.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace fathom {

inline constexpr std::size_t memory_line = 64;

template <class T>
struct WholeLines {
  using value_type = T;

  WholeLines() = default;
  template <class Other>
  WholeLines(const WholeLines<Other>&) {}  // NOLINT: allocators are converted

  static constexpr std::size_t bytes_for(std::size_t count) {
    return (count * sizeof(T) + memory_line - 1) / memory_line * memory_line;
  }
  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new (bytes_for(count), std::align_val_t{memory_line}));
  }
  void deallocate(T* list, std::size_t count) {
    ::operator delete (list, bytes_for(count), std::align_val_t{memory_line});
  }
  bool operator==(const WholeLines&) const { return true; }
};

using Counters = std::vector<std::uint64_t, WholeLines<std::uint64_t>>;

}  // namespace fathom
