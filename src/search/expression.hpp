// A search as the user wrote it: `name(positional…, key=value…)`, nested. cli/search_expression.hpp parses the text,
// cli/searches.hpp checks it against the parameters that each search declares (search/run.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fathom {

struct SearchArgument;

struct SearchExpression {
  std::string name;
  std::vector<SearchArgument> arguments;
  std::size_t position = 0;  // in bytes, in the text it was parsed from

  [[nodiscard]] std::string text() const;
  // The argument with this key; null where there is none.
  [[nodiscard]] const SearchArgument* argument(std::string_view key) const;
};

// Values are kept as they were written, together with what they can be read as.
struct SearchArgument {
  enum class Kind { count, percentage, duration, truth, text, search };
  std::string key;  // "" for a positional one
  Kind kind = Kind::search;
  double number = 0;  // count, percentage (as a fraction), duration (in seconds), truth (0 or 1)
  std::string written;
  SearchExpression search;
  std::size_t position = 0;

  [[nodiscard]] std::string text() const;
};

// A parameter of a search. Its value is "N" (a count), "N|P%" (a count or a share), "yes|no", "a|b|c" (one of these
// words), "H" (a nested expression), "H..." (one or more of them, without a key and the last of the parameters),
// "\"EXPR\"" (a text in quotes), "FILE" or "NAMES" (the same, or a plain word). Values without a key are taken for the
// parameters in their order.
struct SearchParameter {
  std::string_view name;
  std::string_view value;
  std::string_view fallback;  // as it would be written; "" where nothing is the default
  std::string_view help;
  std::uint64_t least = 0;  // of a count
  bool required = false;
};

// The values of a checked expression in which every parameter with a default is present.
class Arguments {
 public:
  explicit Arguments(const SearchExpression& expression) : expression_(expression) {}

  [[nodiscard]] bool has(std::string_view key) const { return expression_.argument(key) != nullptr; }
  [[nodiscard]] std::uint64_t count(std::string_view key) const { return static_cast<std::uint64_t>(number(key)); }
  [[nodiscard]] bool is_percentage(std::string_view key) const {
    return at(key).kind == SearchArgument::Kind::percentage;
  }
  [[nodiscard]] double number(std::string_view key) const { return at(key).number; }
  [[nodiscard]] bool truth(std::string_view key) const { return number(key) != 0; }
  [[nodiscard]] std::string_view word(std::string_view key) const { return at(key).written; }
  [[nodiscard]] const SearchExpression& nested(std::string_view key) const { return at(key).search; }
  // The values of a parameter "H...".
  [[nodiscard]] std::vector<const SearchExpression*> all_nested() const;

 private:
  [[nodiscard]] const SearchArgument& at(std::string_view key) const;

  const SearchExpression& expression_;
};

}  // namespace fathom
