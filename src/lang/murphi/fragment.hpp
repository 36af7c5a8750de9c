// An expression of the model's language that stands outside the model: in a formula, a mark, or an automaton's file.
#pragma once

#include "lang/murphi/ast.hpp"
#include "lang/murphi/dialect.hpp"
#include "support/diagnostics.hpp"

namespace fathom::murphi {

// Null when the text is no expression, which was reported with its place.
ExprPtr parse_fragment(const Sources& sources, SourceRange part, Dialect dialect, Diagnostics& diagnostics);

}  // namespace fathom::murphi
