// A line of a table of quotients, 64 bytes: how many entries there are, a tag for each by which they are found, sixteen
// at a time, and the rest of each, bit by bit: a word, and where that is not enough another one.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__) && !defined(__SANITIZE_THREAD__)
#include <emmintrin.h>
#else
#include <atomic>
#endif

namespace fathom {

class QuotientLine {
 public:
  static constexpr std::uint64_t bytes = 64;
  static constexpr std::uint32_t most_entries = 32;
  using Byte = std::uint8_t;

  struct Entry {
    std::uint8_t tag;
    std::uint64_t rest;
    std::uint64_t more = 0;
  };

  // Of entries with so many bits beside the tag, 1 to 64, and so many more.
  explicit constexpr QuotientLine(std::uint32_t rest_bits, std::uint32_t more_bits = 0)
      : entries_(entries_of(width(rest_bits), width(more_bits))),
        rest_{8 * (1 + entries_), width(rest_bits)},
        more_{behind(rest_, entries_), width(more_bits)} {}

  [[nodiscard]] std::uint32_t entries() const { return entries_; }

  // Whether one of the first so many entries of a line is this one.
  [[nodiscard, gnu::always_inline]] bool has(const Byte* line, std::uint32_t count, Entry entry) const {
    for (std::uint64_t equal = equal_tags(line, count, entry.tag); equal != 0; equal &= equal - 1) {
      const auto k = static_cast<std::uint32_t>(std::countr_zero(equal));
      if (rest_.at(line, k) == entry.rest && (more_.width == 0 || more_.at(line, k) == entry.more)) return true;
    }
    return false;
  }
  [[nodiscard, gnu::always_inline]] Entry at(const Byte* line, std::uint32_t k) const {
    return {line[1 + k], rest_.at(line, k), more_.width == 0 ? 0 : more_.at(line, k)};
  }
  // Entry k, which is not there yet, so that all of its bits are zero. Those of its neighbours stay what they are, and
  // others may look at them meanwhile.
  [[gnu::always_inline]] void write(Byte* line, std::uint32_t k, Entry entry) const {
    line[1 + k] = entry.tag;
    rest_.put_into(line, k, entry.rest);
    if (more_.width != 0) more_.put_into(line, k, entry.more);
  }
  // The first entries of a line all of whose bits are zero, at once: writing one after the other would wait each time
  // for the word that the last one was written to.
  void write_first(Byte* line, const Entry* entries, std::uint32_t count) const {
    Filling rest(line + rest_.begin / 8);
    for (std::uint32_t k = 0; k < count; ++k) {
      line[1 + k] = entries[k].tag;
      rest.add(entries[k].rest, rest_.width);
      if (more_.width != 0) more_.put_into(line, k, entries[k].more);
    }
    rest.finish();
    line[0] = static_cast<Byte>(count);
  }

 private:
  static_assert(std::endian::native == std::endian::little, "entries of a line are read as words");

  // A word that begins within a byte has room for 57 bits.
  static constexpr std::uint32_t width(std::uint32_t bits) { return bits > 57 ? 64 : bits; }

  // A part of each entry, side by side from a certain bit on.
  struct Column {
    std::uint32_t begin, width;

    // The word in which the part of an entry lies: within the line.
    struct Place {
      std::uint32_t byte, shift;
    };
    [[nodiscard, gnu::always_inline]] Place place_of(std::uint32_t k) const {
      const std::uint32_t first = begin + k * width;
      const std::uint32_t byte = std::min<std::uint32_t>(first / 8, bytes - 8);
      return {byte, first - 8 * byte};
    }
    [[nodiscard, gnu::always_inline]] std::uint64_t at(const Byte* line, std::uint32_t k) const {
      const Place place = place_of(k);
      return word_at(line + place.byte) >> place.shift << (64 - width) >> (64 - width);
    }
    [[gnu::always_inline]] void put_into(Byte* line, std::uint32_t k, std::uint64_t bits) const {
      const Place place = place_of(k);
      put(line + place.byte, bits << place.shift);
    }
  };
  // Writes bits one behind the other, word by word.
  class Filling {
   public:
    explicit Filling(Byte* to) : to_(to) {}
    [[gnu::always_inline]] void add(std::uint64_t bits, std::uint32_t width) {
      word_ |= bits << used_;
      used_ += width;
      if (used_ < 64) return;
      put_bytes(8);
      used_ -= 64;
      word_ = used_ == 0 ? 0 : bits >> (width - used_);
    }
    void finish() { put_bytes((used_ + 7) / 8); }

   private:
    void put_bytes(std::uint32_t count) {
      std::memcpy(to_, &word_, count);
      to_ += count;
    }
    Byte* to_;
    std::uint64_t word_ = 0;
    std::uint32_t used_ = 0;
  };
  // Where the next column may begin: whole words begin with a byte.
  static constexpr std::uint32_t behind(Column column, std::uint32_t entries) {
    return (column.begin + entries * column.width + 7) / 8 * 8;
  }
  static constexpr std::uint32_t entries_of(std::uint32_t rest, std::uint32_t more) {
    const auto fit = [=](std::uint32_t count) {
      return behind({8 * (1 + count), rest}, count) + count * more <= 8 * bytes;
    };
    std::uint32_t count = most_entries;
    while (!fit(count)) --count;
    return count;
  }

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
  [[nodiscard, gnu::always_inline]] static std::uint64_t word_at(const Byte* from) {
    std::uint64_t word;
    std::memcpy(&word, from, sizeof word);
    return word;
  }
  [[gnu::always_inline]] static void put(Byte* to, std::uint64_t bits) {
    const std::uint64_t word = word_at(to) | bits;
    std::memcpy(to, &word, sizeof word);
  }
#else
  // The same byte by byte, with tags only as far as they are there, and as a tool understands it that looks for races.
  [[nodiscard]] static std::uint64_t equal_tags(const Byte* line, std::uint32_t count, Byte tag) {
    std::uint64_t equal = 0;
    for (std::uint32_t k = 0; k < count; ++k) equal |= std::uint64_t{line[1 + k] == tag} << k;
    return equal;
  }
  [[nodiscard]] static std::uint64_t word_at(const Byte* from) {
    std::uint64_t word = 0;
    for (std::uint32_t k = 0; k < 8; ++k)
      word |= std::uint64_t{std::atomic_ref(const_cast<Byte&>(from[k])).load(std::memory_order_relaxed)} << 8 * k;
    return word;
  }
  static void put(Byte* to, std::uint64_t bits) {
    for (std::uint32_t k = 0; k < 8; ++k) {
      const auto part = static_cast<Byte>(bits >> 8 * k);
      if (part != 0) std::atomic_ref(to[k]).fetch_or(part, std::memory_order_relaxed);
    }
  }
#endif

  std::uint32_t entries_;
  Column rest_, more_;
};

}  // namespace fathom
