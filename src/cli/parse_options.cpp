// The only file that sees CLI11: it cuts the arguments into options and values, the table says what they mean.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>

#include "cli/machine.hpp"
#include "cli/options.hpp"
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

void add_row(CLI::App& app, const OptionRow& row, CheckOptions& options) {
  if (row.value == nullptr) {
    app.add_flag_function(row.names, [&](std::int64_t) { row.set(options, ""); });
  } else if (row.repeatable) {
    const auto set_all = [&](const std::vector<std::string>& values) {
      for (const std::string& value : values) apply(row, options, value);
    };
    app.add_option_function<std::vector<std::string>>(row.names, set_all)->take_all()->allow_extra_args(false);
  } else {
    const auto set = [&](const std::string& value) { apply(row, options, value); };
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

}  // namespace

CheckOptions parse_options(std::vector<std::string> arguments) {
  CheckOptions options;
  options.memory = available_memory() / 10 * 8;
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::vector<std::string> models;
  app.add_option("MODEL", models);
  for (const OptionRow& row : option_table()) add_row(app, row, options);

  std::ranges::reverse(arguments);  // as CLI11 wants them
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::ArgumentMismatch& error) {
    refuse_missing_value(error.what());
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  for (const std::string& argument : app.remaining()) refuse_unknown(app, argument);
  if (models.size() > 1) throw UsageError(fmt::format("one model at a time: `{}` is one too many", models[1]));
  if (!models.empty()) options.model = models.front();
  return options;
}

}  // namespace fathom
