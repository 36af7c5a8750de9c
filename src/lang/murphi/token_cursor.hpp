// A place in the token list, and how the parser complains there. A mistake that makes the current construct hopeless
// is reported and thrown as Recovery; whoever owns the surrounding list or block catches it and skips to where parsing
// can go on. After `abandon` nothing more is reported and every construct finds the end of the file.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "lang/murphi/token.hpp"
#include "support/diagnostics.hpp"

namespace fathom::murphi {

// Thrown after the mistake has been reported.
struct Recovery {};

class TokenCursor {
 public:
  TokenCursor(std::vector<Token> tokens, Diagnostics& diagnostics);

  [[nodiscard]] const Token& peek(std::size_t ahead = 0) const;
  [[nodiscard]] bool at(TokenKind kind) const { return peek().kind == kind; }
  [[nodiscard]] bool at_any(std::initializer_list<TokenKind> kinds) const;
  [[nodiscard]] bool at_end_of_file() const { return at(TokenKind::end_of_file); }
  // An identifier, or a keyword of one dialect that is an ordinary name in the other's models.
  [[nodiscard]] bool at_word(std::size_t ahead = 0) const;
  // The same where such a keyword may also start a construct: what follows shows that it is used as a name.
  [[nodiscard]] bool at_name(std::size_t ahead = 0) const;
  [[nodiscard]] std::size_t index() const { return index_; }

  // Moves on and returns the token left behind; stays at the end of the file.
  const Token& advance();
  bool accept(TokenKind kind);
  const Token& expect(TokenKind kind);
  // Reports a missing token but goes on as if it were there.
  void expect_softly(TokenKind kind);
  // From the first token of a construct to the last one consumed.
  [[nodiscard]] SourceRange range_from(SourceRange first) const;
  [[nodiscard]] SourceRange here() const { return peek().range; }
  [[nodiscard]] SourceRange end_of_previous() const;

  // Skips to the next `kind` and consumes it, or stops before anything that ends a statement or opens a block.
  bool skip_past(TokenKind kind);
  // Skips to the end of a statement or declaration.
  void skip_statement();

  Diagnostic& report(std::string code, SourceRange range, std::string message);
  [[noreturn]] void fail(std::string code, SourceRange range, std::string message, std::string help = {});
  // "expected X, found Y"
  [[noreturn]] void fail_expecting(const std::string& expected, std::string help = {});
  // Reports and moves to the end of the file.
  [[noreturn]] void abandon(std::string code, SourceRange range, std::string message);

  // How messages speak of the current token.
  [[nodiscard]] std::string found() const;
  // "did you mean `then`?" where a name nearly is one of these keywords.
  static std::string suggestion_for(const Token& token, std::initializer_list<TokenKind> kinds);
  [[nodiscard]] std::string suggestion(std::initializer_list<TokenKind> kinds) const {
    return suggestion_for(peek(), kinds);
  }

 private:
  [[nodiscard]] bool at_recovery_point() const;

  std::vector<Token> tokens_;
  Diagnostics& diagnostics_;
  Diagnostic silenced_;  // what report() hands out once the file was abandoned
  std::size_t index_ = 0;
  bool abandoned_ = false;
};

}  // namespace fathom::murphi
