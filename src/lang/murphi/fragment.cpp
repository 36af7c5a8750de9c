#include "lang/murphi/fragment.hpp"

#include "lang/murphi/grammar.hpp"
#include "lang/murphi/lexer.hpp"

namespace fathom::murphi {

namespace {

// The tokens of a part of a text: the rest of it is made blank, so that places stay what they are.
std::vector<Token> tokens_of(const Sources& sources, SourceRange part, Dialect dialect, Diagnostics& diagnostics) {
  const std::string_view whole = sources.text(part.file);
  std::string text(part.end, ' ');
  for (std::uint32_t k = 0; k < part.end; ++k)
    if (k >= part.begin || whole[k] == '\n') text[k] = whole[k];
  Sources scratch;
  const FileId file = scratch.add(sources.path(part.file), std::move(text));
  Diagnostics found;
  std::vector<Token> tokens = tokenize(scratch, file, dialect, found);
  for (Token& token : tokens) token.range.file = part.file;
  for (Diagnostic diagnostic : found.all()) {
    diagnostic.range.file = part.file;
    diagnostics.add(std::move(diagnostic));
  }
  return tokens;
}

}  // namespace

ExprPtr parse_fragment(const Sources& sources, SourceRange part, Dialect dialect, Diagnostics& diagnostics) {
  return Grammar(tokens_of(sources, part, dialect, diagnostics), diagnostics).single_expression();
}

}  // namespace fathom::murphi
