// Expressions by precedence climbing; the levels are those of Spin's grammar.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "lang/promela/expressions.hpp"
#include "lang/promela/grammar.hpp"
#include "lang/promela/operators.hpp"

namespace fathom::promela {

using enum TokenKind;
using Kind = Expr::Kind;

ExprPtr Grammar::expression() {
  auto result = message_expression();
  refuse_structure(*result);
  return result;
}

ExprPtr Grammar::message_expression() {
  const Nesting nesting(*this);
  return binary(lowest_precedence);
}

ExprPtr Grammar::binary(int lowest) {
  auto left = unary();
  for (const BinaryOperator* sign = binary_operator(peek().kind); sign != nullptr && sign->precedence >= lowest;
       sign = binary_operator(peek().kind)) {
    advance();
    left = combine(sign->kind, std::move(left), binary(sign->precedence + 1));
  }
  return left;
}

ExprPtr Grammar::combine(Kind kind, ExprPtr a, ExprPtr b) {
  const bool logical = kind == Kind::logical_and || kind == Kind::logical_or;
  for (const Expr* operand : {a.get(), b.get()}) {
    if (!logical) refuse_probe(*operand);
    refuse_structure(*operand);
  }
  auto result = std::make_unique<Expr>();
  result->kind = kind;
  result->range = cover(a->range, b->range);
  result->origin = a->origin == b->origin ? a->origin : OriginId{};
  result->type = basic_type(yields_boolean(kind) ? Type::Kind::boolean : Type::Kind::int_);
  result->has_probe = a->has_probe || b->has_probe;
  result->height = 1 + std::max(a->height, b->height);
  result->a = std::move(a);
  result->b = std::move(b);
  bound_height(*result);
  return result;
}

void Grammar::bound_height(const Expr& expression) {
  if (expression.height > max_height) abandon("F017", "this expression is too large");
}

// Spin's partial order reduction knows `full` but not its negation, so there are words for the opposites.
void Grammar::refuse_probe(const Expr& operand) {
  if (!operand.has_probe) return;
  report("F414", operand.range, "`full`, `empty`, `nfull` and `nempty` can only be combined by `&&` and `||`",
         operand.origin)
      .help = "instead of !full(c) write nfull(c), instead of !empty(c) write nempty(c)";
}

// What a C programmer may write behind an operand.
void Grammar::refuse_assignment() {
  if (at(assign)) fail("F415", "an assignment cannot stand in an expression", "comparison is written `==`");
  if (at_any({increment, decrement}))
    fail("F415", fmt::format("`{}` is a statement and cannot stand in an expression", peek().text));
}

void Grammar::refuse_structure(const Expr& operand) {
  if (operand.is_designator()) check_complete(operand, Allow::scalar);
}

ExprPtr Grammar::unary() {
  switch (peek().kind) {
    case minus:
      return prefixed(Kind::negate);
    case send:
      return prefixed(Kind::logical_not);
    case tilde:
      return prefixed(Kind::complement);
    default:
      return primary();
  }
}

ExprPtr Grammar::prefixed(Kind kind) {
  const Nesting nesting(*this);
  const std::size_t first = index();
  advance();
  auto operand = unary();
  refuse_probe(*operand);
  refuse_structure(*operand);
  auto result = std::make_unique<Expr>();
  result->kind = kind;
  result->type = basic_type(kind == Kind::logical_not ? Type::Kind::boolean : Type::Kind::int_);
  result->height = 1 + operand->height;
  result->has_probe = operand->has_probe;
  result->a = std::move(operand);
  return finish(std::move(result), first);
}

ExprPtr Grammar::finish(ExprPtr expression, std::size_t first) {
  expression->range = range_from(first);
  expression->origin = origin_at(first);
  bound_height(*expression);
  return expression;
}

ExprPtr Grammar::simple(Kind kind, Type type) {
  const std::size_t first = index();
  advance();
  auto result = std::make_unique<Expr>();
  result->kind = kind;
  result->type = type;
  return finish(std::move(result), first);
}

ExprPtr Grammar::primary() {
  const Type boolean = basic_type(Type::Kind::boolean);
  switch (peek().kind) {
    case left_paren:
      return parenthesised();
    case number:
      return number_literal();
    case character:
      return character_literal();
    case kw_true:
    case kw_skip:
    case kw_false: {
      const bool holds = !at(kw_false);
      auto result = simple(Kind::number, boolean);
      result->value = holds ? 1 : 0;
      return result;
    }
    case kw_timeout:
      return simple(Kind::timeout, boolean);
    case kw_np:
      return simple(Kind::non_progress, boolean);
    case kw_run:
      return run();
    case kw_len:
      return probe(Kind::length);
    case kw_full:
      return probe(Kind::full);
    case kw_empty:
      return probe(Kind::empty);
    case kw_nfull:
      return probe(Kind::not_full);
    case kw_nempty:
      return probe(Kind::not_empty);
    case kw_enabled:
      return call_of_one(Kind::enabled);
    case kw_pc_value:
      return call_of_one(Kind::pc_value);
    case kw_get_priority:
      return call_of_one(Kind::get_priority);
    case kw_c_expr: {
      const std::size_t first = index();
      advance();
      auto result = std::make_unique<Expr>();
      result->kind = Kind::embedded_c;
      result->code = std::make_shared<const CCode>(c_code());
      return finish(std::move(result), first);
    }
    case identifier:
      return named_value();
    default:
      refuse_assignment();
      fail_expecting("an expression");
  }
}

// `(e)` or `(test -> yes : no)`
ExprPtr Grammar::parenthesised() {
  const std::size_t first = index();
  const SourceRange opening = here();
  const LineBreaks breaks(*this, false);
  advance();
  auto inner = expression();
  if (accept(arrow)) {
    auto result = std::make_unique<Expr>();
    result->kind = Kind::conditional;
    result->a = std::move(inner);
    result->b = expression();
    refuse_assignment();
    if (!accept(colon)) fail_expecting("`:`", "a conditional expression is written (test -> yes : no)");
    result->c = expression();
    for (const Expr* part : {result->a.get(), result->b.get(), result->c.get()}) {
      refuse_probe(*part);
      result->height = std::max(result->height, 1 + part->height);
    }
    if (result->b->type == result->c->type) result->type = result->b->type;
    inner = std::move(result);
    inner->origin = origin_at(first);
  }
  refuse_assignment();
  close(right_paren, "(", opening);
  inner->parenthesised = true;
  inner->range = range_from(first);
  return inner;
}

ExprPtr Grammar::number_literal() {
  const Token token = peek();
  const bool digits = std::ranges::all_of(token.text, [](char c) { return c >= '0' && c <= '9'; });
  if (!digits) fail("F005", fmt::format("`{}` is not a number; numbers are decimal", token.text));
  std::uint64_t value = 0;
  bool fits = true;
  for (const char c : token.text) {
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
    fits = fits && value <= std::numeric_limits<std::uint32_t>::max();
    if (!fits) break;
  }
  if (!fits) fail("F005", "this number does not fit into 32 bits");
  const auto wrapped = static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
  if (wrapped < 0)
    warn("F413", token.range, fmt::format("{} does not fit into an int and is read as {}", token.text, wrapped),
         token.origin);
  auto result = simple(Kind::number, basic_type(Type::Kind::int_));
  result->value = wrapped;
  return result;
}

ExprPtr Grammar::character_literal() {
  const std::string text = peek().text;
  auto result = simple(Kind::number, basic_type(Type::Kind::int_));
  char value = text[1];
  if (value == '\\' && text.size() > 3) {
    constexpr std::pair<char, char> escapes[] = {{'n', '\n'}, {'r', '\r'}, {'t', '\t'}, {'f', '\f'}};
    value = text[2];
    for (const auto& [letter, meaning] : escapes)
      if (text[2] == letter) value = meaning;
  }
  result->value = static_cast<unsigned char>(value);
  return result;
}

ExprPtr Grammar::named_value() {
  const std::string& text = peek().text;
  if (text == "_pid") return simple(Kind::pid, basic_type(Type::Kind::pid));
  if (text == "_nr_pr") return simple(Kind::process_count, basic_type(Type::Kind::byte));
  if (text == "_last") return simple(Kind::last, basic_type(Type::Kind::pid));
  if (text == "_priority") return simple(Kind::own_priority, basic_type(Type::Kind::byte));
  if (text == "_") {
    const bool event =
        process_ != nullptr && (process_->kind == Process::Kind::trace || process_->kind == Process::Kind::notrace);
    if (event) return simple(Kind::wildcard, basic_type(Type::Kind::int_));
    fail("F424", "`_` can be written but has no value");
  }
  if (at_remote_reference()) return remote_reference();
  if (const auto found = names_.mtype_constants.find(text); found != names_.mtype_constants.end()) {
    Type type = basic_type(Type::Kind::mtype);
    type.set = found->second->set;
    auto result = simple(Kind::mtype_constant, type);
    result->constant = found->second;
    result->value = found->second->value;
    return result;
  }
  auto result = designator(Allow::structure);
  if (at_any({receive, random_receive}) && ahead(1).kind == left_bracket) return poll(std::move(result));
  return result;
}

bool Grammar::at_remote_reference() const {
  const bool process = names_.proctypes.contains(peek().text);
  std::size_t next = 1;
  if (ahead(1).kind == left_bracket) {
    int depth = 0;
    do {
      const TokenKind kind = ahead(next++).kind;
      depth += kind == left_bracket ? 1 : kind == right_bracket ? -1 : 0;
      if (kind == end_of_file) return false;
    } while (depth > 0);
  }
  return ahead(next).kind == at_sign || (process && ahead(next).kind == colon);
}

// `P[e]@label`, `P@label`, `P[e]:variable`, `P:variable[i]`
ExprPtr Grammar::remote_reference() {
  const std::size_t first = index();
  auto result = std::make_unique<Expr>();
  result->text = advance().text;
  if (accept(left_bracket)) {
    const LineBreaks breaks(*this, false);
    result->a = expression();
    expect(right_bracket);
    result->height = 1 + result->a->height;
  }
  const bool label = accept(at_sign);
  if (!label) expect(colon);
  result->kind = label ? Kind::remote_label : Kind::remote_variable;
  result->type = basic_type(label ? Type::Kind::boolean : Type::Kind::int_);
  result->text += '\n' + name(label ? "a label" : "a variable").text;
  if (!label && accept(left_bracket)) {
    const LineBreaks breaks(*this, false);
    result->b = expression();
    expect(right_bracket);
    result->height = std::max(result->height, 1 + result->b->height);
  }
  remotes_.push_back(result.get());
  return finish(std::move(result), first);
}

ExprPtr Grammar::run() {
  const std::size_t first = index();
  const Token keyword = advance();
  if (process_ == nullptr) report("F460", keyword.range, "`run` outside of a process", keyword.origin);
  const Name called = name("the name of a proctype");
  auto result = std::make_unique<Expr>();
  result->kind = Kind::run;
  result->type = basic_type(Type::Kind::pid);
  result->text = called.text;
  for (ExprPtr& argument : arguments()) {
    result->height = std::max(result->height, 1 + argument->height);
    add_argument(result->arguments, std::move(argument));
  }
  if (at(kw_priority)) result->value = priority();
  runs_.push_back(result.get());
  result = finish(std::move(result), first);
  return result;
}

// `( a, b, c )`
std::vector<ExprPtr> Grammar::arguments() {
  std::vector<ExprPtr> result;
  const SourceRange opening = here();
  const LineBreaks breaks(*this, false);
  expect(left_paren);
  if (!at(right_paren)) {
    do {
      result.push_back(message_expression());
    } while (accept(comma));
  }
  close(right_paren, "(", opening);
  return result;
}

// len(c), full(c) and their like
ExprPtr Grammar::probe(Kind kind) {
  const std::size_t first = index();
  advance();
  auto result = std::make_unique<Expr>();
  result->kind = kind;
  result->type = basic_type(kind == Kind::length ? Type::Kind::int_ : Type::Kind::boolean);
  result->has_probe = kind != Kind::length;
  const SourceRange opening = here();
  const LineBreaks breaks(*this, false);
  expect(left_paren);
  result->a = channel();
  close(right_paren, "(", opening);
  return finish(std::move(result), first);
}

ExprPtr Grammar::call_of_one(Kind kind) {
  const std::size_t first = index();
  advance();
  auto result = std::make_unique<Expr>();
  result->kind = kind;
  result->type = basic_type(kind == Kind::enabled ? Type::Kind::boolean : Type::Kind::int_);
  const SourceRange opening = here();
  const LineBreaks breaks(*this, false);
  expect(left_paren);
  result->a = expression();
  result->height = 1 + result->a->height;
  close(right_paren, "(", opening);
  return finish(std::move(result), first);
}

// `c?[m]` and `c??[m]`
ExprPtr Grammar::poll(ExprPtr channel) {
  auto result = std::make_unique<Expr>();
  result->kind = Kind::poll;
  result->type = basic_type(Type::Kind::boolean);
  result->random = at(random_receive);
  advance();
  const SourceRange opening = here();
  const std::size_t first = index();
  const LineBreaks breaks(*this, false);
  expect(left_bracket);
  receive_argument_list(result->arguments);
  close(right_bracket, "[", opening);
  if (!channel->type.is(Type::Kind::chan)) report("F440", channel->range, "this is no channel", channel->origin);
  result->range = cover(channel->range, range_from(first));
  result->origin = channel->origin;
  result->height = 1 + channel->height;
  for (const ExprPtr& argument : result->arguments) result->height = std::max(result->height, 1 + argument->height);
  result->a = std::move(channel);
  bound_height(*result);
  return result;
}

}  // namespace fathom::promela
