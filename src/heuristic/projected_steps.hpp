// The steps of a program projected to a pattern, a few of its cells, under a may-semantics (may_steps.hpp).
//
// What an instance does depends on the cells it looks at, and of a pattern these are mostly one or two: so it is
// executed once for each combination of their values that occurs, and then looked up. Which cells it looks at shows
// when it is executed. If it turns out to be one more, what was kept of the instance is forgotten; cells can also join
// the pattern or leave it, and then only those are forgotten that have looked at them or written them.
#pragma once

#include <time.h>

#include <bit>
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "heuristic/may_steps.hpp"

namespace fathom {

// The time that this thread has worked: how much a table costs must not depend on who else is busy.
struct ThreadClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<ThreadClock>;
  static constexpr bool is_steady = true;
  static time_point now() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time_point(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
  }
};

// Numbers for keys, from 0 in the order in which they come.
class KeyNumbers {
 public:
  static constexpr std::uint32_t none = UINT32_MAX;

  KeyNumbers() : slots_(16, none) {}
  // The number of a key, and whether it is new.
  std::pair<std::uint32_t, bool> add(std::uint64_t key);
  [[nodiscard]] std::uint32_t find(std::uint64_t key) const;
  [[nodiscard]] std::size_t size() const { return keys_.size(); }
  [[nodiscard]] std::uint64_t key(std::size_t number) const { return keys_[number]; }

 private:
  [[nodiscard]] std::size_t slot_of(std::uint64_t key) const;
  void grow();

  std::vector<std::uint32_t> slots_;
  std::vector<std::uint64_t> keys_;
};

// The cells of a pattern, and how their codes make up a key.
class Projection {
 public:
  static constexpr std::uint32_t max_key_bits = 62;

  struct Field {
    std::uint32_t cell, offset, bits, shift;
    [[nodiscard]] std::uint64_t mask() const { return ((std::uint64_t{1} << bits) - 1) << shift; }
  };

  [[nodiscard]] bool has_room_for(const Cells& cells, std::uint32_t cell) const;
  void add(const Cells& cells, std::uint32_t cell);
  void remove_last();
  [[nodiscard]] const std::vector<Field>& fields() const { return fields_; }
  [[nodiscard]] const Field* field_of(std::uint32_t cell) const;
  [[nodiscard]] std::uint64_t key_of(StateView state) const;

 private:
  [[nodiscard]] std::uint32_t bits() const { return fields_.empty() ? 0 : fields_.back().shift + fields_.back().bits; }

  std::vector<Field> fields_;
};

// Of the process that takes a step, if a pattern tells.
struct PlaceInKey {
  std::uint64_t mask = 0;
  std::uint64_t code = 0;
};

// Things, by the places at which they may matter: there are many steps, and few of them are possible anywhere.
class ByPlace {
 public:
  void add(const PlaceInKey& place, std::uint32_t thing);
  template <class Visit>
  void each_at(std::uint64_t key, Visit visit) const {
    for (const Process& process : processes_)
      if (const std::uint64_t code = (key & process.mask) >> std::countr_zero(process.mask);
          code < process.things.size())
        for (const std::uint32_t thing : process.things[code]) visit(thing);
    for (const std::uint32_t thing : anywhere_) visit(thing);
  }

 private:
  struct Process {
    std::uint64_t mask;
    std::vector<std::vector<std::uint32_t>> things = {};  // by the code of its place
  };

  std::vector<Process> processes_;
  std::vector<std::uint32_t> anywhere_;
};

class ProjectedSteps {
 public:
  // A state that a step leads to: these bits of its key have these values, the others stay.
  struct Result {
    std::uint64_t written = 0;
    std::uint64_t values = 0;
    auto operator<=>(const Result&) const = default;
  };
  struct Effect {
    std::vector<Result> results;
    bool fails = false;    // it may; of a question: the answer may be yes
    bool unknown = false;  // it may do anything
  };

  // `blocked`: instances of which may_be_blocked() tells. All must outlive this.
  ProjectedSteps(MaySteps& steps, const ModelFacts& facts, const std::vector<std::uint32_t>& blocked);
  // After the deadline nothing new is found out: then anything may happen.
  void set_deadline(ThreadClock::time_point deadline) { deadline_ = deadline; }

  [[nodiscard]] const Projection& projection() const { return projection_; }
  [[nodiscard]] const PlaceInKey& place_of(std::uint32_t instance) const { return places_[instance]; }
  void add(std::uint32_t cell);
  void remove_last();

  // In the state with this key. An effect is good until the next question.
  [[nodiscard]] const Effect& step(std::uint32_t instance, std::uint64_t key);
  [[nodiscard]] bool may_violate(std::size_t violation, std::uint64_t key);
  [[nodiscard]] bool may_be_blocked(std::uint64_t key);

  // Cells that were looked at so far to find out.
  [[nodiscard]] const BitSet& seen_by_step(std::uint32_t instance) const { return memos_[instance].looked_at; }
  [[nodiscard]] const BitSet& seen_by_violation(std::size_t violation) const {
    return memos_[steps_.instances().size() + violation].looked_at;
  }
  [[nodiscard]] const BitSet& seen_by_blocked() const { return memos_.back().looked_at; }

 private:
  struct Memo {
    BitSet looked_at;
    BitSet written;
    std::uint64_t mask = 0;  // of the pattern's cells among them
    std::uint64_t last = 0;  // the last context that was looked up, and its number
    std::uint32_t number_of_last = KeyNumbers::none;
    KeyNumbers contexts = {};
    std::vector<Effect> effects = {};
  };

  static constexpr std::size_t max_results = 1024;  // of one path of a step

  template <class Ask>
  const Effect& recall(Memo& memo, std::uint64_t key, Ask ask);
  void forget_what_concerns(std::uint32_t cell);
  void forget_effects(Memo& memo);
  [[nodiscard]] std::uint64_t mask_of(const BitSet& cells) const;
  void find_places();
  void load(std::uint64_t key);
  void take(std::uint32_t instance, Effect& effect);
  // False: there are too many.
  bool add_results(const std::vector<CellSet>& cells, BitSet& all_written, std::vector<Result>& results) const;
  static bool codes_of(const CellSet& set, std::vector<std::uint64_t>& codes);

  MaySteps& steps_;
  const ModelFacts& facts_;
  const std::vector<std::uint32_t>& blocked_;
  ThreadClock::time_point deadline_;
  const Effect anything_{.results = {}, .fails = true, .unknown = true};
  Projection projection_;
  std::vector<PlaceInKey> places_;  // per instance
  ByPlace blocked_by_place_;        // numbers among those that may be blocked
  std::vector<Memo> memos_;         // of instances, violations, those that may be blocked, and whether all of these are
};

}  // namespace fathom
