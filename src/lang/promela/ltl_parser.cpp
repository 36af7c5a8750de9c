// Formulas of ltl blocks. Operators bind as in Spin: `->` and `<->` least, then `||`, `&&`, the temporal binary
// operators (all of these to the left), then the operators of expressions; `!`, `[]`, `<>` and `X` bind tightest. So
// `<> x == 2` would compare a formula with a number, which Spin turns into nonsense and we reject.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lang/promela/expressions.hpp"
#include "lang/promela/grammar.hpp"
#include "lang/promela/operators.hpp"
#include "lang/promela/preprocessor.hpp"

namespace fathom::promela {

using enum TokenKind;

namespace {

struct Word {
  std::string_view text;
  Ltl::Kind kind;
};

constexpr auto binary_words = std::to_array<Word>({
    {"U", Ltl::Kind::until},
    {"until", Ltl::Kind::until},
    {"stronguntil", Ltl::Kind::until},
    {"W", Ltl::Kind::weak_until},
    {"weakuntil", Ltl::Kind::weak_until},
    {"V", Ltl::Kind::release},
    {"release", Ltl::Kind::release},
    {"implies", Ltl::Kind::implication},
    {"equivalent", Ltl::Kind::equivalence},
});

constexpr auto unary_words = std::to_array<Word>({
    {"X", Ltl::Kind::next},
    {"next", Ltl::Kind::next},
    {"always", Ltl::Kind::always},
    {"eventually", Ltl::Kind::eventually},
});

template <class Words>
const Word* find(const Words& words, const std::string& text) {
  const auto* const found = std::ranges::find(words, std::string_view(text), &Word::text);
  return found == words.end() ? nullptr : found;
}

int precedence(Ltl::Kind kind) {
  switch (kind) {
    case Ltl::Kind::implication:
    case Ltl::Kind::equivalence:
      return 1;
    case Ltl::Kind::disjunction:
      return 2;
    case Ltl::Kind::conjunction:
      return 3;
    default:
      return 4;
  }
}

constexpr int above_temporal = 4;  // added to the precedence of an operator of expressions

}  // namespace

// A binary operator at the current token: how tightly it binds, how many tokens it takes, and what it means.
struct Grammar::LtlOperator {
  int precedence = 0;  // 0: none
  std::size_t tokens = 1;
  Ltl::Kind formula = Ltl::Kind::atom;  // atom: an operator of expressions
  Expr::Kind expression = Expr::Kind::number;
};

Grammar::LtlOperator Grammar::ltl_operator() const {
  const auto temporal = [](Ltl::Kind kind, std::size_t tokens = 1) {
    return LtlOperator{precedence(kind), tokens, kind, {}};
  };
  const TokenKind kind = peek().kind;
  const TokenKind next = ahead(1).kind;
  if (kind == arrow) return temporal(Ltl::Kind::implication);
  if (kind == less && next == arrow) return temporal(Ltl::Kind::equivalence, 2);
  if (kind == logical_and) return temporal(Ltl::Kind::conjunction);
  if (kind == logical_or) return temporal(Ltl::Kind::disjunction);
  if (kind == slash && next == backslash) return temporal(Ltl::Kind::conjunction, 2);
  if (kind == backslash && next == slash) return temporal(Ltl::Kind::disjunction, 2);
  if (kind == identifier) {
    const Word* const word = find(binary_words, peek().text);
    return word != nullptr ? temporal(word->kind) : LtlOperator{};
  }
  const BinaryOperator* const sign = binary_operator(kind);
  if (sign == nullptr) return {};
  return {sign->precedence + above_temporal, 1, Ltl::Kind::atom, sign->kind};
}

void Grammar::parse_pending_ltl() {
  for (PendingLtl& pending : pending_ltl_) {
    const Unresolved known = unresolved();
    enter(std::move(pending.tokens));
    try {
      advance();
      pending.property.formula = formula(1);
      while (accept(semicolon)) {
      }
      if (!accept(right_brace)) fail_expecting("an operator or `}`");
      if (pending.property.name.starts_with(condition_prefix))
        pending.property.formula = atom(as_expression(std::move(pending.property.formula)));
    } catch (const Recovery&) {
      forget_since(known);
      pending.property.formula.reset();
    }
    leave();
    model_.properties.push_back(std::move(pending.property));
  }
}

LtlPtr Grammar::formula(int lowest) {
  const Nesting nesting(*this);
  const std::size_t first = index();
  auto left = formula_operand();
  for (LtlOperator sign = ltl_operator(); sign.precedence >= lowest && sign.precedence > 0; sign = ltl_operator()) {
    for (std::size_t i = 0; i < sign.tokens; ++i) advance();
    auto right = formula(sign.precedence + 1);
    if (sign.formula == Ltl::Kind::atom) {
      auto a = as_expression(std::move(left));
      left = atom(combine(sign.expression, std::move(a), as_expression(std::move(right))));
    } else {
      left = make_formula(sign.formula, std::move(left), std::move(right), first);
    }
  }
  return left;
}

LtlPtr Grammar::formula_operand() {
  const std::size_t first = index();
  const TokenKind next = ahead(1).kind;
  switch (peek().kind) {
    case send:
      return formula_unary(Ltl::Kind::negation, first, 1);
    case sorted_send:  // `!!p`
      return formula_unary(Ltl::Kind::negation, first, 1);
    case left_bracket:
      if (next == right_bracket) return formula_unary(Ltl::Kind::always, first, 2);
      break;
    case less:
      if (next == greater) return formula_unary(Ltl::Kind::eventually, first, 2);
      break;
    case identifier:
      if (const Word* const word = find(unary_words, peek().text)) return formula_unary(word->kind, first, 1);
      if (find(binary_words, peek().text) != nullptr) fail_expecting("a formula");
      break;
    case left_paren:
      return formula_parenthesised();
    case minus:
    case tilde: {
      const auto kind = at(minus) ? Expr::Kind::negate : Expr::Kind::complement;
      const Nesting nesting(*this);
      advance();
      auto result = std::make_unique<Expr>();
      result->kind = kind;
      result->a = as_expression(formula_operand());
      result->height = 1 + result->a->height;
      return atom(finish(std::move(result), first));
    }
    default:
      break;
  }
  auto value = primary();
  refuse_structure(*value);
  return atom(std::move(value));
}

LtlPtr Grammar::formula_unary(Ltl::Kind kind, std::size_t first, std::size_t signs) {
  const Nesting nesting(*this);
  const bool twice = at(sorted_send);
  for (std::size_t i = 0; i < signs; ++i) advance();
  auto result = make_formula(kind, formula_operand(), nullptr, first);
  return twice ? make_formula(kind, std::move(result), nullptr, first) : std::move(result);
}

LtlPtr Grammar::formula_parenthesised() {
  const std::size_t first = index();
  const SourceRange opening = here();
  advance();
  auto result = formula(1);
  if (at(colon)) fail("F463", "a formula has no conditional expressions; `->` is the implication");
  refuse_assignment();
  close(right_paren, "(", opening);
  result->range = range_from(first);
  if (result->expression) result->expression->parenthesised = true;
  return result;
}

LtlPtr Grammar::make_formula(Ltl::Kind kind, LtlPtr a, LtlPtr b, std::size_t first) {
  auto result = std::make_unique<Ltl>();
  result->kind = kind;
  result->origin = origin_at(first);
  result->range = range_from(first);
  result->height = 1 + std::max(a->height, b ? b->height : 0);
  if (result->height > max_height) abandon("F017", "this formula is too large");
  result->a = std::move(a);
  result->b = std::move(b);
  return result;
}

LtlPtr Grammar::atom(ExprPtr expression) {
  auto result = std::make_unique<Ltl>();
  result->range = expression->range;
  result->origin = expression->origin;
  result->height = expression->height;
  result->expression = std::move(expression);
  return result;
}

// A formula used as an operand of `==`, `+` and so on must be free of temporal operators.
ExprPtr Grammar::as_expression(LtlPtr formula) {
  const SourceRange range = formula->range;
  const auto negated = [&](ExprPtr operand) {
    refuse_probe(*operand);
    auto result = std::make_unique<Expr>();
    result->kind = Expr::Kind::logical_not;
    result->type = basic_type(Type::Kind::boolean);
    result->range = range;
    result->origin = operand->origin;
    result->height = 1 + operand->height;
    result->a = std::move(operand);
    return result;
  };
  switch (formula->kind) {
    case Ltl::Kind::atom:
      return std::move(formula->expression);
    case Ltl::Kind::negation:
      return negated(as_expression(std::move(formula->a)));
    case Ltl::Kind::conjunction:
    case Ltl::Kind::disjunction: {
      const auto kind = formula->kind == Ltl::Kind::conjunction ? Expr::Kind::logical_and : Expr::Kind::logical_or;
      auto a = as_expression(std::move(formula->a));
      return combine(kind, std::move(a), as_expression(std::move(formula->b)));
    }
    default:
      break;
  }
  report("F463", range, "a temporal formula cannot be an operand of a comparison or of arithmetic", formula->origin)
      .help = "operators such as `<>` bind tighter: write <> (x == 1)";
  throw Recovery{};
}

}  // namespace fathom::promela
