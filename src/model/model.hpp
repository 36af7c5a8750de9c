// What a search needs to know about a model: states are spans of 64-bit words, steps are numbered, and all successors
// of a state are handed over in one Batch. Granularity decides speed here: a call per state is free, one per edge is
// not.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "ir/program.hpp"
#include "model/model_abi.h"

namespace fathom {

using StateView = std::span<const std::uint64_t>;
using StateBuffer = std::vector<std::uint64_t>;

// A step of the composed system: which edge, with which parameter values.
enum class InstanceId : std::uint64_t {};

// Steps of processes can be several edges: then this is the first of them (see macro_steps.hpp).
constexpr InstanceId make_instance(std::uint32_t edge, std::uint32_t parameters) {
  return InstanceId{(std::uint64_t{edge} << 32) | parameters};
}
constexpr std::uint32_t edge_of(InstanceId id) {
  return static_cast<std::uint32_t>(std::uint64_t(id) >> 32);
}
constexpr std::uint32_t parameters_of(InstanceId id) {
  return static_cast<std::uint32_t>(id);
}

// How a step ended: in a successor, in a fault at a site, in both (a failed assertion after which the step goes on),
// dropped by an assumption about states, or blocked by an assumption inside the step, which makes it count as not
// enabled.
class Outcome {
 public:
  constexpr Outcome() = default;
  explicit constexpr Outcome(std::uint32_t raw) : raw_(raw) {}
  explicit constexpr Outcome(ir::SiteId site) : raw_(static_cast<std::uint32_t>(site)) {}
  static constexpr Outcome dropped() { return Outcome{std::uint32_t{FATHOM_DROPPED}}; }
  // The site of a violation beside which there is a successor; none: nothing was violated.
  static constexpr Outcome going_on(ir::SiteId site) {
    return site == ir::SiteId::none ? Outcome{} : Outcome{static_cast<std::uint32_t>(site) | FATHOM_GOES_ON};
  }
  static constexpr Outcome blocked() { return Outcome{std::uint32_t{FATHOM_BLOCKED}}; }

  [[nodiscard]] constexpr bool ok() const { return raw_ == 0; }
  [[nodiscard]] constexpr bool is_dropped() const { return raw_ == FATHOM_DROPPED; }
  [[nodiscard]] constexpr bool is_blocked() const { return raw_ == FATHOM_BLOCKED; }
  [[nodiscard]] constexpr bool goes_on() const { return (raw_ & FATHOM_GOES_ON) != 0 && raw_ < FATHOM_BLOCKED; }
  [[nodiscard]] constexpr bool has_successor() const { return ok() || goes_on(); }
  // Something went wrong, whether or not there is a successor.
  [[nodiscard]] constexpr bool is_fault() const { return !ok() && !is_dropped() && !is_blocked(); }
  [[nodiscard]] constexpr ir::SiteId site() const { return ir::SiteId{goes_on() ? raw_ & ~FATHOM_GOES_ON : raw_}; }
  [[nodiscard]] constexpr std::uint32_t raw() const { return raw_; }

 private:
  std::uint32_t raw_ = 0;
};

// The steps of one or more states with their successors: a growable fathom_batch.
class Batch {
 public:
  Batch() = default;
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  ~Batch();

  void clear() { raw_.count = raw_.used = 0; }
  [[nodiscard]] std::uint32_t size() const { return raw_.count; }
  [[nodiscard]] bool empty() const { return raw_.count == 0; }

  [[nodiscard]] InstanceId instance(std::uint32_t k) const { return InstanceId{raw_.steps[k].instance}; }
  [[nodiscard]] Outcome outcome(std::uint32_t k) const { return Outcome{raw_.steps[k].fault}; }
  [[nodiscard]] const fathom_step* steps() const { return raw_.steps; }
  [[nodiscard]] const std::uint64_t* all_words() const { return raw_.words; }
  [[nodiscard]] std::uint64_t* words(std::uint32_t k) { return raw_.words + raw_.steps[k].offset; }
  [[nodiscard]] StateView state(std::uint32_t k) const {
    const std::uint32_t end = k + 1 < raw_.count ? raw_.steps[k + 1].offset : raw_.used;
    return {raw_.words + raw_.steps[k].offset, end - raw_.steps[k].offset};
  }

  // Room for one more state of `words` words; it becomes an entry with push().
  std::uint64_t* spare(std::uint32_t words) {
    reserve(words);
    return raw_.words + raw_.used;
  }
  void push(InstanceId instance, Outcome outcome, std::uint32_t words) {
    reserve(words);
    raw_.steps[raw_.count++] = {std::uint64_t(instance), raw_.used, outcome.raw()};
    raw_.used += words;
  }
  // The steps of another batch from `first` on, with states of `words` words.
  void append(const Batch& other, std::uint32_t first, std::uint32_t words);
  // Forgets the steps from `first` on.
  void truncate(std::uint32_t first) {
    if (first < raw_.count) raw_.used = raw_.steps[first].offset;
    raw_.count = std::min(raw_.count, first);
  }
  // Of the steps from `first` on keeps those with the given numbers, which ascend.
  void keep(std::uint32_t first, const std::vector<std::uint32_t>& kept, std::uint32_t words);
  void swap_steps(std::uint32_t j, std::uint32_t k) { std::swap(raw_.steps[j], raw_.steps[k]); }

  [[nodiscard]] fathom_batch* raw() { return &raw_; }
  static void grow(fathom_batch& batch, std::uint32_t words);

 private:
  void reserve(std::uint32_t words) {
    if (raw_.count == raw_.step_capacity || raw_.used + words > raw_.word_capacity) grow(raw_, words);
  }

  fathom_batch raw_{};
};

// What a step in place overwrote: enough to take it back.
struct Undo {
  struct Word {
    std::uint32_t index;
    std::uint64_t old;
  };
  std::vector<Word> words;
};

// Where `put` output goes. Null while a search only repeats what it did before.
class PutSink {
 public:
  virtual ~PutSink() = default;
  virtual void put(std::string_view text) = 0;
};

// Findings about one state. Bits are numbered like Program::properties.
struct StateCheck {
  enum class Result : std::uint8_t { fine, violated, fault };
  Result result = Result::fine;
  ir::SiteId site = ir::SiteId::none;
  std::vector<std::uint64_t> violated;
};

// The atoms of a claim in one state, a bit for each: those that hold, and those that go wrong when they are evaluated.
struct AtomValues {
  std::uint64_t holding = 0;
  std::uint64_t faulty = 0;
};

template <class M>
concept Model = requires(M m, StateView state, Batch& batch, StateBuffer& top, InstanceId step, Undo& undo,
                         StateCheck& findings, std::uint64_t* holding, AtomValues& atoms) {
  { m.state_words() } -> std::convertible_to<std::uint32_t>;
  m.initial(batch);                                           // every start state
  m.successors(state, batch);                                 // appends all enabled steps with their successors
  m.enabled(state, batch);                                    // guards only
  { m.apply(top, step, undo) } -> std::same_as<Outcome>;      // one step in place ...
  m.undo(top, undo);                                          // ... and back
  m.check(state, findings);                                   // invariants and covers
  { m.live(state, holding) } -> std::same_as<ir::SiteId>;     // liveness and valid-end conditions that hold here
  { m.atoms(state, 0U, atoms) } -> std::same_as<ir::SiteId>;  // those of claim 0; the first fault among them
  m.quiet(true);  // from here on, until quiet(false): no `put` output, no cover counts (steps are only repeated)
};

}  // namespace fathom
