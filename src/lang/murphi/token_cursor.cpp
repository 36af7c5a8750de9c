#include "lang/murphi/token_cursor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fathom::murphi {

using enum TokenKind;

TokenCursor::TokenCursor(std::vector<Token> tokens, Diagnostics& diagnostics)
    : tokens_(std::move(tokens)), diagnostics_(diagnostics) {}

const Token& TokenCursor::peek(std::size_t ahead) const {
  return tokens_[std::min(index_ + ahead, tokens_.size() - 1)];
}

bool TokenCursor::at_any(std::initializer_list<TokenKind> kinds) const {
  return std::ranges::find(kinds, peek().kind) != kinds.end();
}

bool TokenCursor::at_word(std::size_t ahead) const {
  switch (peek(ahead).kind) {
    case identifier:
    case kw_assume:
    case kw_choose:
    case kw_cover:
    case kw_externfun:
    case kw_externproc:
    case kw_liveness:
    case kw_real:
      return true;
    default:
      return false;
  }
}

bool TokenCursor::at_name(std::size_t ahead) const {
  if (peek(ahead).kind == identifier) return true;
  if (!at_word(ahead)) return false;
  // No statement, property or type that starts with such a keyword goes on with one of these.
  constexpr auto after_a_name = std::to_array({assign, colon, comma, dot, left_bracket});
  return std::ranges::find(after_a_name, peek(ahead + 1).kind) != after_a_name.end();
}

const Token& TokenCursor::advance() {
  const Token& token = tokens_[index_];
  if (index_ + 1 < tokens_.size()) ++index_;
  return token;
}

bool TokenCursor::accept(TokenKind kind) {
  if (!at(kind)) return false;
  advance();
  return true;
}

const Token& TokenCursor::expect(TokenKind kind) {
  if (!at(kind)) fail_expecting(describe(kind), suggestion({kind}));
  return advance();
}

void TokenCursor::expect_softly(TokenKind kind) {
  if (accept(kind)) return;
  const std::string help = suggestion({kind});
  report("F010", here(), fmt::format("expected {}, found {}", describe(kind), found())).help = help;
  // What stands there instead was probably meant to be it.
  if (!help.empty() || at_any({kw_then, kw_do})) advance();
}

SourceRange TokenCursor::range_from(SourceRange first) const {
  if (index_ == 0) return first;
  return first.to(tokens_[index_ - 1].range);
}

SourceRange TokenCursor::end_of_previous() const {
  if (index_ == 0) return here();
  const SourceRange previous = tokens_[index_ - 1].range;
  return {previous.file, previous.end, previous.end};
}

// Skipping must keep the `end`s in balance: quantified expressions and records bring their own, and before anything
// else that owns an `end` we stop.
bool TokenCursor::skip_past(TokenKind kind) {
  for (int nested = 0; !at_end_of_file(); advance()) {
    if (nested == 0 && accept(kind)) return true;
    if (nested == 0 && at_recovery_point()) return false;
    if (at_any({kw_forall, kw_exists, kw_record})) ++nested;
    if (nested > 0 && at(kw_end)) --nested;
  }
  return false;
}

void TokenCursor::skip_statement() {
  skip_past(semicolon);
}

bool TokenCursor::at_recovery_point() const {
  switch (peek().kind) {
    case semicolon:
    case kw_alias:
    case kw_begin:
    case kw_case:
    case kw_choose:
    case kw_const:
    case kw_do:
    case kw_else:
    case kw_elsif:
    case kw_end:
    case kw_for:
    case kw_function:
    case kw_if:
    case kw_invariant:
    case kw_procedure:
    case kw_rule:
    case kw_ruleset:
    case kw_startstate:
    case kw_switch:
    case kw_then:
    case kw_type:
    case kw_var:
    case kw_while:
    case leads_to:
      return true;
    default:
      return false;
  }
}

Diagnostic& TokenCursor::report(std::string code, SourceRange range, std::string message) {
  if (!abandoned_) return diagnostics_.error(std::move(code), range, std::move(message));
  silenced_ = {};
  return silenced_;
}

void TokenCursor::fail(std::string code, SourceRange range, std::string message, std::string help) {
  report(std::move(code), range, std::move(message)).help = std::move(help);
  throw Recovery{};
}

void TokenCursor::fail_expecting(const std::string& expected, std::string help) {
  fail("F010", here(), fmt::format("expected {}, found {}", expected, found()), std::move(help));
}

void TokenCursor::abandon(std::string code, SourceRange range, std::string message) {
  report(std::move(code), range, std::move(message));
  abandoned_ = true;
  index_ = tokens_.size() - 1;
  throw Recovery{};
}

std::string TokenCursor::found() const {
  const Token& token = peek();
  constexpr std::size_t longest = 60;
  if (token.kind == identifier && token.text.size() > longest) return "a very long name";
  if (token.kind == identifier) return fmt::format("`{}`", token.text);
  if (token.kind == kw_end) return fmt::format("`{}`", lower_case(token.text));
  return describe(token.kind);
}

std::string TokenCursor::suggestion_for(const Token& token, std::initializer_list<TokenKind> kinds) {
  if (token.kind != identifier) return {};
  std::vector<std::string> words;
  for (const Spelling& keyword : keywords())
    if (std::ranges::find(kinds, keyword.kind) != kinds.end()) words.emplace_back(keyword.text);
  const std::string word = closest(lower_case(token.text), words);
  return word.empty() ? std::string{} : fmt::format("did you mean `{}`?", word);
}

}  // namespace fathom::murphi
