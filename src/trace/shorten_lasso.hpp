// Makes a run that goes round for ever shorter: a shorter way to the loop, and a shorter loop (the survey on directed
// model checking, section 5, improves trails in this way). Every candidate is checked as a whole
// (trace/verify_claim.hpp): what was cut may have been what the claim is about.
#pragma once

#include <cstdint>
#include <functional>

#include "model/interpreted.hpp"
#include "trace/concrete_run.hpp"

namespace fathom {

struct LassoEffort {
  std::uint64_t expansions = 0;                       // of each search for a shorter way
  std::function<bool()> go_on = [] { return true; };  // asked now and then
};

// The states are those of the model itself. The result is not longer, and violates the claim, too.
Counterexample shorten_lasso(Counterexample run, const RunRules& rules, InterpretedModel& model,
                             const LassoEffort& effort);

}  // namespace fathom
