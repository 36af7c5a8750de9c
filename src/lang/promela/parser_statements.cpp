// Sequences of statements, and the statements that contain no others.
#include <fmt/format.h>

#include <algorithm>

#include "lang/promela/expressions.hpp"
#include "lang/promela/grammar.hpp"

namespace fathom::promela {

using enum TokenKind;

bool Grammar::at_sequence_end() const {
  return at_any({right_brace, kw_fi, kw_od, separator, end_of_file});
}

// Statements up to something that ends a sequence. Whether that is the right thing is for the owner to see.
void Grammar::sequence(Sequence& out) {
  const Nesting nesting(*this);
  if (at_sequence_end()) {
    report("F010", fmt::format("expected a statement, found {}", found()));
    return;
  }
  while (true) {
    const std::size_t before = index();
    const Unresolved known = unresolved();
    try {
      step(out);
    } catch (const Recovery&) {
      recovered_ = damaged_ = true;
      forget_since(known);
      skip_statement();
      if (index() == before && !at_sequence_end() && !at_any({semicolon, arrow})) advance();
    }
    const bool separated = at_any({semicolon, arrow}) || separator_is_optional(out);
    if (!separated && !at_sequence_end()) {
      report("F011", fmt::format("expected `;` or a new line before {}", found()));
      if (binds_left()) skip_statement();
    }
    while (at_any({semicolon, arrow})) advance();
    if (at_sequence_end()) return;
  }
}

// A token that cannot start a statement.
bool Grammar::binds_left() const {
  return at_any({number,      equal,      not_equal,      less,        less_equal, greater,     greater_equal,
                 plus,        star,       slash,          percent,     at_sign,    dot,         range_dots,
                 colon,       receive,    random_receive, sorted_send, ampersand,  bar,         caret,
                 logical_and, logical_or, shift_left,     shift_right, string,     right_paren, right_bracket,
                 comma,       assign,     increment,      decrement});
}

// Spin needs no `;` behind a `}`, an `else` or the use of an inline, whose text ends with a `}`.
bool Grammar::separator_is_optional(const Sequence& before) const {
  const TokenKind last = previous().kind;
  return last == right_brace || last == kw_else || (!before.empty() && !before.back()->inline_name.empty());
}

// Skips to the end of a statement; blocks on the way are skipped as a whole.
void Grammar::skip_statement() {
  const LineBreaks breaks(*this, true);
  for (int depth = 0; !at_end_of_file(); advance()) {
    if (depth == 0 && (at_any({semicolon, arrow}) || at_sequence_end())) return;
    if (at_any({left_brace, left_paren, kw_if, kw_do})) ++depth;
    if (depth > 0 && at_any({right_brace, right_paren, kw_fi, kw_od})) --depth;
  }
}

void Grammar::step(Sequence& out) {
  if (at_declaration()) return local_declaration(out);
  if (at_any({kw_xr, kw_xs})) return exclusive(out);
  const std::size_t first = index();
  auto result = statement();
  if (at_escape()) result = with_escape(std::move(result), first);
  leading_ = false;
  out.push_back(std::move(result));
}

StmtPtr Grammar::statement() {
  const Nesting nesting(*this);
  auto result = std::make_unique<Stmt>();
  labels(*result);
  const std::size_t first = index();
  result->origin = peek().origin;
  // A label in front of nothing marks a `skip`.
  if (!result->labels.empty() && (at_sequence_end() || at_any({semicolon, arrow}))) {
    result->kind = Stmt::Kind::expression;
    result->range = result->labels.back()->range;
    result->a = make_number(1, result->range, result->origin);
    result->a->type = basic_type(Type::Kind::boolean);
    result->source = "skip";
    return result;
  }
  if (!result->labels.empty() && (at_declaration() || at_any({kw_xr, kw_xs})))
    fail("F451", "a label must stand before a statement, and this is a declaration");
  statement_kind(*result);
  result->range = range_from(first);
  if (result->source.empty()) result->source = text_from(first);
  return result;
}

bool Grammar::at_label() const {
  return at(identifier) && ahead(1).kind == colon && !names_.proctypes.contains(peek().text);
}

void Grammar::labels(Stmt& out) {
  while (at_label()) {
    const Name called = name();
    advance();
    Label* label = nullptr;
    declare_label(called, label);
    label->target = &out;
    out.labels.push_back(label);
    leading_ = false;
  }
}

void Grammar::statement_kind(Stmt& out) {
  switch (peek().kind) {
    case kw_if:
      return options(out, Stmt::Kind::choice, kw_fi);
    case kw_do:
      return options(out, Stmt::Kind::repetition, kw_od);
    case kw_for:
      return for_loop(out);
    case kw_select:
      return select(out);
    case kw_atomic:
      return braced(out, Stmt::Kind::atomic);
    case kw_d_step:
      return braced(out, Stmt::Kind::deterministic);
    case left_brace:
      return braced(out, Stmt::Kind::block);
    case kw_goto:
      return jump(out);
    case kw_break:
      return leave_loop(out);
    case kw_else:
      advance();
      out.kind = Stmt::Kind::otherwise;
      return;
    case kw_assert:
      return assertion(out);
    case kw_printf:
      return print(out);
    case kw_printm:
      return print_mtype(out);
    case kw_set_priority:
      return set_priority(out);
    case kw_return:
      return give_back(out);
    case kw_c_code:
      advance();
      out.kind = Stmt::Kind::embedded_c;
      out.code = std::make_shared<const CCode>(c_code());
      return;
    case identifier:
      return name_statement(out);
    default:
      return expression_statement(out);
  }
}

void Grammar::name_statement(Stmt& out) {
  if (at_inline_call()) return inline_call(out, nullptr);
  switch (after_designator()) {
    case send:
      return send_statement(out, false);
    case sorted_send:
      return send_statement(out, true);
    case receive:
    case random_receive:
      return receive_statement(out);
    case assign:
      return assignment(out);
    case increment:
    case decrement:
      return count_statement(out);
    default:
      return expression_statement(out);
  }
}

bool Grammar::at_inline_call() const {
  return at(identifier) && ahead(1).kind == left_paren && names_.inlines.contains(peek().text);
}

// What follows the variable we are at, with its indices and fields. A poll, `c?[m]`, is an expression, and so is a
// variable at the end of its line.
TokenKind Grammar::after_designator() const {
  std::size_t next = 1;
  while (true) {
    if (ahead(next).kind == left_bracket) {
      int depth = 0;
      do {
        const TokenKind kind = ahead(next++).kind;
        depth += kind == left_bracket ? 1 : kind == right_bracket ? -1 : 0;
        if (kind == end_of_file) return end_of_file;
      } while (depth > 0);
    }
    if (ahead(next).kind != dot || ahead(next + 1).kind != identifier) break;
    next += 2;
  }
  const Token& found = ahead(next);
  if (found.newline_before) return semicolon;
  const bool receives = found.kind == receive || found.kind == random_receive;
  return receives && ahead(next + 1).kind == left_bracket ? semicolon : found.kind;
}

// The left side of an assignment; besides variables `_` and `_priority` can be set.
ExprPtr Grammar::assigned_place() {
  const std::string& text = peek().text;
  if (text == "_") return simple(Expr::Kind::wildcard, basic_type(Type::Kind::int_));
  if (text == "_priority") return simple(Expr::Kind::own_priority, basic_type(Type::Kind::byte));
  if (text == "_pid" || text == "_nr_pr" || text == "_last")
    fail("F425", fmt::format("`{}` cannot be assigned to", text));
  if (const auto found = names_.mtype_constants.find(text); found != names_.mtype_constants.end()) {
    report("F425", fmt::format("`{}` is an mtype constant and cannot be assigned to", text))
        .notes.push_back({found->second->range, "declared here"});
    throw Recovery{};
  }
  return designator();
}

void Grammar::assignment(Stmt& out) {
  out.kind = Stmt::Kind::assign;
  out.a = assigned_place();
  advance();
  if (at_inline_call()) return inline_call(out, out.a.get());
  out.b = expression();
  refuse_assignment();
}

void Grammar::count_statement(Stmt& out) {
  out.a = assigned_place();
  out.kind = at(increment) ? Stmt::Kind::increment : Stmt::Kind::decrement;
  if (out.a->type.is(Type::Kind::chan)) report("F440", "a channel is no number");
  advance();
}

void Grammar::assertion(Stmt& out) {
  out.kind = Stmt::Kind::assertion;
  advance();
  out.a = expression();
}

void Grammar::print(Stmt& out) {
  out.kind = Stmt::Kind::print;
  advance();
  const SourceRange opening = here();
  const LineBreaks breaks(*this, false);
  expect(left_paren);
  out.text = expect(string).text;
  while (accept(comma)) out.arguments.push_back(expression());
  close(right_paren, "(", opening);
}

void Grammar::print_mtype(Stmt& out) {
  out.kind = Stmt::Kind::print_mtype;
  advance();
  const SourceRange opening = here();
  const LineBreaks breaks(*this, false);
  expect(left_paren);
  out.a = expression();
  close(right_paren, "(", opening);
}

void Grammar::set_priority(Stmt& out) {
  out.kind = Stmt::Kind::set_priority;
  advance();
  const SourceRange opening = here();
  const LineBreaks breaks(*this, false);
  expect(left_paren);
  out.a = expression();
  expect(comma);
  out.b = expression();
  close(right_paren, "(", opening);
}

void Grammar::jump(Stmt& out) {
  out.kind = Stmt::Kind::jump;
  advance();
  const Name called = name("a label");
  out.label_name = called.text;
  out.label_range = called.range;
  out.blocks = names_.blocks();
  jumps_.push_back({&out, step_});
}

void Grammar::leave_loop(Stmt& out) {
  out.kind = Stmt::Kind::leave;
  const Token keyword = advance();
  if (loops_.empty()) {
    report("F452", keyword.range, "`break` outside of a loop", keyword.origin);
    return;
  }
  out.target = loops_.back().statement;
  if (loops_.back().step != step_) report("F454", keyword.range, "`break` cannot leave a d_step", keyword.origin);
}

// `xr c, d`: not executed, it tells who uses a channel.
void Grammar::exclusive(Sequence& out) {
  auto result = std::make_unique<Stmt>();
  const std::size_t first = index();
  result->origin = peek().origin;
  result->kind = advance().kind == kw_xr ? Stmt::Kind::exclusive_receive : Stmt::Kind::exclusive_send;
  do {
    result->arguments.push_back(designator(Allow::structure));
    const Expr& channel = *result->arguments.back();
    if (channel.kind != Expr::Kind::variable ||
        !(channel.type.is(Type::Kind::chan) || channel.type.is(Type::Kind::user)))
      report("F440", channel.range, "`xr` and `xs` need the name of a channel", channel.origin);
  } while (accept(comma));
  result->range = range_from(first);
  result->source = text_from(first);
  out.push_back(std::move(result));
}

// `return e` in an inline is the assignment to what its use is assigned to.
void Grammar::give_back(Stmt& out) {
  const Token keyword = advance();
  out.kind = Stmt::Kind::assign;
  out.b = expression();
  if (calls_.empty() || calls_.back().result == nullptr) {
    auto& error =
        report("F453", keyword.range,
               calls_.empty() ? "`return` outside of an inline"
                              : fmt::format("inline `{}` returns a value that is not used", calls_.back().name),
               keyword.origin);
    if (!calls_.empty()) error.help = fmt::format("write `variable = {}(...)`", calls_.back().name);
    throw Recovery{};
  }
  out.a = clone(*calls_.back().result);
}

void Grammar::expression_statement(Stmt& out) {
  const bool unknown = at(identifier) && names_.find_variable(peek().text) == nullptr &&
                       !names_.mtype_constants.contains(peek().text) && !at_remote_reference() &&
                       !peek().text.starts_with('_');
  if (unknown) fail_on_unknown_statement();
  if (at_any({kw_proctype, kw_active, kw_init, kw_never, kw_inline, kw_typedef, kw_ltl, kw_d_proctype}))
    fail("F010", fmt::format("{} cannot stand inside a process", describe(peek().kind)));
  if (binds_left() && !at(number)) fail_expecting("a statement");
  if (at_any({semicolon, arrow, comma, kw_unless, kw_of, kw_provided, kw_priority})) fail_expecting("a statement");
  out.kind = Stmt::Kind::expression;
  out.a = expression();
  check_runs(*out.a);
  if (at(assign) && out.a->is_constant()) fail("F425", "a constant cannot be assigned to");
  refuse_assignment();
}

// A name that is nothing: perhaps a misspelt keyword.
void Grammar::fail_on_unknown_statement() {
  const Token token = peek();
  const TokenKind next = ahead(1).kind;
  const std::string use = names_.other_use(token.text);
  if (use.empty() && (next == left_brace || next == separator)) {
    std::vector<std::string> words = {"atomic", "d_step", "if", "do"};
    fail("F010", fmt::format("expected a statement, found `{}`", token.text), did_you_mean(token.text, words));
  }
  fail_on_unknown_name(token);
}

// Whether `run` succeeds decides whether the statement can be executed, so it must be the whole of a condition.
void Grammar::check_runs(const Expr& expression) {
  if (expression.kind == Expr::Kind::run) return;
  for (const Expr* part : {expression.a.get(), expression.b.get(), expression.c.get()}) {
    if (part == nullptr) continue;
    if (part->kind == Expr::Kind::run)
      report("F462", part->range, "`run` cannot be part of a larger condition", part->origin).help =
          "assign its result to a variable first";
    check_runs(*part);
  }
}

}  // namespace fathom::promela
