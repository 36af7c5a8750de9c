// A list of plain elements that only becomes longer. Unlike a vector it never moves what it holds, so that growing does
// not take the memory of the old and of the new elements at the same time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>

#include "support/virtual_array.hpp"

namespace fathom {

template <class T>
requires std::is_trivially_destructible_v<T>
class GrowingArray {
 public:
  // For whoever ends soon after it has taken so much memory.
  explicit GrowingArray(std::uint64_t memory) : items_((std::min(memory, most_reserved / 2) + reserve) / sizeof(T)) {}

  void push_back(const T& element) { std::construct_at(&items_[size_++], element); }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t bytes() const { return size_ * sizeof(T); }
  [[nodiscard]] T& operator[](std::size_t k) const { return items_[k]; }
  [[nodiscard]] T* begin() const { return items_.data(); }
  [[nodiscard]] T* end() const { return items_.data() + size_; }

 private:
  static constexpr std::uint64_t reserve = std::uint64_t{1} << 28;  // of address space

  VirtualArray<T> items_;
  std::size_t size_ = 0;
};

}  // namespace fathom
