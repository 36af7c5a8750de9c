// `fathom shorten`: makes a recorded trace shorter.
#pragma once

#include "cli/options.hpp"

namespace fathom {

// Returns the exit code; throws UsageError.
int shorten_trace(const CheckOptions& options);

}  // namespace fathom
