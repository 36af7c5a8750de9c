#include "lang/promela/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "support/utf8.hpp"

namespace fathom::promela {

using enum TokenKind;

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool starts_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool continues_word(char c) {
  return starts_word(c) || is_digit(c);
}
bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\r' || c == '\0';
}

class Lexer {
 public:
  Lexer(std::string_view text, FileId file) : text_(text), file_(file) {}

  std::vector<Token> run() {
    if (text_.starts_with(byte_order_mark)) position_ = byte_order_mark.size();
    for (skip_blanks(); !at_end(); skip_blanks()) read_token();
    add(end_of_file, position_);
    return std::move(tokens_);
  }
  // Where a comment begins that is never closed.
  [[nodiscard]] const SourceRange* open_comment() const { return comment_open_ ? &comment_ : nullptr; }

 private:
  [[nodiscard]] bool at_end() const { return position_ >= text_.size(); }
  [[nodiscard]] std::string_view rest() const { return text_.substr(std::min(position_, text_.size())); }
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }
  [[nodiscard]] SourceRange range_from(std::size_t begin) const {
    return {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(position_)};
  }

  void skip_blanks();
  bool skip_continuation();
  void skip_comment();
  void read_token();
  void read_number(std::size_t begin);
  void read_word(std::size_t begin);
  void read_string(std::size_t begin);
  void read_character(std::size_t begin);
  void read_sign(std::size_t begin);
  void read_embedded_c();
  bool read_enclosed_c(char open, char close, TokenKind kind);
  void skip_quoted_c(char quote);
  Token& add(TokenKind kind, std::size_t begin);
  void complain(std::size_t begin, std::string message) { add(invalid, begin).text = std::move(message); }

  std::string_view text_;
  FileId file_;
  std::size_t position_ = 0;
  std::vector<Token> tokens_;
  bool newline_ = true;
  bool comment_newline_ = false;
  bool space_ = false;
  SourceRange comment_;
  bool comment_open_ = false;
};

void Lexer::skip_blanks() {
  while (!at_end()) {
    const char c = peek();
    if (c == '\n') {
      newline_ = true;
      ++position_;
    } else if (is_blank(c)) {
      space_ = true;
      ++position_;
    } else if (c == '/' && (peek(1) == '*' || peek(1) == '/')) {
      skip_comment();
      space_ = true;
    } else if (!skip_continuation()) {
      return;
    }
  }
}

// A backslash at the end of a line joins it with the next one.
bool Lexer::skip_continuation() {
  if (peek() != '\\') return false;
  std::size_t length = 1;
  while (peek(length) == ' ' || peek(length) == '\t' || peek(length) == '\r') ++length;
  if (peek(length) != '\n') return false;
  position_ += length + 1;
  space_ = true;
  return true;
}

void Lexer::skip_comment() {
  const std::size_t begin = position_;
  if (peek(1) == '/') {
    while (!at_end() && peek() != '\n')
      if (!skip_continuation()) ++position_;
    return;
  }
  const std::size_t close = text_.find("*/", position_ + 2);
  position_ = close == std::string_view::npos ? text_.size() : close + 2;
  if (close == std::string_view::npos) {
    comment_ = {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + 2)};
    comment_open_ = true;
  }
  // A comment of several lines ends a statement as a line break does, but it does not end a directive.
  if (text_.substr(begin, position_ - begin).find('\n') != std::string_view::npos) comment_newline_ = true;
}

void Lexer::read_token() {
  const std::size_t begin = position_;
  const char c = peek();
  if (is_digit(c)) return read_number(begin);
  if (starts_word(c)) return read_word(begin);
  if (c == '"') return read_string(begin);
  if (c == '\'') return read_character(begin);
  read_sign(begin);
}

// Letters that follow the digits are taken along: `0x1F` is a number in a directive and a mistake in a model.
void Lexer::read_number(std::size_t begin) {
  while (continues_word(peek())) ++position_;
  add(number, begin);
}

void Lexer::read_word(std::size_t begin) {
  while (continues_word(peek())) ++position_;
  const TokenKind kind = add(classify(text_.substr(begin, position_ - begin)), begin).kind;
  if (kind == kw_c_code || kind == kw_c_expr || kind == kw_c_decl) read_embedded_c();
}

