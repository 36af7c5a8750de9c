// Uses of inlines. As in Spin the text of the inline replaces its use, with the parameters replaced by the arguments'
// text; what is read then is a block with a scope of its own.
#include <fmt/format.h>

#include <algorithm>

#include "lang/promela/expressions.hpp"
#include "lang/promela/grammar.hpp"

namespace fathom::promela {

using enum TokenKind;

// `f(a, b)`, or `x = f(a, b)` where `result` is x.
void Grammar::inline_call(Stmt& out, const Expr* result) {
  const std::size_t first = index();
  const Token called = advance();
  const Inline& definition = names_.inlines.at(called.text);
  const bool recursive = std::ranges::any_of(calls_, [&](const InlineCall& call) { return call.name == called.text; });
  const auto arguments = inline_arguments(definition);
  const SourceRange use = range_from(first);
  if (recursive) {
    report("F457", use, fmt::format("inline `{}` uses itself", called.text), called.origin);
    throw Recovery{};
  }
  const OriginId origin = origins_.add({Origin::Kind::inline_body, called.text, use, definition.range, called.origin});
  auto tokens = expand_inline(definition, arguments, origin);
  inlined_tokens_ += tokens.size();
  if (inlined_tokens_ > max_inlined_tokens) abandon("F402", "the inlines expand to too much text");
  const ExprPtr place = result != nullptr ? clone(*result) : nullptr;
  calls_.push_back({called.text, place.get()});
  enter(std::move(tokens));
  const auto finish_call = [&] {
    leave();
    calls_.pop_back();
  };
  try {
    const LineBreaks breaks(*this, true);
    braced(out, Stmt::Kind::block);
  } catch (const Recovery&) {
    finish_call();
    throw;
  }
  finish_call();
  out.a.reset();
  out.inline_name = called.text;
  out.source.clear();
}

// The tokens between the commas. A wrong number is an error and the use is skipped.
std::vector<std::vector<Token>> Grammar::inline_arguments(const Inline& definition) {
  const LineBreaks breaks(*this, false);
  const std::size_t first = index() - 1;
  const OriginId origin = origin_at(first);
  advance();
  std::vector<std::vector<Token>> result;
  if (!at(right_paren)) result.emplace_back();
  for (int depth = 1; depth > 0;) {
    if (at_end_of_file()) fail_expecting("`)`");
    depth += at_any({left_paren, left_bracket}) ? 1 : at_any({right_paren, right_bracket}) ? -1 : 0;
    if (depth == 0) break;
    if (depth == 1 && accept(comma)) {
      result.emplace_back();
    } else {
      result.back().push_back(advance());
    }
  }
  advance();
  if (result.size() == definition.parameters.size()) return result;
  report("F404", range_from(first),
         fmt::format("inline `{}` takes {} argument{}, not {}", definition.name, definition.parameters.size(),
                     definition.parameters.size() == 1 ? "" : "s", result.size()),
         origin)
      .notes.push_back({definition.range, "defined here"});
  throw Recovery{};
}

// Arguments point at themselves but lie where the parameter stands, so that the range of a statement in the body is one
// piece of the body.
std::vector<Token> Grammar::expand_inline(const Inline& definition, const std::vector<std::vector<Token>>& arguments,
                                          OriginId origin) {
  std::vector<Token> result;
  for (const Token& token : definition.body) {
    const auto found =
        token.kind == identifier ? std::ranges::find(definition.parameters, token.text) : definition.parameters.end();
    if (found == definition.parameters.end()) {
      result.push_back(token);
      // A macro inside the body was used there, so the inline's use is around it.
      result.back().origin = token.origin == OriginId{} ? origin : rebased(token.origin, origin);
      continue;
    }
    const std::size_t begin = result.size();
    for (const Token& part : arguments[static_cast<std::size_t>(found - definition.parameters.begin())]) {
      result.push_back(part);
      result.back().site = token.site;
      result.back().origin = origin;
      result.back().newline_before = result.back().first_on_line = false;
    }
    if (result.size() == begin) continue;
    result[begin].newline_before = token.newline_before;
    result[begin].space_before = token.space_before;
  }
  return result;
}

// A copy of a macro's origin whose chain ends in the use of an inline. Neighbouring tokens share it.
OriginId Grammar::rebased(OriginId macro, OriginId use) {
  const auto key = std::pair(macro, use);
  if (const auto found = rebased_.find(key); found != rebased_.end()) return found->second;
  Origin copy = origins_[macro];
  copy.parent = copy.parent == OriginId{} ? use : rebased(copy.parent, use);
  return rebased_[key] = origins_.add(std::move(copy));
}

}  // namespace fathom::promela
