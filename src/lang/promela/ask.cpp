// Expressions from outside the model, such as those of a person who simulates it. The model is read once more with the
// expression behind it, so that all its names and macros are known, and lowered for the same plan of processes.
#include <algorithm>

#include "lang/promela/grammar.hpp"
#include "lang/promela/load.hpp"

namespace fathom::promela {

namespace {

// The tokens of the text from `begin` on, and an end_of_file behind those before it.
std::vector<Token> split_off(std::vector<Token>& tokens, FileId file, std::uint32_t begin) {
  const auto first = std::ranges::find_if(tokens, [&](const Token& token) {
    return token.kind == TokenKind::end_of_file || (token.range.file == file && token.range.begin >= begin);
  });
  std::vector<Token> rest(first, tokens.end());
  Token end = tokens.back();
  end.range = {file, begin, begin};
  tokens.erase(first, tokens.end());
  tokens.push_back(std::move(end));
  return rest;
}

// The same processes of another tree of the same model.
Plan carried_over(const Plan& plan, const ParsedModel& from, const ParsedModel& to) {
  Plan result = plan;
  for (PlannedProcess& each : result) {
    const auto found = std::ranges::find_if(from.processes, [&](const auto& p) { return p.get() == each.process; });
    each.process = to.processes[static_cast<std::size_t>(found - from.processes.begin())].get();
  }
  return result;
}

}  // namespace

ExprPtr Grammar::question(std::vector<Token> tokens) {
  enter(std::move(tokens));
  ExprPtr result;
  try {
    result = expression();
    if (!at_end_of_file()) fail_expecting("the end of the expression");
    resolve_remotes();
  } catch (const Recovery&) {
    result.reset();
  }
  leave();
  return result;
}

std::unique_ptr<ir::Program> Model::ask(const std::string& text, Sources& sources, std::uint32_t& begin,
                                        Diagnostics& diagnostics) const {
  const std::string model(sources_.text(file_));
  begin = static_cast<std::uint32_t>(model.size() + 1);
  const FileId file = sources.add(sources_.path(file_), model + "\n" + text);
  ParsedModel tree;
  std::vector<Token> tokens = preprocess(sources, file, options_, tree.origins, diagnostics);
  std::vector<Token> asked = split_off(tokens, file, begin);
  Grammar grammar(std::move(tokens), tree, diagnostics);
  grammar.model();
  const ExprPtr question = diagnostics.failed() ? nullptr : grammar.question(std::move(asked));
  if (question == nullptr || diagnostics.failed()) return nullptr;
  const Plan plan = carried_over(plan_, *tree_, tree);
  return lower_with_question(tree, *question, plan, lowering_, sources, file, diagnostics);
}

}  // namespace fathom::promela
