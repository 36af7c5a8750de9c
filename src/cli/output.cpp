#include "cli/output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cli/usage_error.hpp"
#include "report/json.hpp"
#include "report/text.hpp"
#include "support/errors.hpp"

namespace fathom {

namespace {

// We find out before a long search and not after it.
void make_sure_writable(const std::string& path) {
  namespace fs = std::filesystem;
  if (path == "-") return;
  std::error_code error;
  if (fs::is_directory(path, error)) throw UsageError(fmt::format("--json: `{}` is a directory", path));
  const bool exists = fs::exists(path, error);
  const fs::path folder = fs::path(path).parent_path();
  const std::string target = exists ? path : folder.empty() ? "." : folder.string();
  if (access(target.c_str(), W_OK) != 0) {
    throw UsageError(fmt::format("--json: cannot write `{}`: {}", path, std::strerror(errno)));
  }
}

void write(std::FILE* stream, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stream);
}

}  // namespace

Output::Output(const CheckOptions& options)
    : options_(options),
      text_(options.json == "-" ? stderr : stdout),
      progress_(!options.quiet, ProgressLine::on_terminal()) {
  if (options.json) make_sure_writable(*options.json);
}

void Output::put(std::string_view text) {
  progress_.clear();
  write(text_, text);
}

void Output::warn(const std::string& message) {
  progress_.clear();
  const Style style(wants_colour(options_.colour, STDERR_FILENO));
  write(stderr, style.doubtful("warning") + ": " + message + "\n");
}

void Output::show(const Diagnostics& diagnostics, const Sources& sources) {
  progress_.clear();
  const bool colour = wants_colour(options_.colour, STDERR_FILENO);
  for (const Diagnostic& diagnostic : diagnostics.all()) write(stderr, render(diagnostic, sources, colour));
}

Style Output::style() const {
  return Style(wants_colour(options_.colour, fileno(text_)));
}

void Output::flush() {
  std::fflush(text_);
}

void Output::finish(const Report& report) {
  TextOptions text{options_.trace, wants_colour(options_.colour, fileno(text_)), options_.quiet};
  if (options_.chart) text.chart = chart_options(options_.ascii);
  finish(report, render_text(report, text));
}

void Output::finish(const Report& report, const std::string& text) {
  progress_.clear();
  write(text_, text);
  // A verdict that nobody could read is no success. This also finds `put` lines that were lost before.
  if (std::fflush(text_) != 0 || std::ferror(text_) != 0) {
    throw EnvironmentError(fmt::format("cannot write the output: {}", std::strerror(errno)));
  }
  if (options_.json) write_json(report);
}

void Output::write_json(const Report& report) {
  const std::string text = render_json(report);
  std::FILE* stream = options_.json == "-" ? stdout : std::fopen(options_.json->c_str(), "w");
  const bool written = stream != nullptr && std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  const bool closed = stream != nullptr && (stream == stdout ? std::fflush(stream) : std::fclose(stream)) == 0;
  if (!written || !closed) {
    throw EnvironmentError(fmt::format("cannot write the report to `{}`: {}", *options_.json, std::strerror(errno)));
  }
}

}  // namespace fathom
