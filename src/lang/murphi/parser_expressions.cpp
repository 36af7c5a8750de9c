// Expressions by precedence climbing. From weak to strong: `?:`, `->`, `||`, `&&`, `|`, `^`, `&`, `!`, comparisons,
// shifts, `+ -`, `* / %`, unary `-` and `~`. So `!a = b` is `!(a = b)`, as in both peers.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "lang/murphi/grammar.hpp"

namespace fathom::murphi {

using enum TokenKind;

namespace {

struct BinaryOperator {
  enum class Grouping : std::uint8_t { left, none, any };
  TokenKind sign;
  int strength;
  Expr::Kind kind;
  Grouping grouping;  // any: associative, also in what it evaluates and in which order
};

constexpr int strength_of_not = 7;

const BinaryOperator* binary_operator(TokenKind sign) {
  using enum BinaryOperator::Grouping;
  using Kind = Expr::Kind;
  static constexpr auto table = std::to_array<BinaryOperator>({
      {implies, 1, Kind::implies, none},
      {logical_or, 2, Kind::logical_or, any},
      {logical_and, 3, Kind::logical_and, any},
      {bar, 4, Kind::or_or_bit_or, any},
      {caret, 5, Kind::bit_xor, left},
      {ampersand, 6, Kind::and_or_bit_and, any},
      {equal, 8, Kind::equal, none},
      {not_equal, 8, Kind::not_equal, none},
      {less, 8, Kind::less, none},
      {less_equal, 8, Kind::less_equal, none},
      {greater, 8, Kind::greater, none},
      {greater_equal, 8, Kind::greater_equal, none},
      {shift_left, 9, Kind::shift_left, left},
      {shift_right, 9, Kind::shift_right, left},
      {plus, 10, Kind::add, left},
      {minus, 10, Kind::subtract, left},
      {star, 11, Kind::multiply, left},
      {slash, 11, Kind::divide, left},
      {percent, 11, Kind::modulo, left},
  });
  const auto found = std::ranges::find(table, sign, &BinaryOperator::sign);
  return found == table.end() ? nullptr : &*found;
}

std::uint32_t height_of(const ExprPtr& expr) {
  return expr ? expr->height : 0;
}

}  // namespace

ExprPtr Grammar::make(Expr::Kind kind, SourceRange range, ExprPtr a, ExprPtr b, ExprPtr c) {
  auto result = std::make_unique<Expr>();
  result->kind = kind;
  result->range = range;
  result->height = 1 + std::max({height_of(a), height_of(b), height_of(c)});
  result->a = std::move(a);
  result->b = std::move(b);
  result->c = std::move(c);
  bound_height(*result);
  return result;
}

void Grammar::bound_height(const Expr& expr) {
  if (expr.height > max_depth) abandon("F017", here(), "this expression is nested too deeply");
  tallest_ = std::max(tallest_, expr.height);
}

// Arguments, quantifiers and types are no operands that make() sees, so we count everything made on the way.
ExprPtr Grammar::with_parts(ExprPtr (Grammar::*parse)()) {
  const std::uint32_t outside = std::exchange(tallest_, 0);
  auto result = (this->*parse)();
  result->height = 1 + tallest_;
  tallest_ = outside;
  bound_height(*result);
  return result;
}

ExprPtr Grammar::expression() {
  const Nesting nesting(*this);
  auto condition = binary(0);
  if (at(assign)) fail("F015", here(), "`:=` cannot stand in an expression", "use `=` to compare");
  if (!accept(question)) return condition;
  auto when_true = expression();
  expect(colon);
  auto when_false = binary(0);
  if (at(question)) fail("F016", here(), "`?:` cannot be chained", "use parentheses to say what belongs together");
  const SourceRange range = condition->range.to(when_false->range);
  return make(Expr::Kind::conditional, range, std::move(condition), std::move(when_true), std::move(when_false));
}

// Reads operators that are at least as strong as `weakest`.
ExprPtr Grammar::binary(int weakest) {
  auto left = unary();
  for (const auto* op = binary_operator(peek().kind); op != nullptr && op->strength >= weakest;) {
    if (op->grouping == BinaryOperator::Grouping::any) {
      left = chain(std::move(left), op->sign, op->strength, op->kind);
    } else {
      advance();
      auto right = binary(op->strength + 1);
      const SourceRange range = left->range.to(right->range);
      left = make(op->kind, range, std::move(left), std::move(right));
    }
    const auto* next = binary_operator(peek().kind);
    if (next != nullptr && next->strength == op->strength && op->grouping == BinaryOperator::Grouping::none)
      fail("F016", here(),
           fmt::format("{} cannot follow {} without parentheses", describe(next->sign), describe(op->sign)));
    op = next;
  }
  return left;
}

// Generated models have conjunctions of thousands of terms. A balanced tree evaluates the same terms in the same order
// and keeps every pass that walks it shallow.
ExprPtr Grammar::chain(ExprPtr first, TokenKind sign, int strength, Expr::Kind kind) {
  std::vector<ExprPtr> operands;
  operands.push_back(std::move(first));
  while (accept(sign)) operands.push_back(binary(strength + 1));
  return balanced(operands, 0, operands.size(), kind);
}

ExprPtr Grammar::balanced(std::vector<ExprPtr>& operands, std::size_t begin, std::size_t end, Expr::Kind kind) {
  if (end - begin == 1) return std::move(operands[begin]);
  const std::size_t middle = end - (end - begin) / 2;
  auto left = balanced(operands, begin, middle, kind);
  auto right = balanced(operands, middle, end, kind);
  const SourceRange range = left->range.to(right->range);
  return make(kind, range, std::move(left), std::move(right));
}

ExprPtr Grammar::unary() {
  const Nesting nesting(*this);
  const SourceRange first = here();
  const auto apply = [&](Expr::Kind kind, ExprPtr operand) {
    const SourceRange range = first.to(operand->range);
    return make(kind, range, std::move(operand));
  };
  if (accept(bang)) return apply(Expr::Kind::logical_not, binary(strength_of_not + 1));
  if (accept(minus)) return apply(Expr::Kind::negate, unary());
  if (accept(tilde)) return apply(Expr::Kind::complement, unary());
  return designator();
}

ExprPtr Grammar::designator() {
  auto result = primary();
  for (;;) {
    const SourceRange first = result->range;
    if (accept(dot)) {
      const Name field = name();
      result = make(Expr::Kind::field, first.to(field.range), std::move(result));
      result->text = field.text;
      result->name_range = field.range;
    } else if (accept(left_bracket)) {
      auto index = expression();
      expect(right_bracket);
      result = make(Expr::Kind::index, range_from(first), std::move(result), std::move(index));
    } else {
      return result;
    }
  }
}

ExprPtr Grammar::primary() {
  if (at_word()) return peek(1).kind == left_paren ? with_parts(&Grammar::call) : plain_name(name());
  switch (peek().kind) {
    case TokenKind::number:
      return number();
    case left_paren:
      return parenthesised();
    case kw_undefined:
      return make(Expr::Kind::undefined_value, advance().range);
    case kw_forall:
    case kw_exists:
      return with_parts(&Grammar::quantified);
    case kw_isundefined:
      return is_undefined();
    case kw_ismember:
      return with_parts(&Grammar::is_member);
    case kw_multisetcount:
      return with_parts(&Grammar::multiset_count);
    case assign:
      fail("F015", here(), "`:=` cannot stand in an expression", "use `=` to compare");
    default:
      fail_expecting("an expression");
  }
}

ExprPtr Grammar::number() {
  const Token& token = advance();
  auto result = make(Expr::Kind::number, token.range);
  result->value = token.value;
  return result;
}

ExprPtr Grammar::plain_name(const Name& used) {
  auto result = make(Expr::Kind::name, used.range);
  result->text = used.text;
  return result;
}

ExprPtr Grammar::call() {
  const Name called = name();
  expect(left_paren);
  std::vector<ExprPtr> arguments;
  while (!at(right_paren)) {
    arguments.push_back(expression());
    if (!accept(comma)) break;
  }
  expect(right_paren);
  auto result = make(Expr::Kind::call, range_from(called.range));
  result->text = called.text;
  result->name_range = called.range;
  result->arguments = std::move(arguments);
  return result;
}

ExprPtr Grammar::parenthesised() {
  const SourceRange first = advance().range;
  auto result = expression();
  expect(right_paren);
  result->range = range_from(first);
  result->parenthesised = true;
  return result;
}

// `forall i: T do condition end`
ExprPtr Grammar::quantified() {
  const auto kind = at(kw_forall) ? Expr::Kind::for_all : Expr::Kind::exists;
  const SourceRange first = advance().range;
  Block block(*this, kind == Expr::Kind::for_all ? "forall" : "exists", first);
  auto bound = quantifiers(kw_do);
  ExprPtr condition;
  try {
    condition = expression();
    skip_semicolons();
    block.close();
  } catch (const Recovery&) {
    if (!skip_past(kw_end)) throw;
  }
  auto result = make(kind, range_from(first), std::move(condition));
  result->quantifiers = std::move(bound);
  return result;
}

ExprPtr Grammar::is_undefined() {
  const SourceRange first = advance().range;
  expect(left_paren);
  auto tested = expression();
  expect(right_paren);
  return make(Expr::Kind::is_undefined, range_from(first), std::move(tested));
}

ExprPtr Grammar::is_member() {
  const SourceRange first = advance().range;
  expect(left_paren);
  auto tested = expression();
  expect(comma);
  auto tested_type = type();
  expect(right_paren);
  auto result = make(Expr::Kind::is_member, range_from(first), std::move(tested));
  result->type = std::move(tested_type);
  return result;
}

// `MultiSetCount(i: bag, condition)`
ExprPtr Grammar::multiset_count() {
  const SourceRange first = advance().range;
  expect(left_paren);
  auto bound = quantifier();
  expect(comma);
  auto condition = expression();
  expect(right_paren);
  auto result = make(Expr::Kind::multiset_count, range_from(first), std::move(condition));
  result->quantifiers.push_back(std::move(bound));
  return result;
}

}  // namespace fathom::murphi
