#include "lang/murphi/load_question.hpp"

#include "lang/murphi/grammar.hpp"
#include "lang/murphi/lexer.hpp"
#include "lang/murphi/parser.hpp"

namespace fathom::murphi {

std::unique_ptr<ir::Program> load_question(const Sources& sources, FileId model, FileId text, Asked asked,
                                           const Options& options, Diagnostics& diagnostics) {
  File syntax = parse(sources, model, options.dialect, diagnostics);
  ExprPtr expression = Grammar(tokenize(sources, text, options.dialect, diagnostics), diagnostics).single_expression();
  if (expression == nullptr || diagnostics.failed()) return nullptr;
  auto rule = std::make_unique<RuleItem>();
  rule->range = expression->range;
  if (asked == Asked::condition) {
    rule->guard = std::move(expression);
  } else {
    auto put = std::make_unique<Stmt>();
    put->kind = Stmt::Kind::put;
    put->range = expression->range;
    put->a = std::move(expression);
    rule->body.push_back(std::move(put));
  }
  syntax.items.emplace_back().kind = Item::Kind::rule;
  syntax.items.back().rule = std::move(rule);
  return lower(syntax, sources, model, options, diagnostics);
}

}  // namespace fathom::murphi
