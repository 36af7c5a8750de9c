// Hashing and comparing states of up to eight words without loops: what a loop costs beside its body is as much as the
// body. Results are those of hash_words and same_words.
#pragma once

#include <cstdint>
#include <utility>

#include "support/hash.hpp"

namespace fathom {

// The parts of hash_words.
inline constexpr std::uint64_t hash_keys[] = {0x9e3779b97f4a7c15, 0xd6e8feb86659fd93, 0xa0761d6478bd642f};
constexpr Hash hash_start(std::uint32_t count) {
  return hash_keys[0] ^ count;
}
inline Hash hash_step(Hash h, std::uint64_t a, std::uint64_t b) {
  return fold_multiply(a ^ h ^ hash_keys[1], b ^ hash_keys[2]);
}
inline Hash hash_end(Hash h) {
  return fold_multiply(h ^ hash_keys[1], hash_keys[0]);
}

// Calls body with the sequence 0 .. count-1 as a type where count is at most eight, otherwise `loop`.
template <class Body, class Loop>
[[gnu::always_inline]] inline auto without_loop(std::uint32_t count, const Body& body, const Loop& loop) {
  switch (count) {
    case 1:
      return body(std::make_integer_sequence<std::uint32_t, 1>());
    case 2:
      return body(std::make_integer_sequence<std::uint32_t, 2>());
    case 3:
      return body(std::make_integer_sequence<std::uint32_t, 3>());
    case 4:
      return body(std::make_integer_sequence<std::uint32_t, 4>());
    case 5:
      return body(std::make_integer_sequence<std::uint32_t, 5>());
    case 6:
      return body(std::make_integer_sequence<std::uint32_t, 6>());
    case 7:
      return body(std::make_integer_sequence<std::uint32_t, 7>());
    case 8:
      return body(std::make_integer_sequence<std::uint32_t, 8>());
    default:
      return loop();
  }
}

// Words of a state whose length is known when the program is compiled, or 0 and given.
template <std::uint32_t known>
constexpr std::uint32_t length_of(std::uint32_t given) {
  return known == 0 ? given : known;
}

// Where the compiler sees how long an array is it warns of the cases for longer ones, which are never taken.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Warray-bounds"
[[gnu::always_inline]] inline bool same_short(const std::uint64_t* a, const std::uint64_t* b, std::uint32_t count) {
  return without_loop(
      count, [=]<std::uint32_t... k>(std::integer_sequence<std::uint32_t, k...>) { return ((a[k] == b[k]) && ...); },
      [=] { return same_words(a, b, count); });
}

template <std::uint32_t count, std::uint32_t first = 0>
[[gnu::always_inline]] inline Hash hash_rest(const std::uint64_t* words, Hash h) {
  if constexpr (first + 1 < count)
    return hash_rest<count, first + 2>(words, hash_step(h, words[first], words[first + 1]));
  else if constexpr (first < count)
    return hash_step(h, words[first], 0);
  else
    return h;
}

[[gnu::always_inline]] inline Hash hash_short(const std::uint64_t* words, std::uint32_t count) {
  return without_loop(
      count,
      [=]<std::uint32_t... k>(std::integer_sequence<std::uint32_t, k...>) {
        return hash_end(hash_rest<sizeof...(k)>(words, hash_start(sizeof...(k))));
      },
      [=] { return hash_words(words, count); });
}
#pragma GCC diagnostic pop

}  // namespace fathom
