#include "native/user_code.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "native/cache.hpp"
#include "native/compile.hpp"
#include "native/emit_user_code.hpp"
#include "support/errors.hpp"
#include "support/shared_object.hpp"

namespace fathom {

namespace {

// From line and column to a place in the text; the place of a whole line where the column means nothing.
SourceRange place_of(const Sources& sources, FileId file, std::uint32_t line, std::uint32_t column) {
  const std::string_view text = sources.line(file, line);
  const auto begin = static_cast<std::uint32_t>(text.empty() ? 0 : text.data() - sources.text(file).data());
  const auto size = static_cast<std::uint32_t>(text.size());
  if (column == 0 || column > size) return {file, begin, begin + size};
  return {file, begin + column - 1, begin + column};
}

// Compilers agree on `FILE:LINE:COLUMN: error: MESSAGE`. What they say about files that are not the user's is shown as
// it is, at the model.
void report_mistakes(const std::string& output, const UserCodeSettings& settings, Diagnostics& diagnostics) {
  static const std::regex pattern(R"(^(.+):(\d+):(\d+): (?:fatal )?error: (.*)$)");
  std::istringstream lines(output);
  bool located = false;
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (!std::regex_match(line, found, pattern)) continue;
    const auto file = settings.sources->find(found[1].str());
    if (!file) continue;
    const auto number = [&](int group) { return static_cast<std::uint32_t>(std::stoul(found[group].str())); };
    diagnostics.error("F510", place_of(*settings.sources, *file, number(2), number(3)),
                      fmt::format("in the C code of the model: {}", found[4].str()));
    located = true;
  }
  if (!located)
    diagnostics.error("F510", {settings.model, 0, 0}, "the C code of the model cannot be compiled").help = output;
}

std::vector<std::string> include_flags(const UserCodeSettings& settings) {
  const std::string folder = std::filesystem::path(settings.sources->path(settings.model)).parent_path().string();
  std::vector<std::string> flags = {"-I" + (folder.empty() ? std::string(".") : folder)};
  for (const std::string& path : settings.include_paths) flags.push_back("-I" + path);
  return flags;
}

// A text that includes files of the user's does not tell what it becomes, so it is compiled every time.
bool has_own_includes(const std::string& text) {
  static const std::regex pattern(R"(\n[ \t]*#[ \t]*include[ \t]*[^< \t])");
  return std::regex_search(text, pattern);
}

std::shared_ptr<SharedObject> compiled(const std::string& text, const UserCodeSettings& settings,
                                       Diagnostics& diagnostics) {
  const Compiler compiler;
  const CodeCache cache;
  const std::vector<std::string> flags = include_flags(settings);
  const bool keep = !has_own_includes(text);
  const std::string key = content_hash(fmt::format("{}\n{}\n{}", text, fmt::join(flags, " "), compiler.identity()));
  if (const auto path = cache.find(key); keep && path) return std::make_shared<SharedObject>(*path);
  const TemporaryFolder work(cache.folder());
  const std::filesystem::path source = work.path() / "user.c";
  const std::filesystem::path object = work.path() / "user.so";
  std::ofstream out(source, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw EnvironmentError(fmt::format("cannot write {}", source.string()));
  const ProcessResult result = compiler.run(source, object, flags, {});
  if (!result.ok()) {
    report_mistakes(result.output, settings, diagnostics);
    return nullptr;
  }
  return std::make_shared<SharedObject>(keep ? cache.store(key, object) : object);
}

}  // namespace

bool load_user_code(ir::UserCode& code, const UserCodeSettings& settings, Diagnostics& diagnostics) {
  const auto object = compiled(emit_user_code(code), settings, diagnostics);
  if (object == nullptr) return false;
  code.run = reinterpret_cast<ir::UserCode::Run>(object->symbol(user_code_symbol));
  if (code.run == nullptr) throw EnvironmentError("the compiled C code of the model has lost its entry");
  code.object = object;
  return true;
}

std::optional<std::vector<std::uint64_t>> user_sizes(const ir::UserCode& code, const std::vector<std::string>& sizes,
                                                     const UserCodeSettings& settings, Diagnostics& diagnostics) {
  const auto object = compiled(emit_user_sizes(code, sizes), settings, diagnostics);
  if (object == nullptr) return std::nullopt;
  const auto* const values = static_cast<const std::uint64_t*>(object->symbol(user_sizes_symbol));
  if (values == nullptr) throw EnvironmentError("the compiled C code of the model has lost its sizes");
  return std::vector<std::uint64_t>(values, values + sizes.size());
}

}  // namespace fathom
