// A recorded run that violated a claim, looked at once more.
#pragma once

#include "cli/stepper.hpp"
#include "report/saved_trace.hpp"

namespace fathom {

// The run has been followed to its end: whether some claim of the recorded kind and name forbids it. Then that is its
// violation.
bool breaks_recorded_claim(Stepper& stepper, const SavedTrace& saved);

}  // namespace fathom
