// Hash functions for packed states. The exact stores compare states, so speed counts here and a weak corner costs only
// a probe; fingerprint stores, where a collision loses a state, use XXH3 instead (store/fingerprint.hpp).
#pragma once

#include <cstdint>

namespace fathom {

using Hash = std::uint64_t;

// Multiply to 128 bits and fold: one instruction and an xor mix two words completely.
inline std::uint64_t fold_multiply(std::uint64_t a, std::uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline Hash hash_words(const std::uint64_t* words, std::uint32_t count) {
  constexpr std::uint64_t k0 = 0x9e3779b97f4a7c15, k1 = 0xd6e8feb86659fd93, k2 = 0xa0761d6478bd642f;
  std::uint64_t h = k0 ^ count;
  std::uint32_t i = 0;
  for (; i + 1 < count; i += 2) h = fold_multiply(words[i] ^ h ^ k1, words[i + 1] ^ k2);
  if (i < count) h = fold_multiply(words[i] ^ h ^ k1, k2);
  return fold_multiply(h ^ k1, k0);
}

// States are a few words long: a loop beats a call to memcmp.
inline bool same_words(const std::uint64_t* a, const std::uint64_t* b, std::uint32_t count) {
  for (std::uint32_t k = 0; k < count; ++k)
    if (a[k] != b[k]) return false;
  return true;
}

// A bijection on 64-bit words that maps 0 to 0, with every output bit depending on every input bit. A store may keep
// the mixed word instead of the word: equality is preserved and the low bits address the table.
constexpr std::uint64_t mix_bijective(std::uint64_t x) {
  x ^= x >> 32;
  x *= 0x9fb21c651e98df25;
  x ^= x >> 29;
  x *= 0xd6e8feb86659fd93;
  x ^= x >> 32;
  return x;
}

}  // namespace fathom
