#include "lang/murphi/parser.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lang/murphi/grammar.hpp"
#include "lang/murphi/lexer.hpp"

namespace fathom::murphi {

using enum TokenKind;

File parse(const Sources& sources, FileId file, Dialect dialect, Diagnostics& diagnostics) {
  auto tokens = tokenize(sources, file, dialect, diagnostics);
  // Text with this many bad characters is no model; what the grammar says of the rest would not help.
  if (diagnostics.errors() >= Diagnostics::limit) return {};
  const bool beyond_signed = std::ranges::any_of(tokens, [](const Token& token) { return token.value >> 63 != 0; });
  File result = Grammar(std::move(tokens), diagnostics).file();
  result.beyond_signed = beyond_signed;
  return result;
}

Grammar::Nesting::Nesting(Grammar& grammar) : grammar_(grammar) {
  if (grammar_.depth_ == max_depth) grammar_.abandon("F017", grammar_.here(), "this is nested too deeply");
  ++grammar_.depth_;
}

Grammar::Block::Block(Grammar& grammar, std::string_view word, SourceRange opening) : grammar_(grammar) {
  grammar_.open_.push_back({word, opening});
}

// Accepts `end` and the block's own `endX`. Another block's `endX` closes nothing here: if that block is open around
// us, our `end` is missing and theirs stays for them.
void Grammar::Block::close() {
  const Token& token = grammar_.peek();
  const std::string word = lower_case(token.text);
  const auto& block = grammar_.open_.back();
  if (token.kind != kw_end) return complain();
  if (word == "end" || word.substr(3) == block.word) {
    grammar_.advance();
    return;
  }
  complain();
  const auto closes = [&](const OpenBlock& open) { return open.word == word.substr(3); };
  if (std::ranges::none_of(grammar_.open_, closes)) grammar_.advance();
}

void Grammar::Block::complain() {
  const auto& block = grammar_.open_.back();
  auto& error = grammar_.report("F012", grammar_.here(),
                                fmt::format("expected `end` to close `{}`, found {}", block.word, grammar_.found()));
  error.notes.push_back({block.opening, fmt::format("the `{}` that is still open", block.word)});
  error.help = grammar_.suggestion({kw_end});
}

Name Grammar::name() {
  if (!at_word()) fail_expecting("a name");
  const Token& token = advance();
  return {token.text, token.range};
}

std::string Grammar::string() {
  return expect(TokenKind::string).text;
}

void Grammar::skip_semicolons() {
  while (accept(semicolon)) {
  }
}

// `i: T; j := 0 to 3` up to and including `closing`.
std::vector<Quantifier> Grammar::quantifiers(TokenKind closing) {
  std::vector<Quantifier> result;
  header(closing, [&] {
    do {
      result.push_back(quantifier());
      skip_semicolons();
    } while (at_name());
  });
  return result;
}

Quantifier Grammar::quantifier() {
  Quantifier result;
  result.name = name();
  if (accept(assign)) {
    result.from = expression();
    expect(kw_to);
    result.to = expression();
    if (accept(kw_by)) result.step = expression();
  } else {
    if (!accept(colon)) fail_expecting("`:` or `:=`");
    // `a[i]` or `a.b` names a multiset, unless it turns out to be the lower end of a range.
    const bool longer = at_word() && (peek(1).kind == dot || peek(1).kind == left_bracket);
    if (!longer) {
      result.type = type();
    } else if (auto set = expression(); at(range_dots)) {
      result.type = range_type(std::move(set));
    } else {
      result.set = std::move(set);
    }
  }
  result.range = range_from(result.name.range);
  return result;
}

std::vector<AliasBinding> Grammar::alias_bindings() {
  std::vector<AliasBinding> result;
  header(kw_do, [&] {
    do {
      result.push_back(alias_binding());
      skip_semicolons();
    } while (at_name());
  });
  return result;
}

AliasBinding Grammar::alias_binding() {
  AliasBinding result;
  result.name = name();
  expect(colon);
  result.target = expression();
  return result;
}

}  // namespace fathom::murphi
