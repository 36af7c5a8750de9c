// The file of a saved run: a JSON report or trace of ours, or a trail of Spin.
#pragma once

#include <string>

#include "report/saved_trace.hpp"
#include "trace/spin_trail.hpp"

namespace fathom {

// Throw UsageError when the file cannot be read or is nothing of the kind.
std::string read_run_file(const std::string& path);
SavedTrace load_saved_trace(const std::string& path);
// From the text of the file.
SavedTrace saved_trace_of(const std::string& text, const std::string& path);
SpinTrail trail_of(const std::string& text, const std::string& path);

}  // namespace fathom
