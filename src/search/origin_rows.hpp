// States that wait to be expanded, or are kept for later, beside a store that does not keep them: each is a row of as
// few bytes as it needs, what the store makes of the state (its words, or its root in a tree) and the number of the
// state it comes from. A key of more than two words is kept as it is.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

namespace fathom {

class OriginRows {
 public:
  using Byte = std::uint8_t;
  using Key = std::vector<std::uint64_t>;
  // States that can be an origin.
  static constexpr std::uint64_t most_origins = std::uint64_t{1} << 32;

  explicit constexpr OriginRows(std::uint32_t key_bits)
      : key_bytes_(key_bits > narrow * 8 ? (key_bits + 63) / 64 * 8 : std::max(4U, (key_bits + 7) / 8)) {}

  [[nodiscard]] std::uint64_t bytes() const { return key_bytes_ + sizeof(Origin); }  // of a row

  // Several threads may write neighbours, so nothing but the row is touched.
  [[gnu::always_inline]] void write(Byte* rows, std::uint64_t k, const std::uint64_t* key, std::uint64_t origin) const {
    Byte* const row = rows + k * bytes();
    if (key_bytes_ <= 8) {
      put<std::uint32_t>(row, key[0]);
      put<std::uint32_t>(row + key_bytes_ - 4, key[0] >> 8 * (key_bytes_ - 4));
    } else if (key_bytes_ <= narrow) {
      put<std::uint64_t>(row, key[0]);
      const auto both = static_cast<unsigned __int128>(key[1]) << 64 | key[0];
      put<std::uint64_t>(row + key_bytes_ - 8, static_cast<std::uint64_t>(both >> 8 * (key_bytes_ - 8)));
    } else {
      copy(row, key, key_bytes_);
    }
    set_origin(rows, k, origin);
  }
  void set_origin(Byte* rows, std::uint64_t k, std::uint64_t origin) const {
    put<Origin>(rows + k * bytes() + key_bytes_, origin);
  }

  [[nodiscard]] Key empty_key() const { return Key(std::max(narrow, key_bytes_) / 8); }
  // Into the words of an empty key.
  [[gnu::always_inline]] void read(const Byte* rows, std::uint64_t k, std::uint64_t* key) const {
    const Byte* const row = rows + k * bytes();
    if (key_bytes_ > narrow) [[unlikely]] {
      copy(key, row, key_bytes_);
      return;
    }
    const auto first = word_at<std::uint64_t>(row);  // a row has eight bytes at least
    key[0] = key_bytes_ <= 8 ? first << (64 - 8 * key_bytes_) >> (64 - 8 * key_bytes_) : first;
    key[1] = key_bytes_ <= 8 ? 0 : word_at<std::uint64_t>(row + key_bytes_ - 8) >> (128 - 8 * key_bytes_);
  }
  [[nodiscard]] Key key(const Byte* rows, std::uint64_t k) const {
    Key key = empty_key();
    read(rows, k, key.data());
    return key;
  }
  [[nodiscard, gnu::always_inline]] std::uint64_t origin(const Byte* rows, std::uint64_t k) const {
    return word_at<Origin>(rows + k * bytes() + key_bytes_);
  }

 private:
  using Origin = std::uint32_t;
  static constexpr std::uint32_t narrow = 16;  // bytes
  static_assert(std::endian::native == std::endian::little, "the parts of a key overlap");

  // Apart, because the compiler would warn of it wherever a key is one word by its type.
  [[gnu::noinline]] static void copy(void* to, const void* from, std::uint64_t bytes) { std::memcpy(to, from, bytes); }

  template <class Word>
  [[gnu::always_inline]] static void put(Byte* to, std::uint64_t word) {
    const auto narrow = static_cast<Word>(word);
    std::memcpy(to, &narrow, sizeof narrow);
  }
  template <class Word>
  [[nodiscard, gnu::always_inline]] static Word word_at(const Byte* from) {
    Word word;
    std::memcpy(&word, from, sizeof word);
    return word;
  }

  std::uint32_t key_bytes_;
};

}  // namespace fathom
