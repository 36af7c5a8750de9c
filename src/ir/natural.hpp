// Arithmetic of programs whose numbers are natural(): unsigned, and a result outside 0..2^64-2 is a fault.
#pragma once

#include <optional>

#include "ir/program.hpp"

namespace fathom::ir {

// The result of a binary operation on numbers as registers hold them; nothing when it has none.
std::optional<std::int64_t> calculate_natural(Expr::Kind kind, std::int64_t a, std::int64_t b);

}  // namespace fathom::ir
