// `fathom replay`: executes a saved run again, in the model it came from or one that has changed since.
#pragma once

#include "cli/options.hpp"

namespace fathom {

// Returns the exit code: 1 when the run still ends in a violation, 0 when it fits but shows none, 4 when it does not
// fit any more; throws UsageError.
int replay(const CheckOptions& options);

}  // namespace fathom
