// Sends, receives and what they carry.
#include <fmt/format.h>

#include "lang/promela/expressions.hpp"
#include "lang/promela/grammar.hpp"

namespace fathom::promela {

using enum TokenKind;

ExprPtr Grammar::channel() {
  auto result = designator();
  if (!result->type.is(Type::Kind::chan)) {
    const Variable& declared = declaration_of(*result);
    report("F440", result->range,
           fmt::format("`{}` is of type {} and no channel", declared.name, to_string(result->type)), result->origin)
        .notes.push_back({declared.range, "declared here"});
  }
  return result;
}

void Grammar::send_statement(Stmt& out, bool sorted) {
  out.kind = Stmt::Kind::send;
  out.sorted = sorted;
  out.a = channel();
  advance();
  send_arguments(out.arguments);
}

// `a, b, c` or `a(b, c)`, which is the same
void Grammar::send_arguments(std::vector<ExprPtr>& out) {
  const auto next = [&] {
    auto argument = message_expression();
    refuse_probe(*argument);
    add_argument(out, std::move(argument));
  };
  next();
  if (at(left_paren)) {
    const SourceRange opening = here();
    const LineBreaks breaks(*this, false);
    advance();
    do {
      next();
    } while (accept(comma));
    return close(right_paren, "(", opening);
  }
  while (accept(comma)) next();
}

// A structure stands for its scalars.
void Grammar::add_argument(std::vector<ExprPtr>& out, ExprPtr argument) {
  if (!argument->type.is(Type::Kind::user) || !argument->is_designator()) return out.push_back(std::move(argument));
  const Variable* array = nullptr;
  scalars_of(argument->type, &array);
  if (array != nullptr)
    report("F445", argument->range, fmt::format("a message cannot contain `{}`, an array of structures", array->name),
           argument->origin)
        .notes.push_back({array->range, "declared here"});
  for (ExprPtr& scalar : scalars_of(std::move(argument))) out.push_back(std::move(scalar));
}

// `c?m`, `c??m`, `c?<m>`, `c??<m>`
void Grammar::receive_statement(Stmt& out) {
  out.kind = Stmt::Kind::receive;
  out.a = channel();
  out.random = at(random_receive);
  advance();
  if (at(less)) {
    out.copy = true;
    const SourceRange opening = here();
    const LineBreaks breaks(*this, false);
    advance();
    receive_argument_list(out.arguments);
    close(greater, "<", opening);
  } else {
    receive_argument_list(out.arguments);
  }
  check_stored_once(out.arguments);
}

// `a, b`, `a(b, c)` or `(a, b)`
void Grammar::receive_argument_list(std::vector<ExprPtr>& out) {
  const Nesting nesting(*this);
  do {
    if (!at(left_paren)) receive_argument(out);
    if (at(left_paren)) {
      const SourceRange opening = here();
      const LineBreaks breaks(*this, false);
      advance();
      receive_argument_list(out);
      return close(right_paren, "(", opening);
    }
  } while (accept(comma));
}

void Grammar::receive_argument(std::vector<ExprPtr>& out) {
  const std::size_t first = index();
  if (at(identifier) && peek().text == "_")
    return out.push_back(simple(Expr::Kind::wildcard, basic_type(Type::Kind::int_)));
  if (accept(kw_eval)) {
    auto match = std::make_unique<Expr>();
    match->kind = Expr::Kind::eval;
    const SourceRange opening = here();
    const LineBreaks breaks(*this, false);
    expect(left_paren);
    match->a = expression();
    match->type = match->a->type;
    match->height = 1 + match->a->height;
    close(right_paren, "(", opening);
    return out.push_back(finish(std::move(match), first));
  }
  const bool constant = at_any({number, character, kw_true, kw_false, kw_skip}) ||
                        (at(identifier) && names_.mtype_constants.contains(peek().text));
  if (constant) return out.push_back(primary());
  if (at(minus)) {
    auto negative = unary();
    const auto value = promela::fold(*negative);
    if (!value) report("F416", negative->range, "only a constant can be negated here", negative->origin);
    return out.push_back(make_number(value.value_or(0), negative->range, negative->origin));
  }
  if (!at(identifier)) fail_expecting("a variable, a constant or `eval(...)`");
  add_argument(out, designator(Allow::structure));
}

void Grammar::check_stored_once(const std::vector<ExprPtr>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool variables = arguments[i]->kind == Expr::Kind::variable && arguments[j]->kind == Expr::Kind::variable;
      if (!variables || arguments[i]->variable != arguments[j]->variable) continue;
      report("F461", arguments[i]->range,
             fmt::format("`{}` cannot take two fields of one message", arguments[i]->variable->name),
             arguments[i]->origin);
    }
  }
}

}  // namespace fathom::promela
