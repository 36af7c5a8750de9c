#include "property/mu/scanner.hpp"

#include <cctype>

namespace fathom::mu {

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

Scanner::Scanner(std::string_view whole) : text(whole), end(whole.size()) {
  match_signs();
}

std::size_t Scanner::after_space(std::size_t from) const {
  while (from < end && std::isspace(static_cast<unsigned char>(text[from])) != 0) ++from;
  return from;
}

std::string_view Scanner::word(std::size_t from) const {
  std::size_t behind = from;
  while (behind < end && is_word_character(text[behind])) ++behind;
  return text.substr(from, behind - from);
}

bool Scanner::take(std::string_view sign) {
  skip_space();
  if (!looks_at(sign)) return false;
  at += sign.size();
  return true;
}

void Scanner::expect(std::string_view sign, const std::string& message) {
  if (!take(sign)) fail(message);
}

// What stands in quotes is the name of a step and may be anything.
std::size_t Scanner::end_of_quote(std::size_t begin) const {
  for (std::size_t k = begin + 1; k < text.size(); ++k) {
    if (text[k] == '\\') {
      ++k;
    } else if (text[k] == '"') {
      return k;
    }
  }
  fail(begin, "this quote is never closed");
}

void Scanner::match_signs() {
  std::vector<std::size_t> open;
  closing_.assign(text.size(), 0);
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '"') k = closing_[k] = end_of_quote(k);
    if (c == '(' || c == '[' || c == '{') open.push_back(k);
    if (c != ')' && c != ']' && c != '}') continue;
    if (open.empty()) fail(k, std::string("this `") + c + "` closes nothing");
    const char wanted = text[open.back()] == '(' ? ')' : text[open.back()] == '[' ? ']' : '}';
    if (c != wanted) fail(k, std::string("`") + wanted + "` is expected here");
    closing_[open.back()] = k;
    open.pop_back();
  }
  if (!open.empty()) fail(open.back(), std::string("this `") + text[open.back()] + "` is never closed");
}

}  // namespace fathom::mu
