// The binary operators of expressions: their signs, what they mean, and how tightly they bind.
#pragma once

#include "lang/promela/ast.hpp"
#include "lang/promela/token.hpp"

namespace fathom::promela {

struct BinaryOperator {
  TokenKind sign;
  Expr::Kind kind;
  int precedence;
};

constexpr int lowest_precedence = 1;

// Null when the token is no binary operator.
const BinaryOperator* binary_operator(TokenKind sign);
// By what the printer needs.
const BinaryOperator* binary_operator(Expr::Kind kind);
// Comparisons and logical operators.
bool yields_boolean(Expr::Kind kind);

}  // namespace fathom::promela
