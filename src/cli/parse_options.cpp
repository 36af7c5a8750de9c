// The only file that sees CLI11: it cuts the arguments into options and values, the table says what they mean.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <filesystem>

#include "cli/machine.hpp"
#include "cli/options.hpp"
#include "cli/quantities.hpp"
#include "cli/usage_error.hpp"

namespace fathom {

namespace {

void apply(const OptionRow& row, CheckOptions& options, const std::string& value) {
  const std::vector<std::string> known = alternatives(row);
  if (!known.empty() && !std::ranges::count(known, value)) {
    throw UsageError(fmt::format("{} knows no `{}`{} (there are: {})", row.names, value, did_you_mean(value, known),
                                 fmt::join(known, ", ")));
  }
  row.set(options, value);
}

void refuse_for_other_commands(const OptionRow& row, const std::string& command) {
  if (row.command == nullptr || row.command == command) return;
  throw UsageError(fmt::format("{} is for `fathom {}`", row.names, row.command));
}

void add_row(CLI::App& app, const OptionRow& row, const std::string& command, CheckOptions& options) {
  if (row.value == nullptr) {
    app.add_flag_function(row.names, [&](std::int64_t) {
      refuse_for_other_commands(row, command);
      row.set(options, "");
    });
  } else if (row.repeatable) {
    const auto set_all = [&](const std::vector<std::string>& values) {
      for (const std::string& value : values) apply(row, options, value);
    };
    app.add_option_function<std::vector<std::string>>(row.names, set_all)->take_all()->allow_extra_args(false);
  } else {
    const auto set = [&](const std::string& value) {
      refuse_for_other_commands(row, command);
      apply(row, options, value);
    };
    app.add_option_function<std::string>(row.names, set)->take_last();
  }
}

// CLI11 says "--seed: 1 required TEXT missing".
[[noreturn]] void refuse_missing_value(const std::string& complaint) {
  const std::string name = complaint.substr(0, complaint.find(':'));
  for (const OptionRow& row : option_table()) {
    if (row.value == nullptr || std::string_view(row.names).find(name) == std::string_view::npos) continue;
    throw UsageError(fmt::format("{} wants a value: {}", name, row.value));
  }
  throw UsageError(complaint);
}

[[noreturn]] void refuse_unknown(const CLI::App& app, const std::string& argument) {
  const std::string name = argument.substr(0, argument.find('='));
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& long_name : option->get_lnames()) known.push_back("--" + long_name);
  }
  throw UsageError(fmt::format("there is no option `{}`{}", name, did_you_mean(name, known)));
}

// For a Murphi model a definition replaces a const, and that is a number.
std::pair<std::string, std::int64_t> constant(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos) {
    throw UsageError(fmt::format("-D wants NAME=VALUE, not `{}`", text));
  }
  const std::optional<std::int64_t> value = parse_integer(std::string_view(text).substr(equals + 1));
  if (!value) throw UsageError(fmt::format("-D wants a whole number as value, not `{}`", text.substr(equals + 1)));
  return {text.substr(0, equals), *value};
}

void refuse_for_murphi(const char* option, const std::vector<std::string>& values) {
  if (!values.empty()) throw UsageError(fmt::format("{} is for Promela models", option));
}

void settle_definitions(CheckOptions& options) {
  if (language_of(options) == "promela") return;
  for (const std::string& text : options.definitions) options.constants.push_back(constant(text));
  if (language_of(options) != "murphi") return;
  refuse_for_murphi("-U", options.undefinitions);
  refuse_for_murphi("-I", options.include_paths);
}

}  // namespace

CheckOptions parse_options(std::vector<std::string> arguments, const std::string& command) {
  CheckOptions options;
  options.memory = available_memory() / 10 * 8;
  options.threads = available_cores();
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::vector<std::string> models;
  app.add_option("MODEL", models);
  for (const OptionRow& row : option_table()) add_row(app, row, command, options);

  std::ranges::reverse(arguments);  // as CLI11 wants them
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::ArgumentMismatch& error) {
    refuse_missing_value(error.what());
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  for (const std::string& argument : app.remaining()) refuse_unknown(app, argument);
  if ((command == "replay" || command == "shorten") && !models.empty()) {
    options.recorded = models.front();
    models.erase(models.begin());
  }
  if (models.size() > 1 && !std::filesystem::exists(models[0]))
    throw UsageError(fmt::format("there is neither a command nor a file `{}`", models[0]));
  if (models.size() > 1) throw UsageError(fmt::format("one model at a time: `{}` is one too many", models[1]));
  if (!models.empty()) options.model = models.front();
  options.process_memory = options.memory;
  settle_definitions(options);
  return options;
}

}  // namespace fathom
