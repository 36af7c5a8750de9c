#include "cli/model_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/usage_error.hpp"
#include "ir/compose.hpp"
#include "lang/murphi/load.hpp"

namespace fathom {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_model = std::uintmax_t{1} << 30;  // offsets into a source have 32 bits

// A mistyped command looks like the name of a model that is not there.
std::string maybe_a_command(const std::string& path) {
  return did_you_mean(path, {"check", "ir", "help", "man", "completions"});
}

std::string read(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw UsageError(fmt::format("there is no file `{}`{}", path, maybe_a_command(path)));
  if (fs::is_directory(status)) throw UsageError(fmt::format("`{}` is a directory, not a model", path));
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw UsageError(fmt::format("cannot read `{}`: {}", path, std::strerror(errno)));
  if (fs::is_regular_file(status) && fs::file_size(path, error) > largest_model) {
    throw UsageError(fmt::format("`{}` is too large for a model", path));
  }
  std::ostringstream text;
  text << stream.rdbuf();
  if (stream.bad()) throw UsageError(fmt::format("cannot read `{}`", path));
  if (text.str().empty()) throw UsageError(fmt::format("`{}` is empty", path));
  return std::move(text).str();
}

std::string language_of(const CheckOptions& options) {
  if (options.language) return *options.language;
  const std::string extension = fs::path(options.model).extension().string();
  if (extension == ".m") return "murphi";
  for (const char* known : {".pml", ".prom", ".pm", ".promela", ".pr"}) {
    if (extension == known) return "promela";
  }
  throw UsageError(fmt::format("the name of `{}` does not tell its language; say --language murphi", options.model));
}

}  // namespace

void load_model(const CheckOptions& options, LoadedModel& model) {
  if (options.model.empty()) throw UsageError("which model? Usage: fathom [check] [options] MODEL");
  std::string text = read(options.model);
  if (language_of(options) != "murphi") throw UsageError("Promela is not supported yet");
  const FileId file = model.sources.add(options.model, std::move(text));
  const murphi::Options settings{options.dialect, options.constants, options.loop_limit};
  murphi::Loaded loaded = murphi::load(model.sources, file, settings, model.diagnostics);
  if (!loaded.unknown_constants.empty()) {
    throw UsageError(fmt::format("-D: the model has no const `{}`", fmt::join(loaded.unknown_constants, "`, `")));
  }
  model.program = std::move(loaded.program);
  if (model.program == nullptr) return;
  ir::compose(*model.program, model.diagnostics);
  if (model.diagnostics.failed()) model.program.reset();
}

}  // namespace fathom
