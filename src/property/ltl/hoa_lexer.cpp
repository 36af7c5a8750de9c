#include "property/ltl/hoa_lexer.hpp"

#include <cctype>

namespace fathom::ltl {
namespace {

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

}  // namespace

// Columns count characters, and the bytes that go on a character in UTF-8 are none.
void HoaLexer::advance() {
  const char c = text_[at_++];
  if (c == '\n') {
    ++position_.line;
    position_.column = 1;
  } else if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) {
    ++position_.column;
  }
}

void HoaLexer::skip_space_and_comments() {
  for (;;) {
    while (at_ < text_.size() && is_blank(text_[at_])) advance();
    if (peek() != '/' || peek(1) != '*') return;
    skip_comment();
  }
}

// Comments nest.
void HoaLexer::skip_comment() {
  const Position begin = position_;
  std::size_t depth = 0;
  do {
    if (at_ >= text_.size()) throw HoaError(begin, "this comment has no end");
    const bool opens = peek() == '/' && peek(1) == '*';
    const bool closes = peek() == '*' && peek(1) == '/';
    if (opens) ++depth;
    if (closes) --depth;
    if (opens || closes) advance();
    advance();
  } while (depth > 0);
}

HoaToken HoaLexer::next() {
  skip_space_and_comments();
  HoaToken token;
  token.position = position_;
  if (at_ >= text_.size()) return token;
  const char c = peek();
  if (c == '-' && peek(1) == '-') return marker(std::move(token));
  if (c == '"') return string(std::move(token));
  if (is_digit(c)) return number(std::move(token));
  if (is_letter(c) || c == '@') return word(std::move(token));
  token.kind = HoaToken::Kind::sign;
  token.text = c;
  advance();
  return token;
}

HoaToken HoaLexer::marker(HoaToken token) {
  static constexpr std::pair<std::string_view, HoaToken::Kind> markers[] = {
      {"--BODY--", HoaToken::Kind::body}, {"--END--", HoaToken::Kind::finish}, {"--ABORT--", HoaToken::Kind::abort}};
  for (const auto& [spelling, kind] : markers) {
    if (text_.substr(at_, spelling.size()) != spelling) continue;
    token.kind = kind;
    for (std::size_t k = 0; k < spelling.size(); ++k) advance();
    return token;
  }
  throw HoaError(token.position, "--BODY--, --END-- or --ABORT-- is expected here");
}

HoaToken HoaLexer::word(HoaToken token) {
  token.kind = peek() == '@' ? HoaToken::Kind::alias : HoaToken::Kind::identifier;
  if (token.kind == HoaToken::Kind::alias) advance();
  while (is_letter(peek()) || is_digit(peek()) || peek() == '-') {
    token.text += peek();
    advance();
  }
  if (token.kind == HoaToken::Kind::identifier && peek() == ':') {
    token.kind = HoaToken::Kind::header;
    advance();
  }
  return token;
}

HoaToken HoaLexer::string(HoaToken token) {
  token.kind = HoaToken::Kind::string;
  advance();
  while (at_ < text_.size() && peek() != '"') {
    if (peek() == '\\' && at_ + 1 < text_.size()) advance();
    token.text += peek();
    advance();
  }
  if (at_ >= text_.size()) throw HoaError(token.position, "this string has no end");
  advance();
  return token;
}

HoaToken HoaLexer::number(HoaToken token) {
  token.kind = HoaToken::Kind::number;
  std::uint64_t value = 0;
  while (is_digit(peek())) {
    token.text += peek();
    value = value * 10 + static_cast<std::uint64_t>(peek() - '0');
    if (value > UINT32_MAX) throw HoaError(token.position, "this number is too large");
    advance();
  }
  token.number = static_cast<std::uint32_t>(value);
  return token;
}

}  // namespace fathom::ltl
