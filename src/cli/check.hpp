// `fathom check`: loads the model, searches it, replays what was found and reports.
#pragma once

#include "cli/options.hpp"

namespace fathom {

// Returns the exit code; throws UsageError.
int check(const CheckOptions& options);

}  // namespace fathom
