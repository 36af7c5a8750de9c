// Search expressions: `name(positional…, key=value…)`, nested, as in `bounded-dfs(bound=1k)` or `l2s(bfs)`.
// The parser knows the form only; which searches there are and what they take is in cli/searches.hpp.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/usage_error.hpp"

namespace fathom {

struct SearchArgument;

struct SearchExpression {
  std::string name;
  std::vector<SearchArgument> arguments;
  std::size_t position = 0;  // in bytes, in the text it was parsed from

  [[nodiscard]] std::string text() const;
};

// Values are kept as they were written, together with what they can be read as.
struct SearchArgument {
  enum class Kind { count, percentage, duration, truth, search };
  std::string key;  // "" for a positional one
  Kind kind = Kind::search;
  double number = 0;  // count, percentage (as a fraction), duration (in seconds), truth (0 or 1)
  std::string written;
  SearchExpression search;
  std::size_t position = 0;
};

// A mistake in an expression: the message, the expression, and a caret below the place.
struct SearchExpressionError : UsageError {
  SearchExpressionError(const std::string& message, const std::string& expression, std::size_t position);
};

SearchExpression parse_search(const std::string& text);

}  // namespace fathom
