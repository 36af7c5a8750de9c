// A concrete run of a program: the start edge and the steps taken, and what they are claimed to show.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "property/run_rules.hpp"
#include "search/search.hpp"

namespace fathom {

struct ConcreteRun {
  Violation violation;
  InstanceId start{};
  std::vector<InstanceId> steps;
  // The fault happens inside the last step (or inside the start edge when there are no steps), which then has no
  // successor; otherwise the run ends in the state that shows the violation.
  bool fails_inside = false;
  bool shortest = false;
  double within = 0;  // see Counterexample
  // Of a run that never ends: after the last step it is where it was before this one. If there is no such step, it
  // stays in its last state.
  std::optional<std::size_t> loop = {};
  RunRules rules = {};      // and what else is claimed of it
  bool is_witness = false;  // it shows that a formula of the μ-calculus holds, and no violation
};

// A counterexample that cannot be executed. It is always a mistake of ours and never a verdict.
struct ReplayError : std::logic_error {
  using std::logic_error::logic_error;
};

}  // namespace fathom
