#include "cli/searches.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fathom {

namespace {

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const SearchEntry& entry : searches()) result.emplace_back(entry.name);
  return result;
}

}  // namespace

SearchExpression resolve_search(const std::string& text) {
  SearchExpression expression = parse_search(text);
  if (std::ranges::find(searches(), expression.name, &SearchEntry::name) == searches().end()) {
    throw SearchExpressionError(fmt::format("there is no search `{}`{} (there are: {})", expression.name,
                                            did_you_mean(expression.name, names()), fmt::join(names(), ", ")),
                                text, expression.position);
  }
  if (!expression.arguments.empty()) {
    throw SearchExpressionError(fmt::format("`{}` takes no arguments", expression.name), text,
                                expression.arguments.front().position);
  }
  return expression;
}

const SearchEntry& entry_of(const SearchExpression& expression) {
  return *std::ranges::find(searches(), expression.name, &SearchEntry::name);
}

std::string describe_searches() {
  std::string text = "Searches for --search:\n\n";
  for (const SearchEntry& entry : searches()) text += fmt::format("  {:<10} {}\n", entry.form, entry.help);
  text +=
      "\nA search is written name(values, key=value). Numbers may end in k, M or G; there are percentages (50%),\n"
      "yes and no, and durations (10s, 5m, 2h).\n";
  return text;
}

}  // namespace fathom
