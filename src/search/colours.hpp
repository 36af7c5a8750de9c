// What threads that search one graph know of its nodes: colours that all of them see, and colours of one thread alone.
// Both arrays grow as they are touched, so that nothing moves while the threads work.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "support/virtual_array.hpp"

namespace fathom {

// Up to eight colours in a byte per node. A colour once given stays.
class SharedColours {
 public:
  explicit SharedColours(std::uint64_t nodes) : bytes_(nodes) {}

  [[nodiscard]] bool has(std::uint64_t node, std::uint8_t colour) const {
    return (std::atomic_ref(bytes_[node]).load() & colour) != 0;
  }
  // Whether the node did not have it.
  bool add(std::uint64_t node, std::uint8_t colour) {
    return (std::atomic_ref(bytes_[node]).fetch_or(colour) & colour) == 0;
  }
  [[gnu::always_inline]] void prefetch(std::uint64_t node) const { __builtin_prefetch(&bytes_[node]); }
  [[nodiscard]] std::uint64_t capacity() const { return bytes_.capacity(); }
  // Of the first nodes, while nobody adds one.
  [[nodiscard]] std::span<std::uint8_t> of_first(std::uint64_t nodes) const { return {bytes_.data(), nodes}; }

 private:
  VirtualArray<std::uint8_t> bytes_;
};

// Two colours in two bits per node: there is such an array for each thread.
class OwnColours {
 public:
  static constexpr std::uint8_t first = 1, second = 2;

  explicit OwnColours(std::uint64_t nodes) : bytes_(nodes / per_byte + 1) {}

  [[nodiscard]] bool has(std::uint64_t node, std::uint8_t colour) const {
    return (bytes_[node / per_byte] >> shift(node) & colour) != 0;
  }
  void add(std::uint64_t node, std::uint8_t colour) {
    bytes_[node / per_byte] = static_cast<std::uint8_t>(bytes_[node / per_byte] | colour << shift(node));
  }
  void remove(std::uint64_t node, std::uint8_t colour) {
    bytes_[node / per_byte] = static_cast<std::uint8_t>(bytes_[node / per_byte] & ~(colour << shift(node)));
  }
  [[gnu::always_inline]] void prefetch(std::uint64_t node) const { __builtin_prefetch(&bytes_[node / per_byte]); }
  [[nodiscard]] std::uint64_t capacity() const { return bytes_.capacity() * per_byte; }
  static constexpr std::uint64_t per_byte = 4;

 private:
  static unsigned shift(std::uint64_t node) { return static_cast<unsigned>(node % per_byte * 2); }

  VirtualArray<std::uint8_t> bytes_;
};

}  // namespace fathom
