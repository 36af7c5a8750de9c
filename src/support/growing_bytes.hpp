// Bytes with numbers, zero until they are written. Memory is reserved far ahead, but a little at a time is written to
// and so taken from the system: a vector would write zeros into all that it might need, and copy what it has each time
// it doubles.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace fathom {

class GrowingBytes {
 public:
  // Numbers below this can be used.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::uint8_t* data() const { return bytes_.get(); }
  [[nodiscard]] std::uint8_t& operator[](std::uint64_t k) const { return bytes_[k]; }
  [[gnu::always_inline]] void cover(std::uint64_t bound) {
    if (bound > size_) grow(bound);
  }

 private:
  struct Free {
    void operator()(std::uint8_t* bytes) const { std::free(bytes); }
  };
  static constexpr std::uint64_t least = 4096, small = std::uint64_t{16} << 20;

  [[gnu::noinline]] void grow(std::uint64_t bound) {
    const std::uint64_t wanted = std::max({bound, size_ + size_ / 8, least});
    if (wanted > capacity_) move_to(std::max(wanted, capacity_ * (capacity_ < small ? 8 : 2)));
    std::memset(bytes_.get() + size_, 0, wanted - size_);
    size_ = wanted;
  }

  void move_to(std::uint64_t capacity) {
    std::unique_ptr<std::uint8_t[], Free> larger(static_cast<std::uint8_t*>(std::malloc(capacity)));
    if (larger == nullptr) throw std::bad_alloc();
    if (size_ > 0) std::memcpy(larger.get(), bytes_.get(), size_);
    bytes_ = std::move(larger);
    capacity_ = capacity;
  }

  std::unique_ptr<std::uint8_t[], Free> bytes_;
  std::uint64_t size_ = 0;
  std::uint64_t capacity_ = 0;
};

}  // namespace fathom
