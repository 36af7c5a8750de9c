// A line of a table of quotients, 64 bytes: how many entries there are, a tag for each by which they are found, sixteen
// at a time, and the rest of each.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__) && !defined(__SANITIZE_THREAD__)
#include <emmintrin.h>
#endif

namespace fathom {

class QuotientLine {
 public:
  static constexpr std::uint64_t bytes = 64;
  using Byte = std::uint8_t;

  struct Entry {
    std::uint8_t tag;
    std::uint64_t rest;
  };

  // Of entries with so many bits beside the tag: 1 to 64.
  explicit constexpr QuotientLine(std::uint32_t rest_bits)
      : rest_bytes_((rest_bits + 7) / 8),
        entries_(static_cast<std::uint32_t>((bytes - 1) / (1 + rest_bytes_))),
        rest_begin_(1 + entries_),
        rest_shift_(64 - 8 * rest_bytes_) {}

  [[nodiscard]] std::uint32_t entries() const { return entries_; }

  // Whether one of the first so many entries of a line is this one.
  [[nodiscard, gnu::always_inline]] bool has(const Byte* line, std::uint32_t count, Entry entry) const {
    for (std::uint64_t equal = equal_tags(line, count, entry.tag); equal != 0; equal &= equal - 1)
      if (rest_at(line, static_cast<std::uint32_t>(std::countr_zero(equal))) == entry.rest) return true;
    return false;
  }
  [[nodiscard, gnu::always_inline]] Entry at(const Byte* line, std::uint32_t k) const {
    return {line[1 + k], rest_at(line, k)};
  }
  [[gnu::always_inline]] void write(Byte* line, std::uint32_t k, Entry entry) const {
    line[1 + k] = entry.tag;
    Byte* const to = line + rest_begin_ + k * rest_bytes_;
    if (rest_bytes_ == 8) {
      std::memcpy(to, &entry.rest, 8);
    } else if (rest_bytes_ >= 4) {  // two halves, which may overlap
      const std::uint32_t low = static_cast<std::uint32_t>(entry.rest);
      const std::uint32_t high = static_cast<std::uint32_t>(entry.rest >> 8 * (rest_bytes_ - 4));
      std::memcpy(to, &low, 4);
      std::memcpy(to + rest_bytes_ - 4, &high, 4);
    } else {
      for (std::uint32_t byte = 0; byte < rest_bytes_; ++byte) to[byte] = static_cast<Byte>(entry.rest >> 8 * byte);
    }
  }

 private:
  static_assert(std::endian::native == std::endian::little, "entries of a line are read as words");

#if defined(__SSE2__) && !defined(__SANITIZE_THREAD__)
  // The bit k is set if entry k has this tag.
  [[nodiscard, gnu::always_inline]] static std::uint64_t equal_tags(const Byte* line, std::uint32_t count, Byte tag) {
    const __m128i wanted = _mm_set1_epi8(static_cast<char>(tag));
    const auto sixteen_from = [&](const Byte* tags) {
      const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(tags));
      return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(some, wanted)));
    };
    std::uint64_t equal = sixteen_from(line + 1);
    if (count > 16) equal |= std::uint64_t{sixteen_from(line + 17)} << 16;
    return equal & ((std::uint64_t{1} << count) - 1);
  }
  // The word that ends with it lies within the line.
  [[nodiscard, gnu::always_inline]] std::uint64_t rest_at(const Byte* line, std::uint32_t k) const {
    std::uint64_t rest;
    std::memcpy(&rest, line + rest_begin_ + (k + 1) * rest_bytes_ - sizeof rest, sizeof rest);
    return rest >> rest_shift_;
  }
#else
  // The same without looking at bytes that another thread may write meanwhile.
  [[nodiscard]] static std::uint64_t equal_tags(const Byte* line, std::uint32_t count, Byte tag) {
    std::uint64_t equal = 0;
    for (std::uint32_t k = 0; k < count; ++k) equal |= std::uint64_t{line[1 + k] == tag} << k;
    return equal;
  }
  [[nodiscard]] std::uint64_t rest_at(const Byte* line, std::uint32_t k) const {
    std::uint64_t rest = 0;
    std::memcpy(&rest, line + rest_begin_ + k * rest_bytes_, rest_bytes_);
    return rest;
  }
#endif

  std::uint32_t rest_bytes_, entries_, rest_begin_, rest_shift_;
};

}  // namespace fathom
