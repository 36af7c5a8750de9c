// What --fair, --progress and --strong-fair say, resolved against a model.
#pragma once

#include "cli/options.hpp"
#include "ir/program.hpp"
#include "property/run_rules.hpp"

namespace fathom {

// Throws UsageError for a name the model does not have.
RunRules run_rules(const ir::Program& program, const CheckOptions& options);

}  // namespace fathom
