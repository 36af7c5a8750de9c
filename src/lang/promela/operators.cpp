#include "lang/promela/operators.hpp"

#include <algorithm>
#include <array>

namespace fathom::promela {

namespace {

using enum TokenKind;

constexpr auto operators = std::to_array<BinaryOperator>({
    {logical_or, Expr::Kind::logical_or, 1},
    {logical_and, Expr::Kind::logical_and, 2},
    {bar, Expr::Kind::bit_or, 3},
    {caret, Expr::Kind::bit_xor, 4},
    {ampersand, Expr::Kind::bit_and, 5},
    {equal, Expr::Kind::equal, 6},
    {not_equal, Expr::Kind::not_equal, 6},
    {less, Expr::Kind::less, 7},
    {less_equal, Expr::Kind::less_equal, 7},
    {greater, Expr::Kind::greater, 7},
    {greater_equal, Expr::Kind::greater_equal, 7},
    {shift_left, Expr::Kind::shift_left, 8},
    {shift_right, Expr::Kind::shift_right, 8},
    {plus, Expr::Kind::add, 9},
    {minus, Expr::Kind::subtract, 9},
    {star, Expr::Kind::multiply, 10},
    {slash, Expr::Kind::divide, 10},
    {percent, Expr::Kind::modulo, 10},
});

}  // namespace

const BinaryOperator* binary_operator(TokenKind sign) {
  const auto* const found = std::ranges::find(operators, sign, &BinaryOperator::sign);
  return found == operators.end() ? nullptr : found;
}

const BinaryOperator* binary_operator(Expr::Kind kind) {
  const auto* const found = std::ranges::find(operators, kind, &BinaryOperator::kind);
  return found == operators.end() ? nullptr : found;
}

bool yields_boolean(Expr::Kind kind) {
  const BinaryOperator* const found = binary_operator(kind);
  return found != nullptr && (found->precedence <= 2 || found->precedence == 6 || found->precedence == 7);
}

}  // namespace fathom::promela
