// The best violation so far, for searches that go on after they found one and report the last.
#pragma once

#include <optional>
#include <utility>

#include "heuristic/evaluator.hpp"
#include "search/recorder.hpp"

namespace fathom {

class Incumbent {
 public:
  [[nodiscard]] bool exists() const { return run_.has_value(); }
  [[nodiscard]] Cost cost() const { return cost_; }
  // Whether a run of this cost, or one that will cost no less, would be better.
  [[nodiscard]] bool improved_by(Cost cost) const { return !run_ || cost < cost_; }

  void replace(const Violation& violation, Cost cost, Counterexample run) {
    run_ = std::move(run);
    run_->violation = violation;
    cost_ = cost;
  }

  // For a search that finds out later by which run.
  void set_run(Counterexample run) {
    const Violation violation = run_->violation;
    replace(violation, cost_, std::move(run));
  }

  // Makes it the violation that the search reports.
  void report(Recorder& recorder, bool shortest) {
    if (!run_) return;
    (void)recorder.count(run_->violation);
    run_->shortest = shortest;
    recorder.result.first = std::move(run_);
  }

 private:
  std::optional<Counterexample> run_;
  Cost cost_ = 0;
};

}  // namespace fathom
