/* Arithmetic on the numbers 0..2^64-2, for models in which some number is 2^63 or more. A register holds such a number
 * less 2^63 - 1: that is in the order of signed numbers and leaves INT64_MIN free to stand for "undefined". This header
 * is C and C++: the checker, the interpreter and the code we generate calculate with the same functions.
 *
 * Every function returns whether there is no result: it would be below 0 or above 2^64 - 1, or the divisor is 0. The
 * number 2^64 - 1 itself comes out as INT64_MIN, which no arithmetic may produce: the caller treats it as overflow. */
#ifndef FATHOM_NATURAL_H
#define FATHOM_NATURAL_H

#include <stdint.h>

/* How the number 0 is held. */
#define FATHOM_NATURAL_ZERO (INT64_MIN + 1)

static inline uint64_t fathom_natural(int64_t held) { return (uint64_t)held - (uint64_t)FATHOM_NATURAL_ZERO; }
static inline int64_t fathom_held(uint64_t natural) { return (int64_t)(natural + (uint64_t)FATHOM_NATURAL_ZERO); }

static inline int fathom_natural_add(int64_t a, int64_t b, int64_t *result) {
  uint64_t sum;
  const int overflow = __builtin_add_overflow(fathom_natural(a), fathom_natural(b), &sum);
  *result = fathom_held(sum);
  return overflow;
}

static inline int fathom_natural_subtract(int64_t a, int64_t b, int64_t *result) {
  uint64_t difference;
  const int overflow = __builtin_sub_overflow(fathom_natural(a), fathom_natural(b), &difference);
  *result = fathom_held(difference);
  return overflow;
}

static inline int fathom_natural_multiply(int64_t a, int64_t b, int64_t *result) {
  uint64_t product;
  const int overflow = __builtin_mul_overflow(fathom_natural(a), fathom_natural(b), &product);
  *result = fathom_held(product);
  return overflow;
}

static inline int fathom_natural_divide(int64_t a, int64_t b, int64_t *result) {
  if (fathom_natural(b) == 0) return 1;
  *result = fathom_held(fathom_natural(a) / fathom_natural(b));
  return 0;
}

static inline int fathom_natural_modulo(int64_t a, int64_t b, int64_t *result) {
  if (fathom_natural(b) == 0) return 1;
  *result = fathom_held(fathom_natural(a) % fathom_natural(b));
  return 0;
}

/* A distance past the width leaves nothing. */
static inline int fathom_natural_shift_left(int64_t a, int64_t b, int64_t *result) {
  *result = fathom_held(fathom_natural(b) > 63 ? 0 : fathom_natural(a) << fathom_natural(b));
  return 0;
}

static inline int fathom_natural_shift_right(int64_t a, int64_t b, int64_t *result) {
  *result = fathom_held(fathom_natural(b) > 63 ? 0 : fathom_natural(a) >> fathom_natural(b));
  return 0;
}

static inline int fathom_natural_bit_and(int64_t a, int64_t b, int64_t *result) {
  *result = fathom_held(fathom_natural(a) & fathom_natural(b));
  return 0;
}

static inline int fathom_natural_bit_or(int64_t a, int64_t b, int64_t *result) {
  *result = fathom_held(fathom_natural(a) | fathom_natural(b));
  return 0;
}

static inline int fathom_natural_bit_xor(int64_t a, int64_t b, int64_t *result) {
  *result = fathom_held(fathom_natural(a) ^ fathom_natural(b));
  return 0;
}

#endif
