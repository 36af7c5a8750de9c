#include <fmt/format.h>

#include "lang/murphi/grammar.hpp"

namespace fathom::murphi {

using enum TokenKind;

bool Grammar::at_section() const {
  return at_any({kw_const, kw_type, kw_var});
}

std::vector<Declaration> Grammar::sections() {
  std::vector<Declaration> result;
  for (skip_semicolons(); at_section(); skip_semicolons()) section(result);
  return result;
}

void Grammar::section(std::vector<Declaration>& out) {
  const TokenKind word = advance().kind;
  const auto kind = word == kw_const  ? Declaration::Kind::constant
                    : word == kw_type ? Declaration::Kind::type
                                      : Declaration::Kind::variable;
  for (skip_semicolons(); at_declaration(); skip_semicolons()) declaration(kind, out);
}

// `begin` may be left out before the statements of a rule, so a name that goes on like a statement ends the section.
// So does a misspelt `rule`.
bool Grammar::at_declaration() const {
  if (!at_name()) return false;
  const TokenKind next = peek(1).kind;
  if (next == colon || next == comma) return true;
  const bool statement = next == assign || next == dot || next == left_bracket || next == left_paren;
  return !statement && misspelt_item().empty();
}

// Reads `a, b: T`, `T: type` or `N: value`. The names of a list share one type; constants after the first of a list
// stand for the first.
void Grammar::declaration(Declaration::Kind kind, std::vector<Declaration>& out) try {
  const auto names = name_list();
  if (at(equal)) fail("F018", here(), "expected `:`, found `=`", "a declaration is written `name: ...`");
  if (!at(colon)) fail_expecting("`:`");
  advance();
  std::shared_ptr<TypeExpr> shared;
  ExprPtr value;
  if (kind == Declaration::Kind::constant) {
    value = expression();
  } else {
    shared = type();
  }
  for (const Name& declared : names) {
    Declaration result;
    result.kind = kind;
    result.name = declared;
    result.type = shared;
    result.value = std::move(value);
    out.push_back(std::move(result));
    if (kind == Declaration::Kind::constant) value = plain_name(names.front());
  }
} catch (const Recovery&) {
  skip_statement();
}

std::vector<Name> Grammar::name_list() {
  std::vector<Name> result;
  do {
    result.push_back(name());
  } while (accept(comma));
  return result;
}

bool Grammar::at_routine() const {
  if (at_any({kw_function, kw_procedure})) return true;
  return at_any({kw_externfun, kw_externproc}) && !at_name();
}

Routine Grammar::routine() {
  if (at_any({kw_externfun, kw_externproc})) return external_routine();
  Routine result;
  const bool is_function = at(kw_function);
  const SourceRange first = advance().range;
  Block block(*this, is_function ? "function" : "procedure", first);
  try {
    signature(result, is_function);
  } catch (const Recovery&) {
    skip_statement();
  }
  result.declarations = sections();
  accept(kw_begin);
  result.body = statements();
  block.close();
  result.range = range_from(first);
  return result;
}

// A C function: `externfun f(a: T): T "file.h";`. There is no body.
Routine Grammar::external_routine() {
  Routine result;
  result.external = true;
  const bool is_function = at(kw_externfun);
  const SourceRange first = advance().range;
  signature(result, is_function);
  skip_semicolons();
  if (at(TokenKind::string)) string();
  result.range = range_from(first);
  return result;
}

void Grammar::signature(Routine& routine, bool has_result) {
  routine.name = name();
  expect(left_paren);
  routine.parameters = parameters();
  expect(right_paren);
  if (!has_result && at(colon)) fail("F019", here(), "a procedure has no result", "did you mean `function`?");
  if (has_result) {
    expect(colon);
    routine.result = type();
  }
}

std::vector<FormalParameter> Grammar::parameters() {
  std::vector<FormalParameter> result;
  for (skip_semicolons(); at_word() || at(kw_var); skip_semicolons()) {
    const bool by_reference = accept(kw_var);
    const auto names = name_list();
    expect(colon);
    const std::shared_ptr<TypeExpr> shared = type();
    for (const Name& parameter : names) result.push_back({parameter, shared, by_reference});
    if (at(comma)) fail("F020", here(), "parameters are separated by `;`");
  }
  return result;
}

}  // namespace fathom::murphi
