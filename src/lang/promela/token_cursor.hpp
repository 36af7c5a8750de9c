// A place in the token list, and how the parser complains there. Where Spin reads a line break as `;`, the cursor shows
// a semicolon that nobody wrote. A mistake that makes the current construct hopeless is reported and thrown as
// Recovery; whoever owns the surrounding list catches it and skips to where parsing can go on.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "lang/promela/token.hpp"
#include "support/diagnostics.hpp"

namespace fathom::promela {

// Thrown after the mistake has been reported.
struct Recovery {};

class TokenCursor {
 public:
  TokenCursor(std::vector<Token> tokens, Origins& origins, Diagnostics& diagnostics);

  [[nodiscard]] const Token& peek() const;
  // The tokens behind it, without implied semicolons.
  [[nodiscard]] const Token& ahead(std::size_t count) const;
  [[nodiscard]] const Token& previous() const { return tokens_[index_ == 0 ? 0 : index_ - 1]; }
  [[nodiscard]] bool at(TokenKind kind) const { return peek().kind == kind; }
  [[nodiscard]] bool at_any(std::initializer_list<TokenKind> kinds) const;
  [[nodiscard]] bool at_end_of_file() const { return at(TokenKind::end_of_file); }
  [[nodiscard]] std::size_t index() const { return index_; }

  // Moves on and returns the token left behind; stays at the end.
  const Token& advance();
  bool accept(TokenKind kind);
  const Token& expect(TokenKind kind);
  // From the first token of a construct to the last one consumed.
  [[nodiscard]] SourceRange range_from(std::size_t first) const;
  [[nodiscard]] OriginId origin_at(std::size_t index) const { return tokens_[index].origin; }
  [[nodiscard]] SourceRange here() const { return peek().range; }
  // The tokens from `first` to the last one consumed on one line, spaced as written.
  [[nodiscard]] std::string text_from(std::size_t first) const;

  Diagnostic& report(std::string code, SourceRange range, std::string message, OriginId origin);
  Diagnostic& report(std::string code, std::string message);  // at the current token
  Diagnostic& warn(std::string code, SourceRange range, std::string message, OriginId origin);
  [[noreturn]] void fail(std::string code, std::string message, std::string help = {});
  [[noreturn]] void fail_expecting(const std::string& expected, std::string help = {});
  // Reports and moves to the end of everything.
  [[noreturn]] void abandon(std::string code, std::string message);

  [[nodiscard]] std::string found() const;
  static std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates);

  // Replaces the text by another one, such as an inline's body, until leave().
  void enter(std::vector<Token> tokens);
  void leave();

  // While it lives, line breaks may stand for semicolons (inside bodies and typedefs), or may not (inside parentheses).
  class LineBreaks {
   public:
    LineBreaks(TokenCursor& cursor, bool count) : cursor_(cursor), before_(cursor.line_breaks_) {
      cursor_.line_breaks_ = count;
    }
    ~LineBreaks() { cursor_.line_breaks_ = before_; }
    LineBreaks(const LineBreaks&) = delete;
    LineBreaks& operator=(const LineBreaks&) = delete;

   private:
    TokenCursor& cursor_;
    bool before_;
  };

 protected:
  Origins& origins_;
  Diagnostics& diagnostics_;

 private:
  [[nodiscard]] bool at_implied_semicolon() const;

  struct Frame {
    std::vector<Token> tokens;
    std::size_t index;
    bool implied_taken;
  };
  std::vector<Token> tokens_;
  std::size_t index_ = 0;
  bool implied_taken_ = false;  // the line break before the current token has been read as `;`
  bool line_breaks_ = false;
  bool abandoned_ = false;
  std::vector<Frame> frames_;
  Diagnostic silenced_;
};

}  // namespace fathom::promela
