// The parser of search expressions, such as `bounded-dfs(bound=1k)` or `l2s(bfs)`. It knows the form only; which
// searches there are and what they take is checked in cli/searches.hpp.
#pragma once

#include <cstddef>
#include <string>

#include "cli/usage_error.hpp"
#include "search/expression.hpp"

namespace fathom {

// A mistake in an expression: the message, the expression, and a caret below the place.
struct SearchExpressionError : UsageError {
  SearchExpressionError(const std::string& message, const std::string& expression, std::size_t position);
};

SearchExpression parse_search(const std::string& text);

}  // namespace fathom
