// `fathom graph`: writes the states and steps of a model as a labelled transition system.
#pragma once

#include "cli/options.hpp"

namespace fathom {

// Returns the exit code; throws UsageError.
int graph(const CheckOptions& options);

}  // namespace fathom
