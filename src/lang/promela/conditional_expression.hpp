// The condition of `#if` and `#elif`: a constant expression of C over 64-bit numbers. Names that are still there after
// expansion are 0.
#pragma once

#include <optional>
#include <vector>

#include "lang/promela/token.hpp"
#include "support/diagnostics.hpp"

namespace fathom::promela {

// Nothing when the condition was wrong, which has then been reported. `directive` is blamed for an empty condition.
std::optional<bool> evaluate_condition(const std::vector<Token>& tokens, SourceRange directive,
                                       Diagnostics& diagnostics);

}  // namespace fathom::promela
