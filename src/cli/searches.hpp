// Search expressions checked against the table of searches (search/run.hpp).
#pragma once

#include <string>

#include "cli/search_expression.hpp"
#include "search/run.hpp"

namespace fathom {

// Parses and checks an expression against the table; throws UsageError.
SearchExpression resolve_search(const std::string& text);

const SearchEntry& entry_of(const SearchExpression& expression);

// The text of `fathom help search`.
std::string describe_searches();

}  // namespace fathom
