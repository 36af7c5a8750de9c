// The characters of a formula: words, spaces, and where each opening sign is closed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "property/ltl/parse.hpp"
#include "property/mu/formula.hpp"

namespace fathom::mu {

bool is_word_character(char c);

class Scanner {
 public:
  // Throws ltl::ParseError where a sign is not closed, or closes nothing.
  explicit Scanner(std::string_view text);

  [[noreturn]] static void fail(std::size_t at, const std::string& message) { throw ltl::ParseError(at, message); }
  [[noreturn]] void fail(const std::string& message) const { fail(at, message); }

  void skip_space() { at = after_space(at); }
  [[nodiscard]] std::size_t after_space(std::size_t from) const;
  [[nodiscard]] bool ended() const { return at >= end; }
  [[nodiscard]] char peek() const { return at < end ? text[at] : '\0'; }
  [[nodiscard]] bool looks_at(std::string_view sign) const { return has(at, sign); }
  [[nodiscard]] bool has(std::size_t from, std::string_view sign) const {
    return from + sign.size() <= end && text.substr(from, sign.size()) == sign;
  }
  // The word that begins here; empty where there is none.
  [[nodiscard]] std::string_view word(std::size_t from) const;
  // Skips spaces and the sign, if it comes next.
  bool take(std::string_view sign);
  void expect(std::string_view sign, const std::string& message);
  // Behind the sign that closes the one here.
  [[nodiscard]] std::size_t behind_closing(std::size_t from) const { return closing_[from] + 1; }

  std::string_view text;
  std::size_t at = 0;
  std::size_t end = 0;  // nothing from here on is looked at

 private:
  void match_signs();
  [[nodiscard]] std::size_t end_of_quote(std::size_t begin) const;

  std::vector<std::size_t> closing_;
};

// The sequences of steps inside a modality, up to the sign that closes it.
RegularPtr parse_steps(Scanner& in);

}  // namespace fathom::mu
