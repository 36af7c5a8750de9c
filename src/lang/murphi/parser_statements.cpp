#include <fmt/format.h>

#include "lang/murphi/grammar.hpp"

namespace fathom::murphi {

using enum TokenKind;

// Also at what can only stand outside a body: there an `end` is missing, and the block that wants it says so.
bool Grammar::at_end_of_statements() const {
  return at_any({kw_end, kw_else, kw_elsif, kw_case, end_of_file, kw_rule, kw_ruleset, kw_startstate, kw_invariant}) ||
         at_routine() || at_section() || (at(kw_choose) && !at_name());
}

std::vector<StmtPtr> Grammar::statements() {
  std::vector<StmtPtr> result;
  for (skip_semicolons(); !at_end_of_statements(); skip_semicolons()) {
    const std::size_t before = index();
    try {
      result.push_back(statement());
      if (!at(semicolon) && !at_end_of_statements())
        report("F011", end_of_previous(), fmt::format("expected `;` before {}", found()));
    } catch (const Recovery&) {
      skip_statement();
      if (index() == before) advance();
    }
  }
  return result;
}

StmtPtr Grammar::statement() {
  const Nesting nesting(*this);
  auto result = std::make_unique<Stmt>();
  const SourceRange first = here();
  statement_into(*result);
  result->range = range_from(first);
  return result;
}

void Grammar::statement_into(Stmt& out) {
  if (at_name()) return assignment_or_call(out);
  switch (peek().kind) {
    case kw_if:
      return if_statement(out);
    case kw_switch:
      return switch_statement(out);
    case kw_for:
      return for_statement(out);
    case kw_while:
      return while_statement(out);
    case kw_alias:
      return alias_statement(out);
    case kw_assert:
      return property_statement(out, Stmt::Kind::check);
    case kw_assume:
      return property_statement(out, Stmt::Kind::assume);
    case kw_cover:
      return property_statement(out, Stmt::Kind::cover);
    case kw_liveness:
      return property_statement(out, Stmt::Kind::liveness);
    case kw_clear:
      return designator_statement(out, Stmt::Kind::clear);
    case kw_undefine:
      return designator_statement(out, Stmt::Kind::undefine);
    case kw_error:
      return error_statement(out);
    case kw_put:
      return put_statement(out);
    case kw_return:
      return return_statement(out);
    case kw_multisetadd:
      return multiset_statement(out, Stmt::Kind::multiset_add);
    case kw_multisetremove:
      return multiset_statement(out, Stmt::Kind::multiset_remove);
    case kw_multisetremovepred:
      return multiset_remove_pred(out);
    default:
      fail_expecting("a statement");
  }
}

void Grammar::if_statement(Stmt& out) {
  out.kind = Stmt::Kind::branch;
  Block block(*this, "if", here());
  bool has_else = false;
  do {
    if (has_else) report("F022", here(), "nothing can follow the `else` part of an `if`");
    has_else = at(kw_else);
    Clause clause;
    const SourceRange first = advance().range;
    if (!has_else) header(kw_then, [&] { clause.tests.push_back(expression()); });
    clause.body = statements();
    clause.range = range_from(first);
    out.clauses.push_back(std::move(clause));
  } while (at_any({kw_elsif, kw_else}));
  block.close();
}

void Grammar::switch_statement(Stmt& out) {
  out.kind = Stmt::Kind::choice;
  Block block(*this, "switch", advance().range);
  try {
    out.a = expression();
  } catch (const Recovery&) {
    skip_statement();
  }
  skip_semicolons();
  bool has_else = false;
  while (at_any({kw_case, kw_else})) {
    if (has_else) report("F022", here(), "nothing can follow the `else` part of a `switch`");
    has_else = at(kw_else);
    Clause clause;
    const SourceRange first = advance().range;
    if (!has_else) header(colon, [&] { case_values(clause.tests); });
    clause.body = statements();
    clause.range = range_from(first);
    out.clauses.push_back(std::move(clause));
  }
  block.close();
}

void Grammar::case_values(std::vector<ExprPtr>& out) {
  do {
    out.push_back(expression());
  } while (accept(comma));
}

void Grammar::for_statement(Stmt& out) {
  out.kind = Stmt::Kind::loop_for;
  Block block(*this, "for", advance().range);
  header(kw_do, [&] { out.quantifiers.push_back(quantifier()); });
  out.body = statements();
  block.close();
}

void Grammar::while_statement(Stmt& out) {
  out.kind = Stmt::Kind::loop_while;
  Block block(*this, "while", advance().range);
  header(kw_do, [&] { out.a = expression(); });
  out.body = statements();
  block.close();
}

void Grammar::alias_statement(Stmt& out) {
  out.kind = Stmt::Kind::alias;
  Block block(*this, "alias", advance().range);
  out.aliases = alias_bindings();
  out.body = statements();
  block.close();
}

void Grammar::message(Stmt& out) {
  out.text = string();
  out.has_text = true;
}

// The message may stand on either side of the condition.
void Grammar::property_statement(Stmt& out, Stmt::Kind kind) {
  out.kind = kind;
  advance();
  if (at(TokenKind::string)) message(out);
  out.a = expression();
  if (at(TokenKind::string) && !out.has_text) message(out);
}

void Grammar::designator_statement(Stmt& out, Stmt::Kind kind) {
  out.kind = kind;
  advance();
  out.a = designator();
}

void Grammar::error_statement(Stmt& out) {
  out.kind = Stmt::Kind::error;
  advance();
  message(out);
}

void Grammar::put_statement(Stmt& out) {
  out.kind = Stmt::Kind::put;
  advance();
  if (at(TokenKind::string)) {
    message(out);
  } else {
    out.a = expression();
  }
}

void Grammar::return_statement(Stmt& out) {
  out.kind = Stmt::Kind::give_back;
  advance();
  if (!at(semicolon) && !at_end_of_statements()) out.a = expression();
}

// `MultiSetAdd(element, bag)` and `MultiSetRemove(index, bag)`
void Grammar::multiset_statement(Stmt& out, Stmt::Kind kind) {
  out.kind = kind;
  advance();
  expect(left_paren);
  out.a = expression();
  expect(comma);
  out.b = expression();
  expect(right_paren);
}

// `MultiSetRemovePred(i: bag, condition)`
void Grammar::multiset_remove_pred(Stmt& out) {
  out.kind = Stmt::Kind::multiset_remove_if;
  advance();
  expect(left_paren);
  out.quantifiers.push_back(quantifier());
  expect(comma);
  out.a = expression();
  expect(right_paren);
}

void Grammar::assignment_or_call(Stmt& out) {
  const Token& first = peek();
  out.a = designator();
  if (at(equal)) {
    report("F014", here(), "an assignment is written with `:=`").help = "replace `=` by `:=`";
  } else if (!at(assign)) {
    const bool callable = out.a->kind == Expr::Kind::call || out.a->kind == Expr::Kind::name;
    const bool finished = at(semicolon) || at_end_of_statements();
    if (!callable || !finished) fail_on_misspelt_statement(first);
    out.kind = Stmt::Kind::call;
    return;
  }
  advance();
  out.kind = Stmt::Kind::assign;
  out.b = expression();
}

// The statement starts with a name but does not go on like an assignment or a call.
void Grammar::fail_on_misspelt_statement(const Token& first) {
  const std::string meant =
      suggestion_for(first, {kw_alias, kw_assert, kw_assume, kw_begin, kw_clear, kw_cover, kw_else, kw_elsif, kw_end,
                             kw_error, kw_for, kw_if, kw_put, kw_return, kw_switch, kw_undefine, kw_while});
  if (meant.empty()) fail_expecting("`:=`");
  fail("F010", first.range, fmt::format("expected a statement, found `{}`", first.text), meant);
}

}  // namespace fathom::murphi
