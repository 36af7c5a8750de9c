/* What the code generated for a model is written in terms of. The text of this file stands at the top of every
 * generated file, after natural.h, bits.h, multiset.h and model_abi.h.
 *
 * Every generated function has a local `fault` and a label `fail`: whatever goes wrong inside an expression stores the
 * site and jumps there, so evaluation stops at once and costs nothing while all goes well. Macros evaluate their
 * arguments once and from left to right, as the interpreter does. */
#ifndef FATHOM_RUNTIME_H
#define FATHOM_RUNTIME_H

/* How an unpacked scalar says "undefined". */
#define FATHOM_UNDEFINED INT64_MIN

#define FATHOM_INLINE static inline __attribute__((always_inline))
#define FATHOM_OUTLINE static __attribute__((noinline))
#define FATHOM_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

#define FATHOM_FAIL(site) \
  do {                    \
    fault = (site);       \
    goto fail;            \
  } while (0)

/* Conditions return 0, 1 or this. FATHOM_BLOCKED wraps to 0: a guard that runs into a failed assumption is simply not
 * enabled. */
#define FATHOM_FAULTED(fault) ((uint32_t)(2 + (fault)))

/* The code of a value in a contiguous type of `count` values from `lo` on; 0 when the type does not contain it. */
FATHOM_INLINE uint64_t fathom_code(int64_t value, int64_t lo, uint64_t count) {
  const uint64_t distance = (uint64_t)value - (uint64_t)lo;
  return distance < count ? distance + 1 : 0;
}

/* The value behind a code that is not 0. Codes are small, so this does not overflow and comparisons fold. */
FATHOM_INLINE int64_t fathom_value(uint64_t code, int64_t lo) {
  return (int64_t)code + (lo - 1);
}

/* The same for a type whose codes need all 64 bits. */
FATHOM_INLINE int64_t fathom_wide_value(uint64_t code, int64_t lo) {
  return (int64_t)(code + ((uint64_t)lo - 1));
}

/* The number that `bits` bits are in two's complement. */
FATHOM_INLINE int64_t fathom_signed(uint64_t code, unsigned bits) {
  return (int64_t)(code << (64 - bits)) >> (64 - bits);
}

/* What is left of a result in C's int. */
FATHOM_INLINE int64_t fathom_wrap(int64_t value) {
  return fathom_signed((uint64_t)value, 32);
}

#define FATHOM_DEFINED(value, site)                                     \
  ({                                                                    \
    const int64_t value_ = (value);                                     \
    if (FATHOM_UNLIKELY(value_ == FATHOM_UNDEFINED)) FATHOM_FAIL(site); \
    value_;                                                             \
  })

#define FATHOM_DEFINED_CODE(code, site)                 \
  ({                                                    \
    const uint64_t code_ = (code);                      \
    if (FATHOM_UNLIKELY(code_ == 0)) FATHOM_FAIL(site); \
    code_;                                              \
  })

#define FATHOM_COMPARE(a, relation, b) \
  ({                                   \
    const int64_t a_ = (a);            \
    const int64_t b_ = (b);            \
    a_ relation b_;                    \
  })

/* Also used for results that no operation may have: FATHOM_UNDEFINED counts as overflow. */
#define FATHOM_CHECKED(operation, a, b, site)                                                           \
  ({                                                                                                    \
    const int64_t a_ = (a);                                                                             \
    const int64_t b_ = (b);                                                                             \
    int64_t result_;                                                                                    \
    if (FATHOM_UNLIKELY(operation(a_, b_, &result_) || result_ == FATHOM_UNDEFINED)) FATHOM_FAIL(site); \
    result_;                                                                                            \
  })

#define FATHOM_COMPLEMENT(a, site) \
  ({ \
    const int64_t a_ = ~(a); \
    if (FATHOM_UNLIKELY(a_ == FATHOM_UNDEFINED)) FATHOM_FAIL(site); \
    a_; \
  })

#define FATHOM_NEGATE(a, site)                                      \
  ({                                                                \
    const int64_t a_ = (a);                                         \
    if (FATHOM_UNLIKELY(a_ == FATHOM_UNDEFINED)) FATHOM_FAIL(site); \
    -a_;                                                            \
  })

FATHOM_INLINE int fathom_add(int64_t a, int64_t b, int64_t* result) {
  return __builtin_add_overflow(a, b, result);
}
FATHOM_INLINE int fathom_subtract(int64_t a, int64_t b, int64_t* result) {
  return __builtin_sub_overflow(a, b, result);
}
FATHOM_INLINE int fathom_multiply(int64_t a, int64_t b, int64_t* result) {
  return __builtin_mul_overflow(a, b, result);
}

FATHOM_INLINE int fathom_divide(int64_t a, int64_t b, int64_t* result) {
  if (b == 0) return 1;
  *result = b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
  return 0;
}

FATHOM_INLINE int fathom_modulo(int64_t a, int64_t b, int64_t* result) {
  if (b == 0) return 1;
  *result = b == -1 ? 0 : a % b;
  return 0;
}

/* A negative distance shifts the other way, and a distance past the width leaves nothing. */
FATHOM_INLINE int64_t fathom_shifted(int64_t a, int64_t left) {
  if (left <= -64 || left >= 64) return 0;
  return left >= 0 ? (int64_t)((uint64_t)a << left) : a >> -left;
}

FATHOM_INLINE int fathom_shift_left(int64_t a, int64_t b, int64_t *result) {
  *result = fathom_shifted(a, b);
  return 0;
}

FATHOM_INLINE int fathom_shift_right(int64_t a, int64_t b, int64_t *result) {
  *result = fathom_shifted(a, -b);
  return 0;
}

