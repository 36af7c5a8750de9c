#include "cli/search_expression.hpp"

#include <cctype>
#include <optional>

#include "cli/quantities.hpp"

namespace fathom {

namespace {

constexpr int deepest_nesting = 50;

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.' || c == '%' || c == '/';
}

class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  SearchExpression whole() {
    SearchExpression result = search(word("a search"), 0);
    skip_space();
    if (next_ < text_.size()) fail("expected the end of the expression here", next_);
    return result;
  }

 private:
  struct Word {
    std::string text;
    std::size_t position;
  };

  [[noreturn]] void fail(const std::string& message, std::size_t position) const {
    throw SearchExpressionError(message, text_, position);
  }

  void skip_space() {
    while (next_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[next_])) != 0) ++next_;
  }

  bool take(char wanted) {
    skip_space();
    if (next_ == text_.size() || text_[next_] != wanted) return false;
    ++next_;
    return true;
  }

  Word word(const char* what) {
    skip_space();
    const std::size_t start = next_;
    while (next_ < text_.size() && is_word_character(text_[next_])) ++next_;
    if (next_ == start) fail(std::string("expected ") + what + " here", start);
    return {text_.substr(start, next_ - start), start};
  }

  SearchExpression search(const Word& name, int depth) {
    if (std::isalpha(static_cast<unsigned char>(name.text.front())) == 0) {
      fail("expected the name of a search here", name.position);
    }
    if (depth > deepest_nesting) fail("the expression is nested too deeply", name.position);
    SearchExpression result{name.text, {}, name.position};
    if (!take('(') || take(')')) return result;
    do {
      result.arguments.push_back(argument(depth + 1));
      check_order(result.arguments);
    } while (take(','));
    if (!take(')')) fail("expected `,` or `)` here", next_);
    return result;
  }

  void check_order(const std::vector<SearchArgument>& arguments) const {
    const SearchArgument& last = arguments.back();
    for (std::size_t k = 0; k + 1 < arguments.size(); ++k) {
      if (arguments[k].key.empty()) continue;
      if (last.key.empty()) fail("a value without a key must stand before those with one", last.position);
      if (arguments[k].key == last.key) fail("`" + last.key + "` is given twice", last.position);
    }
  }

  SearchArgument argument(int depth) {
    skip_space();
    if (at_quote()) return text("", next_);
    Word first = word("a value");
    if (!take('=')) return value("", first, first.position, depth);
    skip_space();
    if (at_quote()) return text(std::move(first.text), first.position);
    const Word second = word("a value");
    return value(std::move(first.text), second, first.position, depth);
  }

  [[nodiscard]] bool at_quote() const { return next_ < text_.size() && (text_[next_] == '"' || text_[next_] == '\''); }

  SearchArgument text(std::string key, std::size_t position) {
    const std::size_t start = next_ + 1, end = text_.find(text_[next_], start);
    if (end == std::string::npos) fail("this quotation has no end", next_);
    SearchArgument result;
    result.key = std::move(key);
    result.kind = SearchArgument::Kind::text;
    result.written = text_.substr(start, end - start);
    result.position = position;
    next_ = end + 1;
    return result;
  }

  SearchArgument value(std::string key, const Word& written, std::size_t position, int depth) {
    SearchArgument result;
    result.key = std::move(key);
    result.written = written.text;
    result.position = position;
    if (!read_as_number(result)) result.search = search(written, depth);
    return result;
  }

  static bool read_as_number(SearchArgument& argument) {
    const auto accept = [&](SearchArgument::Kind kind, double number) {
      argument.kind = kind;
      argument.number = number;
      return true;
    };
    using Kind = SearchArgument::Kind;
    if (const auto count = parse_count(argument.written)) return accept(Kind::count, static_cast<double>(*count));
    if (const auto part = parse_percentage(argument.written)) return accept(Kind::percentage, *part);
    if (const auto time = parse_duration(argument.written)) return accept(Kind::duration, *time);
    if (argument.written == "yes" || argument.written == "no") return accept(Kind::truth, argument.written == "yes");
    return false;
  }

  const std::string& text_;
  std::size_t next_ = 0;
};

}  // namespace

SearchExpressionError::SearchExpressionError(const std::string& message, const std::string& expression,
                                             std::size_t position)
    : UsageError("in the search expression: " + message + "\n    " + expression + "\n    " +
                 std::string(position, ' ') + "^") {}

SearchExpression parse_search(const std::string& text) {
  return Parser(text).whole();
}

}  // namespace fathom
