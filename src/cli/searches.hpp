// Search expressions checked against the table of searches (search/run.hpp).
#pragma once

#include <string>

#include "cli/search_expression.hpp"
#include "search/run.hpp"

namespace fathom {

// Parses and checks an expression against the table; throws UsageError.
SearchExpression resolve_search(const std::string& text);

const SearchEntry& entry_of(const SearchExpression& expression);

// A checked expression in which every parameter that has a default is present.
SearchExpression with_defaults(SearchExpression expression);

// The first evaluator in this expression that goes by marks; null if there is none.
const SearchExpression* first_that_needs_marks(const SearchExpression& expression);

// For a run in which no step is marked: throws UsageError if an evaluator in this expression needs marks. `text` is
// what the expression was read from.
void require_marks(const SearchExpression& expression, const std::string& text);

// "bounded-dfs(bound=N, step=N)"
std::string form_of(const SearchEntry& entry);

// The text of `fathom help search`.
std::string describe_searches();

}  // namespace fathom