FATHOM_INLINE int fathom_bit_and(int64_t a, int64_t b, int64_t *result) {
  *result = a & b;
  return 0;
}

FATHOM_INLINE int fathom_bit_or(int64_t a, int64_t b, int64_t *result) {
  *result = a | b;
  return 0;
}

FATHOM_INLINE int fathom_bit_xor(int64_t a, int64_t b, int64_t *result) {
  *result = a ^ b;
  return 0;
}

/* Machine integers: the low 32 bits of a result, and only a division by zero has none. */
FATHOM_INLINE int fathom_machine_add(int64_t a, int64_t b, int64_t *result) {
  *result = fathom_wrap((int64_t)((uint64_t)a + (uint64_t)b));
  return 0;
}

FATHOM_INLINE int fathom_machine_subtract(int64_t a, int64_t b, int64_t *result) {
  *result = fathom_wrap((int64_t)((uint64_t)a - (uint64_t)b));
  return 0;
}

FATHOM_INLINE int fathom_machine_multiply(int64_t a, int64_t b, int64_t *result) {
  *result = fathom_wrap((int64_t)((uint64_t)a * (uint64_t)b));
  return 0;
}

FATHOM_INLINE int fathom_machine_divide(int64_t a, int64_t b, int64_t *result) {
  if (b == 0) return 1;
  *result = fathom_wrap(a / b);
  return 0;
}

FATHOM_INLINE int fathom_machine_modulo(int64_t a, int64_t b, int64_t *result) {
  if (b == 0) return 1;
  *result = fathom_wrap(a % b);
  return 0;
}

FATHOM_INLINE int fathom_machine_shift_left(int64_t a, int64_t b, int64_t *result) {
  *result = fathom_wrap((int64_t)((uint64_t)a << (b & 31)));
  return 0;
}

FATHOM_INLINE int fathom_machine_shift_right(int64_t a, int64_t b, int64_t *result) {
  *result = fathom_wrap(a) >> (b & 31);
  return 0;
}

FATHOM_INLINE int fathom_machine_bit_and(int64_t a, int64_t b, int64_t *result) {
  *result = fathom_wrap(a & b);
  return 0;
}

FATHOM_INLINE int fathom_machine_bit_or(int64_t a, int64_t b, int64_t *result) {
  *result = fathom_wrap(a | b);
  return 0;
}

FATHOM_INLINE int fathom_machine_bit_xor(int64_t a, int64_t b, int64_t *result) {
  *result = fathom_wrap(a ^ b);
  return 0;
}

/* How many values from..to has in steps of `step` (not 0), both ends included. */
FATHOM_INLINE uint64_t fathom_rounds(int64_t from, int64_t to, int64_t step) {
  if (step > 0) return from > to ? 0 : ((uint64_t)to - (uint64_t)from) / (uint64_t)step + 1;
  return from < to ? 0 : ((uint64_t)from - (uint64_t)to) / (0 - (uint64_t)step) + 1;
}

/* The first free slot of a multiset, or `slots` when all are taken. */
static inline unsigned fathom_free_slot(const uint64_t* words, uint64_t bit, unsigned slots, uint64_t stride) {
  unsigned slot = 0;
  while (slot < slots && fathom_get(words, bit + slot * stride, 1)) ++slot;
  return slot;
}

FATHOM_INLINE void fathom_copy_words(uint64_t* to, const uint64_t* from, uint32_t words) {
  if (words > 8) {
    __builtin_memcpy(to, from, words * sizeof *to);
  } else {
#pragma GCC unroll 8
    for (uint32_t k = 0; k < words; ++k) to[k] = from[k];
  }
}

/* The host makes room for one more step in a batch that is full, so the batch says that it is until there is enough. */
FATHOM_OUTLINE void fathom_grow(fathom_host* host, fathom_batch* batch, uint32_t steps, uint32_t words) {
  const uint32_t count = batch->count;
  if (batch->word_capacity - batch->used < words) host->grow(host, batch, words);
  while (batch->step_capacity - count < steps) {
    batch->count = batch->step_capacity;
    host->grow(host, batch, 0);
  }
  batch->count = count;
}

/* Makes room for some more steps with states of `words` words each, and returns where the next state goes. */
FATHOM_INLINE uint64_t* fathom_spare(fathom_host* host, fathom_batch* batch, uint32_t steps, uint32_t words) {
  if (FATHOM_UNLIKELY(batch->step_capacity - batch->count < steps ||
                      batch->word_capacity - batch->used < steps * words))
    fathom_grow(host, batch, steps, steps * words);
  return batch->words + batch->used;
}

/* Appends the step whose state has been written to the spare room. */
FATHOM_INLINE void fathom_push(fathom_batch* batch, uint64_t instance, uint32_t fault, uint32_t words) {
  fathom_step* const step = &batch->steps[batch->count++];
  step->instance = instance;
  step->offset = batch->used;
  step->fault = fault;
  batch->used += words;
}

/* How a step without a fault ended, given the assertions in it that failed and let it go on. */
FATHOM_INLINE uint32_t fathom_noted(const fathom_host* host) {
  return FATHOM_UNLIKELY(host->noted) ? FATHOM_GOES_ON | host->noted : 0;
}

/* A guard that faults before the inner parameters are chosen faults for all of their values. */
FATHOM_OUTLINE void fathom_push_faults(fathom_host* host, fathom_batch* batch, const uint64_t* state, uint32_t words,
                                       uint64_t instance, uint64_t count, uint32_t fault) {
  for (uint64_t k = 0; k < count; ++k) {
    fathom_copy_words(fathom_spare(host, batch, 1, words), state, words);
    fathom_push(batch, instance + k, fault, words);
  }
}

#endif
