/* The normal form of a multiset in a packed state: filled slots first, ascending by their bits, empty slots all zero.
 * A slot is an occupancy bit followed by the element. C and C++, like bits.h, so that every executor sorts alike. */
#ifndef FATHOM_MULTISET_H
#define FATHOM_MULTISET_H

#include "bits.h"

static inline int fathom_slot_before(const uint64_t *words, uint64_t a, uint64_t b, uint64_t stride) {
  const uint64_t filled_a = fathom_get(words, a, 1), filled_b = fathom_get(words, b, 1);
  if (filled_a != filled_b) return filled_a > filled_b;
  return fathom_compare(words, a, words, b, stride) < 0;
}

static inline void fathom_swap_slots(uint64_t *words, uint64_t a, uint64_t b, uint64_t stride) {
  while (stride > 0) {
    const unsigned width = stride > 64 ? 64 : (unsigned)stride;
    const uint64_t x = fathom_get(words, a, width);
    fathom_set(words, a, width, fathom_get(words, b, width));
    fathom_set(words, b, width, x);
    a += width;
    b += width;
    stride -= width;
  }
}

/* Insertion sort: multisets are short, and after a step nearly sorted. */
static inline void fathom_sort_slots(uint64_t *words, uint64_t bit, unsigned slots, uint64_t stride) {
  for (unsigned i = 1; i < slots; i++)
    for (unsigned j = i; j > 0; j--) {
      const uint64_t here = bit + j * stride, before = here - stride;
      if (!fathom_slot_before(words, here, before, stride)) break;
      fathom_swap_slots(words, before, here, stride);
    }
}

#endif
