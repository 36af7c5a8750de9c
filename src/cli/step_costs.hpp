// What steps cost: --cost on the command line, and comments in the model.
#pragma once

#include <memory>

#include "cli/annotations.hpp"
#include "cli/options.hpp"
#include "ir/program.hpp"
#include "search/step_costs.hpp"

namespace fathom {

// Whether anybody speaks of costs, to a search that looks at them. Throws UsageError where --cost is given and the
// search does not.
bool costs_matter(const std::vector<Annotation>& annotations, const CheckOptions& options);

// A rule of which nothing is said costs nothing, once anybody speaks of costs. What is wrong with a comment is reported
// there; throws UsageError for what is wrong with --cost.
CostRequest read_costs(const ir::Program& program, const std::vector<Annotation>& annotations,
                       const CheckOptions& options, Diagnostics& diagnostics);

}  // namespace fathom
