// Bounds on the cost of the runs that a search looks for, and how they move. A rule is asked for the bound of the next
// pass, told what the pass found, and ends when what was found is known to be cheapest or nothing was left out.
//
// Whatever the rule, a state that comes back on a cheaper path is opened again: otherwise a violation within the bound
// can be missed behind it (Edelkamp, Schuppan, Bošnački, Wijs, Fehnker, Aljazzar: Survey on Directed Model Checking,
// MoChArt 2008, section 4).
#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "heuristic/evaluator.hpp"

namespace fathom {

// A pass within a bound ended without time or memory running out.
struct PassOutcome {
  std::optional<Cost> found;        // the cost of the violation that ended the pass, or the cheapest one of it
  std::optional<Cost> next_larger;  // the smallest estimated cost of a run that was cut off
};

class BoundRule {
 public:
  virtual ~BoundRule() = default;
  // No run may cost more; nothing: no bound.
  [[nodiscard]] virtual std::optional<Cost> first(Cost estimate_at_start) = 0;
  // Whether the pass ends with the first violation it finds.
  [[nodiscard]] virtual bool one_is_enough() const { return true; }
  // The bound of the next pass; nothing: there is none.
  [[nodiscard]] virtual std::optional<Cost> next(const PassOutcome& outcome) = 0;
};

// Iterative deepening: by as little as possible (Korf: Depth-First Iterative-Deepening, 1985). The first violation
// found is a cheapest one if the estimates are admissible.
class Deepening final : public BoundRule {
 public:
  std::optional<Cost> first(Cost estimate_at_start) override { return estimate_at_start; }
  std::optional<Cost> next(const PassOutcome& outcome) override {
    return outcome.found ? std::nullopt : outcome.next_larger;
  }
};

// Branch and bound: there is one pass, in which each violation lowers the bound below its cost.
class Tightening final : public BoundRule {
 public:
  std::optional<Cost> first(Cost) override { return std::nullopt; }
  [[nodiscard]] bool one_is_enough() const override { return false; }
  std::optional<Cost> next(const PassOutcome&) override { return std::nullopt; }
};

// Refined thresholds: the bound is doubled until something is found, and then what lies between the last bound without
// a violation and the cost of the one found is halved (Wah, Shang: Comparison and Evaluation of a Class of IDA*
// Algorithms, 1994, study such compromises).
class Refining final : public BoundRule {
 public:
  std::optional<Cost> first(Cost estimate_at_start) override { return bound_ = std::max<Cost>(estimate_at_start, 1); }
  std::optional<Cost> next(const PassOutcome& outcome) override {
    if (outcome.found) {
      best_ = *outcome.found;
    } else {
      if (!outcome.next_larger) return std::nullopt;
      too_small_ = *outcome.next_larger - 1;
    }
    if (!best_) return bound_ = std::max(*outcome.next_larger, bound_ > dead_end / 2 ? dead_end - 1 : 2 * bound_);
    if (*best_ == 0 || (too_small_ && *too_small_ + 1 >= *best_)) return std::nullopt;
    const Cost low = too_small_ ? *too_small_ + 1 : 0;
    return bound_ = low + (*best_ - 1 - low) / 2;
  }

 private:
  Cost bound_ = 0;
  std::optional<Cost> too_small_;  // no run costs that little
  std::optional<Cost> best_;
};

}  // namespace fathom
