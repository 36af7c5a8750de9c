// What the arithmetic of expressions comes to, for everything that evaluates the ir.
#pragma once

#include <optional>

#include "ir/program.hpp"

namespace fathom {

// The result of a binary operation on numbers, by the type of the expression; nothing when it has none: an overflow, or
// a division by zero.
std::optional<std::int64_t> calculate(const ir::Expr& expr, std::int64_t a, std::int64_t b);

}  // namespace fathom
