// A large array that grows in place. Address space is reserved once; memory is taken page by page as it is touched, so
// elements never move, growing costs nothing, and untouched capacity is free. Huge pages are requested: random access
// to gigabytes is 2 to 3 times faster with them (benchmarks/store.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace fathom {

// Bytes of address space that one array may reserve, whatever the memory limit.
inline constexpr std::uint64_t most_reserved = std::uint64_t{1} << 42;

// What a few arrays may take beyond what stands in them, with so much memory, because it comes in large pages.
constexpr std::uint64_t spare_pages(std::uint64_t memory) {
  constexpr std::uint64_t most = std::uint64_t{8} << 20;
  return memory / 16 < most ? memory / 16 : most;
}

class VirtualMemory {
 public:
  VirtualMemory() = default;
  // Reserves up to `bytes`; where the system refuses, as much as it grants. Throws std::bad_alloc when that is nothing.
  explicit VirtualMemory(std::size_t bytes);
  VirtualMemory(VirtualMemory&& other) noexcept { swap(other); }
  VirtualMemory& operator=(VirtualMemory&& other) noexcept {
    swap(other);
    return *this;
  }
  ~VirtualMemory();

  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  // The memory of the large pages that lie between these bytes; when they are looked at again they are zero.
  void give_back(std::size_t first, std::size_t end) const;

 private:
  void swap(VirtualMemory& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

// Zero-initialised elements of a trivial type.
template <class T>
class VirtualArray {
 public:
  VirtualArray() = default;
  explicit VirtualArray(std::size_t max_elements) : memory_(max_elements * sizeof(T)) {}

  [[nodiscard]] T* data() const { return static_cast<T*>(memory_.data()); }
  [[nodiscard]] std::size_t capacity() const { return memory_.size() / sizeof(T); }
  T& operator[](std::size_t k) const { return data()[k]; }
  // What elements first .. end-1 take, as far as it is whole pages.
  void give_back(std::size_t first, std::size_t end) const { memory_.give_back(first * sizeof(T), end * sizeof(T)); }

 private:
  VirtualMemory memory_;
};

}  // namespace fathom
