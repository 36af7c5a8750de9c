// An abstraction database (Edelkamp, Lluch-Lafuente 2004; the survey's section 3): the states of a program projected to
// a pattern, a few of its cells, with the fewest steps from each of them to a violation. The projected states are
// enumerated forwards from the start states under a may-semantics (may_steps.hpp), so that every run of the program has
// a run here; then the distances are found backwards.
//
// Where the limits end the enumeration, the states that were not expanded count as violations: a distance is never more
// than what is really needed. A state that is not in the table has distance 0.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "heuristic/may_steps.hpp"

namespace fathom {

// Violations that are looked for together.
struct Aim {
  std::vector<std::size_t> violations;  // numbers of MaySteps::state_violations()
  std::vector<bool> failing;            // per instance: its failing counts
  bool deadlock = false;
};

struct AbstractionLimits {
  std::size_t states = 0;
  std::chrono::steady_clock::time_point deadline;
};

// Numbers for keys, from 0 in the order in which they come.
class KeyNumbers {
 public:
  static constexpr std::uint32_t none = UINT32_MAX;

  KeyNumbers() : slots_(1024, none) {}
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

class AbstractionTable {
 public:
  static constexpr std::uint32_t never = UINT32_MAX;
  static constexpr std::uint32_t max_key_bits = 62;

  AbstractionTable(MaySteps& steps, const ModelFacts& facts, std::vector<std::uint32_t> pattern, const Aim& aim,
                   const AbstractionLimits& limits);

  [[nodiscard]] std::uint32_t distance(StateView state) const;
  [[nodiscard]] bool is_complete() const { return complete_; }
  [[nodiscard]] std::size_t size() const { return numbers_.size(); }
  [[nodiscard]] const std::vector<std::uint32_t>& pattern() const { return pattern_; }
  // Of some start state; `never` if no violation is possible.
  [[nodiscard]] std::uint32_t at_start() const { return at_start_; }

 private:
  struct Field {
    std::uint32_t offset, bits, shift;
  };

  [[nodiscard]] std::uint64_t key_of(StateView state) const;
  void find_relevant(const Aim& aim);
  void enumerate(const Aim& aim, const AbstractionLimits& limits);
  void expand(std::uint32_t number, const Aim& aim);
  [[nodiscard]] bool is_violation(const Aim& aim);
  bool add_results(std::uint32_t from, const std::vector<CellSet>& cells);
  [[nodiscard]] bool codes_of(const CellSet& set, std::vector<std::uint64_t>& codes) const;
  void find_distances();

  static constexpr std::size_t max_results = 1024;  // of one path of a step

  MaySteps& steps_;
  const ModelFacts& facts_;
  std::vector<std::uint32_t> pattern_;
  std::vector<Field> fields_;
  std::vector<std::uint32_t> relevant_;  // instances
  KeyNumbers numbers_;
  std::vector<std::uint8_t> ends_;  // per state: a violation after so many steps, or more than 1
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;  // from, to
  std::vector<std::uint32_t> distances_;
  bool complete_ = true;
  std::uint32_t at_start_ = never;
};

}  // namespace fathom
