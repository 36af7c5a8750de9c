#include "lang/promela/conditional_expression.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>

namespace fathom::promela {

using enum TokenKind;

namespace {

struct Malformed {};

struct Operator {
  TokenKind kind;
  int precedence;
};

constexpr Operator directive_operators[] = {
    {star, 10},       {slash, 10},    {percent, 10}, {plus, 9},       {minus, 9},         {shift_left, 8},
    {shift_right, 8}, {less, 7},      {greater, 7},  {less_equal, 7}, {greater_equal, 7}, {equal, 6},
    {not_equal, 6},   {ampersand, 5}, {caret, 4},    {bar, 3},        {logical_and, 2},   {logical_or, 1},
};

int precedence(TokenKind kind) {
  for (const Operator& candidate : directive_operators)
    if (candidate.kind == kind) return candidate.precedence;
  return 0;
}

// Arithmetic wraps; where C has no value we take 0, which is harmless in a condition.
std::int64_t apply(TokenKind kind, std::int64_t a, std::int64_t b) {
  const auto x = static_cast<std::uint64_t>(a);
  const auto y = static_cast<std::uint64_t>(b);
  const bool in_range = b >= 0 && b < 64;
  switch (kind) {
    case star:
      return static_cast<std::int64_t>(x * y);
    case plus:
      return static_cast<std::int64_t>(x + y);
    case minus:
      return static_cast<std::int64_t>(x - y);
    case shift_left:
      return in_range ? static_cast<std::int64_t>(x << y) : 0;
    case shift_right:
      return in_range ? a >> b : 0;
    case less:
      return a < b;
    case greater:
      return a > b;
    case less_equal:
      return a <= b;
    case greater_equal:
      return a >= b;
    case equal:
      return a == b;
    case not_equal:
      return a != b;
    case ampersand:
      return a & b;
    case caret:
      return a ^ b;
    case bar:
      return a | b;
    case logical_and:
      return a != 0 && b != 0;
    default:
      return a != 0 || b != 0;
  }
}

class Evaluator {
 public:
  Evaluator(const std::vector<Token>& tokens, SourceRange directive, Diagnostics& diagnostics)
      : tokens_(tokens), directive_(directive), diagnostics_(diagnostics) {}

  bool run() {
    const std::int64_t value = conditional();
    if (index_ < tokens_.size()) fail("something is left over behind this condition");
    return value != 0;
  }

 private:
  [[nodiscard]] TokenKind kind() const { return index_ < tokens_.size() ? tokens_[index_].kind : end_of_file; }
  bool accept(TokenKind wanted) {
    if (kind() != wanted) return false;
    ++index_;
    return true;
  }
  [[noreturn]] void fail(std::string message) {
    diagnostics_.error("F405", index_ < tokens_.size() ? tokens_[index_].range : directive_, std::move(message));
    throw Malformed{};
  }

  // In a part that decides nothing, such as the right side of `0 &&`, a division by zero is no mistake.
  std::int64_t conditional() {
    const std::int64_t test = binary(1);
    if (!accept(receive)) return test;
    const bool outer = live_;
    live_ = outer && test != 0;
    const std::int64_t yes = conditional();
    if (!accept(colon)) fail("expected `:`");
    live_ = outer && test == 0;
    const std::int64_t no = conditional();
    live_ = outer;
    return test != 0 ? yes : no;
  }

  std::int64_t binary(int lowest) {
    std::int64_t left = unary();
    for (int found = precedence(kind()); found >= lowest && found > 0; found = precedence(kind())) {
      const TokenKind sign = tokens_[index_++].kind;
      const bool outer = live_;
      if ((sign == logical_and && left == 0) || (sign == logical_or && left != 0)) live_ = false;
      const std::int64_t right = binary(found + 1);
      live_ = outer;
      left = sign == slash || sign == percent ? divide(sign, left, right) : apply(sign, left, right);
    }
    return left;
  }

  std::int64_t divide(TokenKind sign, std::int64_t left, std::int64_t right) {
    if (right == 0 && live_) fail("division by zero in a condition");
    if (right == 0 || right == -1) return sign == slash && right == -1 ? apply(minus, 0, left) : 0;
    return sign == slash ? left / right : left % right;
  }

  std::int64_t unary() {
    if (++depth_ > 200) fail("this condition is nested too deeply");
    const std::int64_t value = prefixed();
    --depth_;
    return value;
  }

  std::int64_t prefixed() {
    if (accept(minus)) return apply(minus, 0, unary());
    if (accept(plus)) return unary();
    if (accept(tilde)) return ~unary();
    if (accept(send)) return unary() == 0;
    if (accept(sorted_send)) return unary() != 0;
    if (accept(left_paren)) {
      const std::int64_t value = conditional();
      if (!accept(right_paren)) fail("expected `)`");
      return value;
    }
    return primary();
  }

  std::int64_t primary() {
    if (kind() == end_of_file) fail("this condition is incomplete");
    const Token& token = tokens_[index_];
    if (token.kind == number) return literal(token);
    if (token.kind != identifier && classify(token.text) != token.kind) fail("expected a number or a name");
    ++index_;
    return 0;
  }

  std::int64_t literal(const Token& token) {
    char* end = nullptr;
    const auto value = static_cast<std::int64_t>(std::strtoull(token.text.c_str(), &end, 0));
    while (*end == 'u' || *end == 'U' || *end == 'l' || *end == 'L') ++end;
    if (*end != '\0') fail(fmt::format("`{}` is not a number", token.text));
    ++index_;
    return value;
  }

  const std::vector<Token>& tokens_;
  SourceRange directive_;
  Diagnostics& diagnostics_;
  std::size_t index_ = 0;
  int depth_ = 0;
  bool live_ = true;
};

}  // namespace

std::optional<bool> evaluate_condition(const std::vector<Token>& tokens, SourceRange directive,
                                       Diagnostics& diagnostics) {
  try {
    return Evaluator(tokens, directive, diagnostics).run();
  } catch (const Malformed&) {
    return std::nullopt;
  }
}

}  // namespace fathom::promela
