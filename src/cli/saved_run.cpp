#include "cli/saved_run.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/usage_error.hpp"

namespace fathom {

std::string read_run_file(const std::string& path) {
  if (!std::filesystem::is_regular_file(path) && !std::filesystem::is_fifo(path))
    throw UsageError(fmt::format("there is no file `{}` with a trace", path));
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw UsageError(fmt::format("cannot read the trace in `{}`", path));
  std::ostringstream text;
  text << stream.rdbuf();
  return std::move(text).str();
}

SavedTrace load_saved_trace(const std::string& path) {
  return saved_trace_of(read_run_file(path), path);
}

SavedTrace saved_trace_of(const std::string& text, const std::string& path) {
  try {
    return read_trace(text);
  } catch (const BadTrace& problem) {
    throw UsageError(fmt::format("`{}` is no trace of Fathom: {}", path, problem.what()));
  }
}

SpinTrail trail_of(const std::string& text, const std::string& path) {
  try {
    return read_trail(text);
  } catch (const BadTrail& problem) {
    throw UsageError(fmt::format("`{}` is no trail of Spin: {}", path, problem.what()));
  }
}

}  // namespace fathom
