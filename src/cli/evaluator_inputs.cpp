#include "cli/evaluator_inputs.hpp"

#include <fmt/format.h>

#include <map>

#include "cli/question.hpp"
#include "cli/saved_run.hpp"
#include "cli/usage_error.hpp"
#include "ir/layout.hpp"
#include "lang/murphi/load_question.hpp"
#include "state/bits.h"
#include "state/leaves.hpp"

namespace fathom {

EvaluatorInputs::Asked ModelEvaluatorInputs::expression(const std::string& text) {
  return model_.promela != nullptr ? ask_promela(text) : ask_murphi(text);
}

EvaluatorInputs::Asked ModelEvaluatorInputs::ask_promela(const std::string& text) {
  Loaded& loaded = loaded_.emplace_back();
  Diagnostics found;
  std::uint32_t begin = 0;
  loaded.program = model_.promela->ask(text, loaded.sources, begin, found);
  if (loaded.program == nullptr) throw UsageError(first_mistake(found, text, begin));
  ir::lay_out_like(*loaded.program, *model_.program);
  if (loaded.program->state_bits != model_.program->state_bits)
    throw UsageError(fmt::format("the expression `{}` would change what a state is", text));
  const ir::Property& question = *loaded.program->properties.back();
  return {loaded.program.get(), question.condition, &question.routine};
}

// The expression is what the last rule prints: a value, or a place.
EvaluatorInputs::Asked ModelEvaluatorInputs::ask_murphi(const std::string& text) {
  Loaded& loaded = loaded_.emplace_back();
  const FileId file = loaded.sources.add(model_.program->name, std::string(model_.sources.text(FileId{0})));
  const FileId asked = loaded.sources.add("expression", text);
  const murphi::Options settings{options_.dialect, options_.constants, options_.loop_limit};
  Diagnostics found;
  loaded.program = murphi::load_question(loaded.sources, file, asked, murphi::Asked::value, settings, found);
  if (loaded.program == nullptr) throw UsageError(first_mistake(found, text, 0));
  const ir::Edge& rule = *loaded.program->edges().back();
  const ir::Stmt& put = *rule.routine.body.back();
  if (put.value != nullptr) return {loaded.program.get(), put.value, &rule.routine};
  if (!put.place->type->is_scalar()) throw UsageError(fmt::format("`{}` is neither a number nor a condition", text));
  loaded.read.kind = ir::Expr::Kind::read_or_undefined;
  loaded.read.type = put.place->type;
  loaded.read.place = put.place;
  return {loaded.program.get(), &loaded.read, &rule.routine};
}

StateBuffer ModelEvaluatorInputs::last_state(const std::string& path) {
  const SavedTrace saved = load_saved_trace(path);
  std::map<std::string, std::string> values(saved.trace.start.state.begin(), saved.trace.start.state.end());
  for (const TraceStep& step : saved.trace.steps)
    for (const LeafChange& change : step.changes) {
      values.erase(change.variable);
      if (change.after) values[change.variable] = *change.after;
    }
  StateBuffer state(std::max(1U, (model_.program->state_bits + 63) / 64));
  const Leaves leaves(*model_.program);
  for (const auto& [name, value] : values)
    if (!leaves.write(name, value, state))
      throw UsageError(
          fmt::format("the trace in `{}` is not one of this model: it has `{}` with the value {}", path, name, value));
  return state;
}

}  // namespace fathom