void Lexer::read_string(std::size_t begin) {
  ++position_;
  while (!at_end() && peek() != '"' && peek() != '\n') position_ += peek() == '\\' && peek(1) != '\n' ? 2 : 1;
  position_ = std::min(position_, text_.size());
  if (peek() != '"') return complain(begin, "this string is not closed on its line");
  ++position_;
  Token& token = add(string, begin);
  token.text = token.text.substr(1, token.text.size() - 2);
}

void Lexer::read_character(std::size_t begin) {
  ++position_;
  position_ += peek() == '\\' ? 2 : 1;
  position_ = std::min(position_, text_.size());
  if (peek() != '\'') {
    position_ = begin + 1;
    return complain(begin, "a character constant is one character between quotes");
  }
  ++position_;
  add(character, begin);
}

void Lexer::read_sign(std::size_t begin) {
  for (const Spelling& sign : signs()) {
    if (!rest().starts_with(sign.text)) continue;
    position_ += sign.text.size();
    add(sign.kind, begin);
    return;
  }
  const std::size_t length = std::max<std::size_t>(1, character_length(rest()));
  position_ += length;
  const auto byte = static_cast<unsigned char>(text_[begin]);
  if (byte < 0x20 || byte == 0x7F || character_length(text_.substr(begin)) == 0)
    return complain(begin, fmt::format("unexpected byte 0x{:02X}", byte));
  complain(begin, fmt::format("unexpected character `{}`", text_.substr(begin, length)));
}

// `c_code [condition] { ... }`
void Lexer::read_embedded_c() {
  skip_blanks();
  if (peek() == '[') {
    if (!read_enclosed_c('[', ']', embedded_condition)) return;
    skip_blanks();
  }
  if (peek() == '{') read_enclosed_c('{', '}', embedded_c);
}

// Brackets are matched, strings and comments of C are respected.
bool Lexer::read_enclosed_c(char open, char close, TokenKind kind) {
  const std::size_t begin = position_;
  int depth = 0;
  do {
    const char c = peek();
    if (c == open) ++depth;
    if (c == close) --depth;
    if (c == '"' || c == '\'') {
      skip_quoted_c(c);
    } else if (c == '/' && (peek(1) == '*' || peek(1) == '/')) {
      skip_comment();
    } else {
      ++position_;
    }
  } while (!at_end() && depth > 0);
  if (depth > 0) {
    complain(begin, fmt::format("this C code is never closed by a `{}`", close));
    return false;
  }
  Token& token = add(kind, begin);
  token.text = token.text.substr(1, token.text.size() - 2);
  return true;
}

void Lexer::skip_quoted_c(char quote) {
  ++position_;
  while (!at_end() && peek() != quote && peek() != '\n') position_ += peek() == '\\' ? 2 : 1;
  position_ = std::min(position_ + (peek() == quote ? 1 : 0), text_.size());
}

Token& Lexer::add(TokenKind kind, std::size_t begin) {
  Token token;
  token.kind = kind;
  token.range = token.site = range_from(begin);
  token.text = text_.substr(begin, position_ - begin);
  token.first_on_line = newline_;
  token.newline_before = newline_ || comment_newline_;
  token.space_before = space_ || token.newline_before;
  newline_ = comment_newline_ = space_ = false;
  tokens_.push_back(std::move(token));
  return tokens_.back();
}

}  // namespace

std::vector<Token> tokenize(const Sources& sources, FileId file, Diagnostics& diagnostics) {
  Lexer lexer(sources.text(file), file);
  auto tokens = lexer.run();
  if (const SourceRange* open = lexer.open_comment())
    diagnostics.error("F003", *open, "this comment is never closed").help = "add `*/`";
  return tokens;
}

std::vector<Token> tokenize_pasted(std::string_view text, const Token& place) {
  auto tokens = Lexer(text, FileId{}).run();
  tokens.pop_back();
  for (Token& token : tokens) {
    token.range = token.site = place.range;
    token.origin = place.origin;
    token.newline_before = token.first_on_line = false;
  }
  return tokens;
}

}  // namespace fathom::promela
