#include "lang/murphi/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "support/utf8.hpp"

namespace fathom::murphi {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::string_view left_quote = "\xE2\x80\x9C";
constexpr std::string_view right_quote = "\xE2\x80\x9D";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
bool starts_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool continues_word(char c) {
  return starts_word(c) || is_digit(c);
}

std::optional<unsigned> digit_value(char c, unsigned base) {
  unsigned value = base;
  if (is_digit(c)) value = static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') value = static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') value = static_cast<unsigned>(c - 'A') + 10;
  return value < base ? std::optional(value) : std::nullopt;
}

class Lexer {
 public:
  Lexer(const Sources& sources, FileId file, Dialect dialect, Diagnostics& diagnostics)
      : text_(sources.text(file)), file_(file), dialect_(dialect), diagnostics_(diagnostics) {}

  std::vector<Token> run() {
    if (text_.starts_with(byte_order_mark)) position_ = byte_order_mark.size();
    for (skip_blanks(); !at_end(); skip_blanks()) read_token();
    add(TokenKind::end_of_file, position_);
    return std::move(tokens_);
  }

 private:
  [[nodiscard]] bool at_end() const { return position_ >= text_.size(); }
  [[nodiscard]] std::string_view rest() const { return text_.substr(position_); }
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }
  [[nodiscard]] SourceRange range_from(std::size_t begin) const {
    return {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(position_)};
  }
  Token& add(TokenKind kind, std::size_t begin) { return tokens_.emplace_back(Token{kind, range_from(begin), 0, {}}); }

  void skip_blanks();
  void skip_comment();
  void read_token();
  void read_word();
  void read_number();
  std::uint64_t digits(unsigned base);
  void reject_real(std::size_t begin);
  void read_string(std::string_view open, std::string_view close);
  void read_escape(std::string& out);
  bool read_sign();
  void reject_characters();

  std::string_view text_;
  FileId file_;
  Dialect dialect_;
  Diagnostics& diagnostics_;
  std::vector<Token> tokens_;
  std::size_t position_ = 0;
};

void Lexer::skip_blanks() {
  while (!at_end()) {
    if (is_space(peek())) {
      ++position_;
    } else if (rest().starts_with("--")) {
      position_ = std::min(text_.find('\n', position_), text_.size());
    } else if (rest().starts_with("/*")) {
      skip_comment();
    } else {
      return;
    }
  }
}

void Lexer::skip_comment() {
  const std::size_t begin = position_;
  const std::size_t close = text_.find("*/", begin + 2);
  if (close != std::string_view::npos) {
    position_ = close + 2;
    return;
  }
  position_ = begin + 2;
  diagnostics_.error("F003", range_from(begin), "this comment is never closed").help = "end it with `*/`";
  position_ = text_.size();
}

void Lexer::read_token() {
  if (starts_word(peek())) return read_word();
  if (is_digit(peek())) return read_number();
  if (peek() == '"') return read_string("\"", "\"");
  if (rest().starts_with(left_quote)) return read_string(left_quote, right_quote);
  if (!read_sign()) reject_characters();
}

void Lexer::read_word() {
  const std::size_t begin = position_;
  while (continues_word(peek())) ++position_;
  const std::string_view word = text_.substr(begin, position_ - begin);
  const std::string lower = lower_case(word);
  const auto keyword = std::ranges::lower_bound(keywords(), lower, {}, &Spelling::text);
  if (keyword != keywords().end() && keyword->text == lower) {
    add(keyword->kind, begin).text = word;
    return;
  }
  if (dialect_ == Dialect::cmurphi && reserved_by_cmurphi(lower)) {
    auto& error = diagnostics_.error("F007", range_from(begin), fmt::format("`{}` is a reserved word", word));
    error.help = "choose another name, or use the Rumur dialect, which does not reserve it";
  }
  add(TokenKind::identifier, begin).text = word;
}

void Lexer::read_number() {
  const std::size_t begin = position_;
  const bool hexadecimal = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X') && digit_value(peek(2), 16);
  // A leading zero means octal to Rumur and nothing to CMurphi.
  const bool octal = !hexadecimal && dialect_ == Dialect::rumur && peek() == '0' && is_digit(peek(1));
  if (hexadecimal) position_ += 2;
  const std::uint64_t value = digits(hexadecimal ? 16 : octal ? 8 : 10);
  if (!hexadecimal && peek() == '.' && is_digit(peek(1))) reject_real(begin);
  add(TokenKind::number, begin).value = value;
}

