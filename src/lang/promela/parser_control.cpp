// Statements that contain others: if, do, for, select, blocks, unless.
#include <fmt/format.h>

#include <algorithm>

#include "lang/promela/expressions.hpp"
#include "lang/promela/grammar.hpp"
#include "lang/promela/walk.hpp"

namespace fathom::promela {

using enum TokenKind;

// Accepts what closes a construct, or says that it is missing. Another construct's closing word is left to that
// construct if it is open around us.
void Grammar::close(TokenKind kind, const char* opener, SourceRange opening) {
  // A line break before `}` has been shown as a `;`.
  while (at(semicolon) && ahead(0).kind == kind) advance();
  if (accept(kind)) return;
  if (at_end_of_file()) {
    if (file_ended_) return;
    file_ended_ = true;
  }
  report("F012", fmt::format("expected {} to close `{}`, found {}", describe(kind), opener, found()))
      .notes.push_back({opening, fmt::format("the `{}` that is still open", opener)});
  if (kind == right_paren || kind == right_bracket || kind == greater) throw Recovery{};
  const bool closes_something = at_any({kw_fi, kw_od, right_brace});
  const auto innermost = std::ranges::find(open_, peek().kind);
  if (closes_something && innermost == open_.end()) advance();
}

void Grammar::options(Stmt& out, Stmt::Kind kind, TokenKind closing) {
  const char* const word = kind == Stmt::Kind::choice ? "if" : "do";
  out.kind = kind;
  const SourceRange opening = advance().range;
  out.source = word;
  const Open open(*this, closing);
  if (kind == Stmt::Kind::repetition) loops_.push_back({&out, step_});
  leading_ = false;
  if (!at(separator)) report("F010", fmt::format("expected `::` behind `{}`, found {}", word, found()));
  if (!at_sequence_end()) skip_statement();
  while (accept(separator)) {
    out.options.emplace_back();
    sequence(out.options.back());
    check_first_label(out.options.back(), "an option", false);
  }
  if (kind == Stmt::Kind::repetition) loops_.pop_back();
  close(closing, word, opening);
}

void Grammar::braced(Stmt& out, Stmt::Kind kind) {
  out.kind = kind;
  const std::uint32_t outer = step_;
  if (kind == Stmt::Kind::block) {
    out.source = "{ }";
  } else {
    out.source = advance().text;
  }
  // A d_step inside another one is part of it.
  if (kind == Stmt::Kind::deterministic && step_ == 0) step_ = ++steps_;
  try {
    braced_body(out);
  } catch (const Recovery&) {
    step_ = outer;
    throw;
  }
  step_ = outer;
  const char* const where = kind == Stmt::Kind::atomic  ? "an atomic"
                            : kind == Stmt::Kind::block ? "a block"
                                                        : "a d_step";
  check_first_label(out.body, where, true);
}

void Grammar::braced_body(Stmt& out) {
  const SourceRange opening = here();
  expect(left_brace);
  const Open open(*this, right_brace);
  const Scope scope(*this);
  out.block_number = names_.blocks().back();
  leading_ = false;
  sequence(out.body);
  close(right_brace, "{", opening);
}

// A jump to the first statement of such a sequence would be a jump into the middle of a state.
void Grammar::check_first_label(const Sequence& body, const char* where, bool fatal) {
  if (body.empty() || body.front()->labels.empty()) return;
  const Label& label = *body.front()->labels.front();
  const std::string message = fmt::format("label `{}` marks the first statement inside {}", label.name, where);
  if (fatal) {
    report("F455", label.range, message, body.front()->origin).help =
        fmt::format("put the label in front of {}", where);
  } else {
    warn("F455", label.range, message + "; it belongs to the whole if or do", body.front()->origin);
  }
}

void Grammar::for_loop(Stmt& out) {
  advance();
  const SourceRange opening = here();
  {
    const LineBreaks breaks(*this, false);
    expect(left_paren);
    out.a = designator(Allow::structure);
    if (at(identifier) && peek().text == "in") {  // a keyword only here
      advance();
      out.kind = Stmt::Kind::for_each;
      out.b = designator(Allow::whole_array);
      check_for_each(out);
    } else {
      out.kind = Stmt::Kind::for_range;
      loop_bounds(out, "for");
    }
    close(right_paren, "(", opening);
  }
  while (at(semicolon)) advance();
  out.source = "for";
  loop_body(out);
}

void Grammar::loop_body(Stmt& out) {
  loops_.push_back({&out, step_});
  leading_ = false;
  try {
    braced_body(out);
  } catch (const Recovery&) {
    loops_.pop_back();
    throw;
  }
  loops_.pop_back();
}

// `: from .. to`
void Grammar::loop_bounds(Stmt& out, const char* what) {
  check_loop_variable(*out.a, what);
  if (!accept(colon)) fail_expecting("`:`", fmt::format("write {} (i : 0 .. 9)", what));
  out.b = expression();
  expect(range_dots);
  out.c = expression();
  const auto from = promela::fold(*out.b);
  const auto to = promela::fold(*out.c);
  for (const Expr* bound : {out.b.get(), out.c.get()})
    for_each_expression(*bound, [&](const Expr& part) {
      if (part.kind == Expr::Kind::run)
        report("F462", part.range, fmt::format("`run` cannot be a bound of {}", what), part.origin);
    });
  if (!from || !to || *from <= *to) return;
  const SourceRange bounds = cover(out.b->range, out.c->range);
  const std::string message = fmt::format("{} .. {} is empty", *from, *to);
  if (out.b->is_constant() && out.c->is_constant())
    report("F456", bounds, message, out.b->origin);
  else
    warn("F456", bounds, message, out.b->origin);
}

void Grammar::check_loop_variable(const Expr& variable, const char* what) {
  const bool number = !variable.type.is(Type::Kind::chan) && !variable.type.is(Type::Kind::user);
  if (variable.kind == Expr::Kind::variable && number) return;
  report("F456", variable.range, fmt::format("{} needs a plain variable here", what), variable.origin);
}

// `for (i in array)` runs over the indices; `for (m in channel)` over the messages, which must be structures like `m`.
void Grammar::check_for_each(const Stmt& loop) {
  const Variable& over = declaration_of(*loop.b);
  if (!loop.a->type.is(Type::Kind::user)) {
    check_loop_variable(*loop.a, "for");
    if (!is_whole_array(*loop.b))
      report("F456", loop.b->range, fmt::format("`{}` is no array", over.name), loop.b->origin);
    return;
  }
  const ChannelInit* const channel = over.channel.get();
  if (!loop.b->type.is(Type::Kind::chan) || is_whole_array(*loop.b)) {
    report("F456", loop.b->range, fmt::format("`{}` is no channel", over.name), loop.b->origin);
  } else if (channel == nullptr || channel->fields.size() != 1 || channel->fields.front() != loop.a->type) {
    report("F456", loop.b->range,
           fmt::format("the messages of `{}` are not of type `{}`", over.name, loop.a->type.user->name),
           loop.b->origin);
  } else if (channel->capacity == 0) {
    report("F456", loop.b->range, fmt::format("`{}` is a rendezvous channel and holds no messages", over.name),
           loop.b->origin);
  }
}

void Grammar::select(Stmt& out) {
  out.kind = Stmt::Kind::select;
  advance();
  const SourceRange opening = here();
  const LineBreaks breaks(*this, false);
  expect(left_paren);
  out.a = designator();
  loop_bounds(out, "select");
  close(right_paren, "(", opening);
}

// The line break before `unless` does not end the statement.
bool Grammar::at_escape() const {
  return at(kw_unless) || (at(semicolon) && ahead(0).kind == kw_unless);
}

StmtPtr Grammar::with_escape(StmtPtr body, std::size_t first) {
  auto result = std::make_unique<Stmt>();
  result->kind = Stmt::Kind::unless;
  result->origin = body->origin;
  result->source = "unless";
  while (!accept(kw_unless)) advance();
  // A label in front of a block is the label of the whole; anything else is not one state.
  const bool liftable =
      body->kind == Stmt::Kind::block || body->kind == Stmt::Kind::atomic || body->kind == Stmt::Kind::deterministic;
  const bool loop = body->kind == Stmt::Kind::repetition || body->kind == Stmt::Kind::choice;
  if (liftable) {
    for (Label* label : body->labels) label->target = result.get();
    result->labels = std::move(body->labels);
    body->labels.clear();
  } else if (!loop && !body->labels.empty()) {
    report("F455", body->labels.front()->range,
           fmt::format("label `{}` does not cover the `unless`", body->labels.front()->name), body->origin)
        .help = "write `label: { statement unless statement }`";
  }
  auto escape = statement();
  if (!escape->labels.empty() && escape->kind != Stmt::Kind::block)
    report("F455", escape->labels.front()->range,
           fmt::format("label `{}` marks the first statement of an escape, which is not one state",
                       escape->labels.front()->name),
           escape->origin);
  result->body.push_back(std::move(body));
  result->escape.push_back(std::move(escape));
  result->range = range_from(first);
  return result;
}

}  // namespace fathom::promela
