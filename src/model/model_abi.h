/* The binary interface between Fathom and the code generated for one model. It is C, so that a model is an ordinary
 * shared object; model/native.cpp loads it and src/native/ writes it. Any change here must change FATHOM_ABI. */
#ifndef FATHOM_MODEL_ABI_H
#define FATHOM_MODEL_ABI_H

#include <stdint.h>

#define FATHOM_ABI 6

/* In fathom_step.fault: the step violates an assumption of the model; it was taken but leads nowhere. */
#define FATHOM_DROPPED UINT32_MAX
/* An assumption inside the step fails, so the step does not count as enabled. Never in a batch. */
#define FATHOM_BLOCKED (UINT32_MAX - 1)
/* Added to the site of an assertion that failed and let the step go on: it is a violation, and it has a successor. */
#define FATHOM_GOES_ON (UINT32_C(1) << 31)

typedef struct fathom_step {
  uint64_t instance; /* edge number << 32 | number of the parameter values, outermost parameter most significant */
  uint32_t offset;   /* of the successor in words */
  uint32_t fault;    /* 0, or the site of the fault in which the step ends, or FATHOM_GOES_ON + a site, or
                      * FATHOM_DROPPED */
} fathom_step;

/* Steps with their successor states, back to back. A step that faults has a state too (as far as it came). */
typedef struct fathom_batch {
  uint64_t *words;
  fathom_step *steps;
  uint32_t count;
  uint32_t used; /* words */
  uint32_t step_capacity;
  uint32_t word_capacity;
} fathom_batch;

/* What a running model may ask of Fathom, and the counters it keeps. */
typedef struct fathom_host {
  void *owner;
  /* Makes room for one more step and `words` more words. */
  void (*grow)(struct fathom_host *host, fathom_batch *batch, uint32_t words);
  /* `put` statements; number: of the statement in the program. All three are null while output is muted. */
  void (*put_text)(struct fathom_host *host, uint32_t number);
  void (*put_value)(struct fathom_host *host, uint32_t number, int64_t value);
  void (*put_place)(struct fathom_host *host, uint32_t number, const uint64_t *words, uint64_t bit);
  /* Executes C code that the model brings along; 0, or 1 where its condition does not hold. */
  uint32_t (*user_code)(struct fathom_host *host, uint32_t use, uint64_t *state, int64_t *value);
  uint64_t *hits;    /* per property: how often a cover was hit */
  uint32_t timeout;  /* what `timeout` is: 1 while steps are looked for that wait until no other is possible */
  uint32_t noted;    /* the site of the first assertion that failed in the step being taken and let it go on */
  uint64_t *pending; /* bit set of properties: invariants whose antecedent has not held yet */

  /* How steps of several edges are taken. */
  uint32_t single;  /* every edge is handed over as a step of its own */
  uint32_t gave_up; /* set by the model: a step was not followed to its end, so none of the batch can be used */
  uint32_t way;     /* the number of the next way through the step being taken */
  uint32_t left;    /* how many more edges this way may have before the model gives up */
  uint32_t depth;   /* how many choices there were on this way */
} fathom_host;

/* A step of several edges has the number of its first edge, with the number of the way through from this bit on. */
#define FATHOM_WAY_SHIFT 12

typedef struct fathom_model {
  uint32_t abi;
  uint32_t words; /* of a state */

  /* Every start state, in declaration order; instances number the start edges. */
  void (*initial)(fathom_host *host, fathom_batch *batch);

  /* Appends every enabled step with its successor, in declaration order. Steps of several edges are followed to their
   * end unless host->single is set. */
  void (*successors)(fathom_host *host, const uint64_t *state, fathom_batch *batch);

  /* The same for the edges of one component alone, with host->single. Null in a program whose steps are single
   * edges. */
  void (*successors_of)(fathom_host *host, const uint64_t *state, uint32_t component, fathom_batch *batch);

  /* Appends the enabled steps only: offsets are meaningless, faults are those of guards. Null where successors_of is
   * not. */
  void (*enabled)(fathom_host *host, const uint64_t *state, fathom_batch *batch);

  /* Appends what taking one enabled edge leads to: all ways through the steps that it begins, and nothing where an
   * assumption inside it fails. */
  void (*take)(fathom_host *host, const uint64_t *state, uint64_t instance, fathom_batch *batch);

  /* Evaluates invariants and covers in a state. Sets the bits of violated invariants (the set is zeroed by the
   * caller), counts hits, clears pending bits. Returns 0 if every invariant holds, 1 if one does not, and otherwise
   * 2 + the site of a fault. */
  uint32_t (*check)(fathom_host *host, const uint64_t *state, uint64_t *violated);

  /* Sets the bits of the liveness and valid_end properties whose condition holds in the state; returns 0 or
   * 2 + site. */
  uint32_t (*live)(fathom_host *host, const uint64_t *state, uint64_t *holding);

  /* Sets values[0] to the atoms of the claim that hold in the state, one bit each, and values[1] to those that cannot
   * be evaluated; returns 0, or 2 + the site where the first of these goes wrong. */
  uint32_t (*atoms)(fathom_host *host, const uint64_t *state, uint32_t claim, uint64_t *values);
} fathom_model;

/* The one symbol a model exports. */
#define FATHOM_MODEL_SYMBOL "fathom_model"

#endif
