// `fathom hunt`: looks for bugs with many searches that share the threads and a budget of time and memory.
#pragma once

#include <string>
#include <vector>

#include "cli/options.hpp"

namespace fathom {

// `arguments` are those the options were read from: the command that repeats what was found names them again. Returns
// the exit code; throws UsageError.
int hunt(const CheckOptions& options, const std::vector<std::string>& arguments);

}  // namespace fathom
