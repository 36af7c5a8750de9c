// `fathom simulate`: executes one run of a model, at random or step by step as a person chooses.
#pragma once

#include "cli/options.hpp"

namespace fathom {

// Returns the exit code; throws UsageError.
int simulate(const CheckOptions& options);

}  // namespace fathom
