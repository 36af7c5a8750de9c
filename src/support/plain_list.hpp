// A list of plain elements that is used as a vector is, for lists that become as long as the memory allows. A long one
// grows by an eighth, and the system moves its pages to where there is room: a vector takes the memory of the old and
// of the new elements at the same time, and then twice what it needs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "support/heap.hpp"

namespace fathom {

template <class T>
class PlainList {
 public:
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));
  using value_type = T;
  using iterator = T*;

  PlainList() = default;
  PlainList(const PlainList& other) { append(other); }
  PlainList(PlainList&& other) noexcept { swap(other); }
  PlainList& operator=(PlainList other) noexcept {
    swap(other);
    return *this;
  }
  ~PlainList() { std::free(items_); }

  [[gnu::always_inline]] void push_back(const T& item) {
    const T copy = item;  // which may stand in this very list
    if (size_ == capacity_) make_room(1);
    items_[size_++] = copy;
  }
  void pop_back() { --size_; }
  // Items of another list.
  void append(std::span<const T> items) {
    if (items.size() > capacity_ - size_) make_room(items.size());
    if (!items.empty()) std::memcpy(static_cast<void*>(items_ + size_), items.data(), items.size_bytes());
    size_ += items.size();
  }
  void prepend(std::span<const T> items) {
    if (items.size() > capacity_ - size_) make_room(items.size());
    if (size_ > 0) std::memmove(static_cast<void*>(items_ + items.size()), items_, size_ * sizeof(T));
    if (!items.empty()) std::memcpy(static_cast<void*>(items_), items.data(), items.size_bytes());
    size_ += items.size();
  }
  void resize(std::size_t count, const T& value = T{}) {
    if (count > capacity_) make_room(count - size_);
    for (; size_ < count; ++size_) items_[size_] = value;
    size_ = count;
  }
  void assign(std::size_t count, const T& value) {
    clear();
    resize(count, value);
  }
  void drop_front(std::size_t count) {
    if (count == 0) return;
    std::memmove(static_cast<void*>(items_), items_ + count, (size_ - count) * sizeof(T));
    size_ -= count;
  }
  void clear() { size_ = 0; }
  // As clear(), and gives the memory back.
  void release() { PlainList().swap(*this); }
  void shrink_to_fit() {
    if (size_ > 0) move_to(size_);
  }
  void swap(PlainList& other) noexcept {
    std::swap(items_, other.items_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] std::size_t bytes() const { return capacity_ * sizeof(T); }
  [[nodiscard]] T* data() { return items_; }
  [[nodiscard]] const T* data() const { return items_; }
  [[nodiscard]] T& operator[](std::size_t k) { return items_[k]; }
  [[nodiscard]] const T& operator[](std::size_t k) const { return items_[k]; }
  [[nodiscard]] T& front() { return items_[0]; }
  [[nodiscard]] const T& front() const { return items_[0]; }
  [[nodiscard]] T& back() { return items_[size_ - 1]; }
  [[nodiscard]] const T& back() const { return items_[size_ - 1]; }
  [[nodiscard]] T* begin() { return items_; }
  [[nodiscard]] T* end() { return items_ + size_; }
  [[nodiscard]] const T* begin() const { return items_; }
  [[nodiscard]] const T* end() const { return items_ + size_; }

 private:
  [[gnu::noinline]] void make_room(std::size_t extra) {
    const std::size_t more = capacity_ * sizeof(T) < large_block ? capacity_ : capacity_ / 8;
    move_to(std::max({size_ + extra, capacity_ + more, std::size_t{8}}));
  }

  void move_to(std::size_t capacity) {
    void* const items = std::realloc(static_cast<void*>(items_), capacity * sizeof(T));
    if (items == nullptr) throw std::bad_alloc();
    items_ = static_cast<T*>(items);
    capacity_ = capacity;
  }

  T* items_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace fathom
