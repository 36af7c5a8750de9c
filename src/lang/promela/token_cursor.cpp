#include "lang/promela/token_cursor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "support/text.hpp"

namespace fathom::promela {

using enum TokenKind;

namespace {

// A line that ends with one of these may end a statement.
bool may_end_statement(TokenKind kind) {
  constexpr auto kinds =
      std::to_array({right_brace, right_paren, right_bracket, kw_od, kw_fi, kw_else, kw_break, embedded_c, identifier,
                     number, character, kw_true, kw_false, kw_skip, kw_timeout, kw_np, increment, decrement});
  return std::ranges::find(kinds, kind) != kinds.end();
}

Token implied_semicolon(const Token& next) {
  Token token;
  token.kind = semicolon;
  token.text = ";";
  token.range = token.site = next.range;
  token.origin = next.origin;
  return token;
}

}  // namespace

TokenCursor::TokenCursor(std::vector<Token> tokens, Origins& origins, Diagnostics& diagnostics)
    : origins_(origins), diagnostics_(diagnostics), tokens_(std::move(tokens)) {}

bool TokenCursor::at_implied_semicolon() const {
  return line_breaks_ && !implied_taken_ && index_ > 0 && tokens_[index_].newline_before &&
         may_end_statement(tokens_[index_ - 1].kind);
}

const Token& TokenCursor::peek() const {
  static const Token semicolon_token = implied_semicolon({});
  return at_implied_semicolon() ? semicolon_token : tokens_[index_];
}

const Token& TokenCursor::ahead(std::size_t count) const {
  return tokens_[std::min(index_ + count, tokens_.size() - 1)];
}

bool TokenCursor::at_any(std::initializer_list<TokenKind> kinds) const {
  return std::ranges::find(kinds, peek().kind) != kinds.end();
}

const Token& TokenCursor::advance() {
  if (at_implied_semicolon()) {
    implied_taken_ = true;
    return tokens_[index_ - 1];
  }
  const Token& token = tokens_[index_];
  if (index_ + 1 < tokens_.size()) {
    ++index_;
    implied_taken_ = false;
  }
  return token;
}

bool TokenCursor::accept(TokenKind kind) {
  if (!at(kind)) return false;
  advance();
  return true;
}

const Token& TokenCursor::expect(TokenKind kind) {
  if (!at(kind)) fail_expecting(describe(kind));
  return advance();
}

SourceRange TokenCursor::range_from(std::size_t first) const {
  const std::size_t last = std::max(index_ == 0 ? 0 : index_ - 1, first);
  return cover(tokens_[first].site, tokens_[last].site);
}

std::string TokenCursor::text_from(std::size_t first) const {
  std::string text;
  for (std::size_t i = first; i < index_; ++i) {
    if (tokens_[i].space_before && i > first) text += ' ';
    text += spelling(tokens_[i]);
  }
  return one_line(text);
}

Diagnostic& TokenCursor::report(std::string code, SourceRange range, std::string message, OriginId origin) {
  if (abandoned_) {
    silenced_ = {};
    return silenced_;
  }
  Diagnostic& error = diagnostics_.error(std::move(code), range, std::move(message));
  error.notes = origins_.notes(origin);
  return error;
}

Diagnostic& TokenCursor::report(std::string code, std::string message) {
  const Token& token = tokens_[index_];
  return report(std::move(code), token.range, std::move(message), token.origin);
}

Diagnostic& TokenCursor::warn(std::string code, SourceRange range, std::string message, OriginId origin) {
  if (abandoned_) {
    silenced_ = {};
    return silenced_;
  }
  Diagnostic& warning = diagnostics_.warning(std::move(code), range, std::move(message));
  warning.notes = origins_.notes(origin);
  return warning;
}

void TokenCursor::fail(std::string code, std::string message, std::string help) {
  report(std::move(code), std::move(message)).help = std::move(help);
  throw Recovery{};
}

void TokenCursor::fail_expecting(const std::string& expected, std::string help) {
  fail("F010", fmt::format("expected {}, found {}", expected, found()), std::move(help));
}

void TokenCursor::abandon(std::string code, std::string message) {
  report(std::move(code), std::move(message));
  abandoned_ = true;
  for (Frame& frame : frames_) frame.index = frame.tokens.size() - 1;
  index_ = tokens_.size() - 1;
  throw Recovery{};
}

std::string TokenCursor::found() const {
  constexpr std::size_t longest = 60;
  if (at_implied_semicolon()) return "the end of the line";
  const Token& token = tokens_[index_];
  if (token.kind == end_of_file) return frames_.empty() ? describe(end_of_file) : "the end of the inline";
  if (token.kind == string) return describe(token.kind);
  return token.text.size() > longest ? "a very long name" : fmt::format("`{}`", one_line(token.text));
}

std::string TokenCursor::did_you_mean(const std::string& name, const std::vector<std::string>& candidates) {
  const std::string meant = closest(name, candidates);
  return meant.empty() ? std::string{} : fmt::format("did you mean `{}`?", meant);
}

void TokenCursor::enter(std::vector<Token> tokens) {
  frames_.push_back({std::move(tokens_), index_, implied_taken_});
  tokens_ = std::move(tokens);
  index_ = 0;
  implied_taken_ = false;
  if (abandoned_) index_ = tokens_.size() - 1;
}

void TokenCursor::leave() {
  tokens_ = std::move(frames_.back().tokens);
  index_ = frames_.back().index;
  implied_taken_ = frames_.back().implied_taken;
  frames_.pop_back();
}

}  // namespace fathom::promela
