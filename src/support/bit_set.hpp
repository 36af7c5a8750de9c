// A set of small numbers below a size that is fixed when it is made.
#pragma once

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fathom {

class BitSet {
 public:
  BitSet() = default;
  explicit BitSet(std::size_t size) : words_((size + 63) / 64) {}

  void set(std::size_t k) { words_[k / 64] |= std::uint64_t{1} << (k % 64); }
  void reset(std::size_t k) { words_[k / 64] &= ~(std::uint64_t{1} << (k % 64)); }
  [[nodiscard]] bool test(std::size_t k) const { return ((words_[k / 64] >> (k % 64)) & 1) != 0; }
  void clear() { words_.assign(words_.size(), 0); }

  BitSet& operator|=(const BitSet& other) {
    for (std::size_t k = 0; k < words_.size(); ++k) words_[k] |= other.words_[k];
    return *this;
  }
  void subtract(const BitSet& other) {
    for (std::size_t k = 0; k < words_.size(); ++k) words_[k] &= ~other.words_[k];
  }
  [[nodiscard]] bool intersects(const BitSet& other) const {
    for (std::size_t k = 0; k < words_.size(); ++k)
      if ((words_[k] & other.words_[k]) != 0) return true;
    return false;
  }
  [[nodiscard]] bool empty() const {
    for (const std::uint64_t word : words_)
      if (word != 0) return false;
    return true;
  }

  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t k = 0; k < words_.size(); ++k)
      for (std::uint64_t bits = words_[k]; bits != 0; bits &= bits - 1)
        visit(k * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
  }

  [[nodiscard]] std::size_t word_count() const { return words_.size(); }
  [[nodiscard]] std::uint64_t word(std::size_t k) const { return words_[k]; }
  [[nodiscard]] std::uint64_t& word(std::size_t k) { return words_[k]; }
  auto operator<=>(const BitSet&) const = default;

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace fathom
