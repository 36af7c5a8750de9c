/* Bit fields in a packed state, an array of 64-bit words. This header is C and C++: the interpreter and the code we
 * generate for a model read and write states through the same functions. With constant offsets the compiler folds
 * them to a shift and a mask. Fields may straddle two words; no function touches a word outside the field. */
#ifndef FATHOM_BITS_H
#define FATHOM_BITS_H

#include <stdint.h>

static inline uint64_t fathom_mask(unsigned width) { return width >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1; }

/* width is 1..64 */
static inline uint64_t fathom_get(const uint64_t *words, uint64_t bit, unsigned width) {
  const uint64_t *word = words + (bit >> 6);
  const unsigned shift = (unsigned)(bit & 63);
  uint64_t value = word[0] >> shift;
  if (shift + width > 64) value |= word[1] << (64 - shift);
  return value & fathom_mask(width);
}

static inline void fathom_set(uint64_t *words, uint64_t bit, unsigned width, uint64_t value) {
  uint64_t *word = words + (bit >> 6);
  const unsigned shift = (unsigned)(bit & 63);
  const uint64_t mask = fathom_mask(width);
  word[0] = (word[0] & ~(mask << shift)) | (value << shift);
  if (shift + width > 64) word[1] = (word[1] & ~(mask >> (64 - shift))) | (value >> (64 - shift));
}

/* The two ranges must not overlap unless they are the same. */
static inline void fathom_copy(uint64_t *to, uint64_t to_bit, const uint64_t *from, uint64_t from_bit, uint64_t bits) {
  while (bits > 0) {
    const unsigned width = bits > 64 ? 64 : (unsigned)bits;
    fathom_set(to, to_bit, width, fathom_get(from, from_bit, width));
    to_bit += width;
    from_bit += width;
    bits -= width;
  }
}

static inline void fathom_zero(uint64_t *to, uint64_t to_bit, uint64_t bits) {
  while (bits > 0) {
    const unsigned width = bits > 64 ? 64 : (unsigned)bits;
    fathom_set(to, to_bit, width, 0);
    to_bit += width;
    bits -= width;
  }
}

/* -1, 0, 1: the fields as numbers, compared from the first bits on. */
static inline int fathom_compare(const uint64_t *a, uint64_t a_bit, const uint64_t *b, uint64_t b_bit, uint64_t bits) {
  while (bits > 0) {
    const unsigned width = bits > 64 ? 64 : (unsigned)bits;
    const uint64_t x = fathom_get(a, a_bit, width), y = fathom_get(b, b_bit, width);
    if (x != y) return x < y ? -1 : 1;
    a_bit += width;
    b_bit += width;
    bits -= width;
  }
  return 0;
}

#endif
