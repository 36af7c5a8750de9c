#include "native/compile.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

#include "support/errors.hpp"

namespace fathom {

namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

// -fexceptions: when a batch cannot grow, the exception passes through the model, which holds nothing to release.
const Words fixed_flags = {"-O2", "-shared", "-fPIC", "-fexceptions", "-fvisibility=hidden", "-w"};

Words split(std::string_view text) {
  std::istringstream in{std::string(text)};
  Words words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool is_program(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

// The path of a program that is named as in a shell.
std::optional<fs::path> locate(const std::string& name) {
  if (name.find('/') != std::string::npos) return is_program(name) ? std::optional<fs::path>(name) : std::nullopt;
  std::istringstream folders(variable("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const fs::path path = fs::path(folder.empty() ? "." : folder) / name; is_program(path)) return path;
  return std::nullopt;
}

std::optional<Words> find_compiler() {
  const std::string chosen = variable("FATHOM_CC");
  const Words names = chosen.empty() ? Words{variable("CC"), "cc", "gcc", "clang"} : Words{chosen};
  for (const std::string& name : names) {
    Words command = split(name);
    if (command.empty()) continue;
    const auto path = locate(command[0]);
    if (!path.has_value()) continue;
    command[0] = path->string();
    return command;
  }
  return std::nullopt;
}

// The first processor's name and features: what -march=native looks at.
std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  std::string out;
  for (std::string line; std::getline(in, line) && !line.empty();)
    if (line.starts_with("model name") || line.starts_with("flags") || line.starts_with("Features")) out += line + "\n";
  return out;
}

// Asking a compiler for its version costs a process; size and time of its file say as much.
std::string fingerprint(const std::string& program) {
  struct stat info {};
  if (::stat(program.c_str(), &info) != 0) return program;
  std::error_code ignored;
  return fmt::format("{} {} {}", fs::canonical(program, ignored).string(), info.st_size, info.st_mtime);
}

}  // namespace

Compiler::Compiler() {
  auto found = find_compiler();
  if (!found.has_value()) {
    const std::string chosen = variable("FATHOM_CC");
    throw EnvironmentError(chosen.empty() ? "no C compiler was found (cc, gcc or clang)"
                                          : fmt::format("the C compiler `{}` (FATHOM_CC) was not found", chosen));
  }
  command_ = std::move(*found);
  command_.insert(command_.end(), fixed_flags.begin(), fixed_flags.end());
  const char* const chosen_flags = std::getenv("FATHOM_CFLAGS");
  for (const std::string& flag : split(chosen_flags == nullptr ? "-march=native" : chosen_flags))
    command_.push_back(flag);
}

std::string Compiler::identity() const {
  return fmt::format("{}\n{}\n{}", fingerprint(command_[0]), fmt::join(command_, " "), processor());
}

ProcessResult Compiler::run(const fs::path& source, const fs::path& object, const Words& flags,
                            const std::stop_token& stop) const {
  Words command = command_;
  command.insert(command.end(), flags.begin(), flags.end());
  command.insert(command.end(), {"-o", object.string(), source.string()});
  return run_process(command, stop, fs::absolute(object).parent_path());
}

void Compiler::compile(const fs::path& source, const fs::path& object, const std::stop_token& stop) const {
  const ProcessResult result = run(source, object, {}, stop);
  if (result.ok()) return;
  throw EnvironmentError(fmt::format("the C compiler failed ({}): {} -o {} {}\n{}",
                                     result.stopped ? "stopped" : fmt::format("status {}", result.status),
                                     fmt::join(command_, " "), object.string(), source.string(), result.output));
}

}  // namespace fathom
