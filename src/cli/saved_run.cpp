#include "cli/saved_run.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cli/usage_error.hpp"
#include "support/file_text.hpp"

namespace fathom {

std::string read_run_file(const std::string& path) {
  if (!std::filesystem::is_regular_file(path) && !std::filesystem::is_fifo(path))
    throw UsageError(fmt::format("there is no file `{}` with a trace", path));
  std::optional<std::string> text = file_text(path);
  if (!text) throw UsageError(fmt::format("cannot read the trace in `{}`", path));
  return *std::move(text);
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
