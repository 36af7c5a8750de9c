#include "lang/murphi/grammar.hpp"

namespace fathom::murphi {

using enum TokenKind;

TypePtr Grammar::type() {
  const Nesting nesting(*this);
  switch (peek().kind) {
    case kw_enum:
      return enumeration_type();
    case kw_scalarset:
      return scalarset_type();
    case kw_union:
      return union_type();
    case kw_array:
      return array_type();
    case kw_record:
      return record_type();
    case kw_multiset:
      return multiset_type();
    case kw_real:
      if (peek(1).kind == left_paren) return real_type();
      [[fallthrough]];
    default:
      return named_or_range_type();
  }
}

// Both may start with a name: `Count` and `Count-1 .. Count`.
TypePtr Grammar::named_or_range_type() {
  const TokenKind next = peek(1).kind;
  const bool goes_on = next == left_brace || next == left_bracket || next == left_paren || next == identifier;
  const bool can_start = at_word() || at_any({TokenKind::number, minus, tilde, left_paren});
  const std::string misspelt =
      goes_on ? suggestion({kw_array, kw_enum, kw_multiset, kw_record, kw_scalarset, kw_union}) : "";
  if (!can_start || !misspelt.empty()) fail_expecting("a type", misspelt);
  auto low = binary(0);
  if (at(range_dots)) return range_type(std::move(low));
  if (low->kind != Expr::Kind::name || low->parenthesised)
    fail("F021", low->range, "this is not a type", "a range is written `low .. high`");
  auto result = std::make_unique<TypeExpr>();
  result->kind = TypeExpr::Kind::name;
  result->range = low->range;
  result->name = {low->text, low->range};
  return result;
}

TypePtr Grammar::range_type(ExprPtr low) {
  auto result = std::make_unique<TypeExpr>();
  result->kind = TypeExpr::Kind::range;
  const SourceRange first = low->range;
  result->low = std::move(low);
  expect(range_dots);
  result->high = expression();
  result->range = range_from(first);
  return result;
}

TypePtr Grammar::enumeration_type() {
  auto result = std::make_unique<TypeExpr>();
  result->kind = TypeExpr::Kind::enumeration;
  const SourceRange first = advance().range;
  expect(left_brace);
  while (at_word()) {
    result->values.push_back(name());
    if (!accept(comma)) break;
  }
  expect(right_brace);
  result->range = range_from(first);
  return result;
}

TypePtr Grammar::scalarset_type() {
  auto result = std::make_unique<TypeExpr>();
  result->kind = TypeExpr::Kind::scalarset;
  const SourceRange first = advance().range;
  expect(left_paren);
  result->low = expression();
  expect(right_paren);
  result->range = range_from(first);
  return result;
}

TypePtr Grammar::union_type() {
  auto result = std::make_unique<TypeExpr>();
  result->kind = TypeExpr::Kind::unite;
  const SourceRange first = advance().range;
  expect(left_brace);
  do {
    result->members.push_back(type());
  } while (accept(comma) && !at(right_brace));
  expect(right_brace);
  result->range = range_from(first);
  return result;
}

TypePtr Grammar::array_type() {
  auto result = std::make_unique<TypeExpr>();
  result->kind = TypeExpr::Kind::array;
  const SourceRange first = advance().range;
  expect(left_bracket);
  result->index = type();
  expect(right_bracket);
  expect(kw_of);
  result->element = type();
  result->range = range_from(first);
  return result;
}

TypePtr Grammar::record_type() {
  auto result = std::make_unique<TypeExpr>();
  result->kind = TypeExpr::Kind::record;
  const SourceRange first = advance().range;
  Block block(*this, "record", first);
  for (skip_semicolons(); at_word(); skip_semicolons()) declaration(Declaration::Kind::variable, result->fields);
  block.close();
  result->range = range_from(first);
  return result;
}

TypePtr Grammar::multiset_type() {
  auto result = std::make_unique<TypeExpr>();
  result->kind = TypeExpr::Kind::multiset;
  const SourceRange first = advance().range;
  expect(left_bracket);
  result->low = expression();
  expect(right_bracket);
  expect(kw_of);
  result->element = type();
  result->range = range_from(first);
  return result;
}

TypePtr Grammar::real_type() {
  auto result = std::make_unique<TypeExpr>();
  result->kind = TypeExpr::Kind::real;
  const SourceRange first = advance().range;
  expect(left_paren);
  result->low = expression();
  expect(comma);
  result->high = expression();
  expect(right_paren);
  result->range = range_from(first);
  return result;
}

}  // namespace fathom::murphi