std::uint64_t Lexer::digits(unsigned base) {
  const std::size_t begin = position_;
  std::uint64_t value = 0;
  bool too_large = false;
  bool misfit = false;
  for (; is_digit(peek()) || digit_value(peek(), base); ++position_) {
    const auto digit = digit_value(peek(), base);
    misfit = misfit || !digit;
    too_large = too_large || value > (std::numeric_limits<std::uint64_t>::max() - digit.value_or(0)) / base;
    value = value * base + digit.value_or(0);
  }
  if (misfit) {
    auto& error = diagnostics_.error("F005", range_from(begin), "this octal number has a digit above 7");
    error.help = "in the Rumur dialect a leading 0 makes a number octal";
  } else if (too_large) {
    diagnostics_.error("F005", range_from(begin), "this number does not fit into 64 bits");
  }
  return value;
}

void Lexer::reject_real(std::size_t begin) {
  ++position_;
  while (is_digit(peek())) ++position_;
  diagnostics_.error("F006", range_from(begin), "real numbers are not supported");
}

void Lexer::read_string(std::string_view open, std::string_view close) {
  const std::size_t begin = position_;
  position_ += open.size();
  std::string content;
  // Rumur lets a string run over several lines. CMurphi cannot compile one that does, so there the end of the line
  // shows a forgotten quote.
  const bool one_line = dialect_ == Dialect::cmurphi;
  while (!at_end() && !rest().starts_with(close) && !(one_line && peek() == '\n')) {
    if (peek() == '\\') {
      read_escape(content);
    } else if (character_length(rest()) == 0 || peek() == '\0') {
      reject_characters();
    } else {
      content += text_[position_++];
    }
  }
  if (rest().starts_with(close)) {
    position_ += close.size();
  } else {
    const SourceRange opening{file_, static_cast<std::uint32_t>(begin),
                              static_cast<std::uint32_t>(begin + open.size())};
    diagnostics_.error("F004", opening, "this string is never closed");
    position_ = std::min(text_.find('\n', begin), text_.size());
  }
  add(TokenKind::string, begin).text = std::move(content);
}

// An escape that C does not know either keeps its backslash: both peers hand strings on as they are.
void Lexer::read_escape(std::string& out) {
  constexpr std::string_view names = "ntr\\\"'abfv";
  constexpr std::string_view values = "\n\t\r\\\"'\a\b\f\v";
  const std::size_t known = position_ + 1 < text_.size() ? names.find(peek(1)) : std::string_view::npos;
  ++position_;
  if (known == std::string_view::npos) {
    out += '\\';
  } else {
    out += values[known];
    ++position_;
  }
}

bool Lexer::read_sign() {
  const auto sign = std::ranges::find_if(signs(), [&](const Spelling& s) { return rest().starts_with(s.text); });
  if (sign == signs().end()) return false;
  const std::size_t begin = position_;
  position_ += sign->text.size();
  add(sign->kind, begin);
  return true;
}

// Reports a run of bytes that are not UTF-8 once, and any other character by itself.
void Lexer::reject_characters() {
  const std::size_t begin = position_;
  const std::size_t length = character_length(rest());
  if (length == 0) {
    while (!at_end() && character_length(rest()) == 0) ++position_;
    diagnostics_.error("F002", range_from(begin), "this is not UTF-8 text");
    return;
  }
  position_ += length;
  const std::string_view character = text_.substr(begin, length);
  const auto byte = static_cast<unsigned char>(character.front());
  const bool printable = byte > 0x20 && byte != 0x7F;
  diagnostics_.error("F001", range_from(begin),
                     printable ? fmt::format("unexpected character `{}`", character)
                               : fmt::format("unexpected control character 0x{:02x}", byte));
}

}  // namespace

std::vector<Token> tokenize(const Sources& sources, FileId file, Dialect dialect, Diagnostics& diagnostics) {
  return Lexer(sources, file, dialect, diagnostics).run();
}

}  // namespace fathom::murphi
