#include "heuristic/user_expression.hpp"

#include <algorithm>

namespace fathom {

UserExpression::UserExpression(const EvaluatorInputs::Asked& asked, ModelFacts& facts) : code_(*asked.program, 1) {
  FormulaCompiler compiler(code_, facts.cells, facts.steps, {});
  FormulaCompiler::Scope scope{asked.routine};
  const bool condition = asked.expr->type->kind == ir::Type::Kind::boolean;
  const auto value = condition ? std::nullopt : compiler.value(*asked.expr, scope);
  code_.finish(value ? *value : compiler.distance(*asked.expr, true, scope));
}

Cost UserExpression::estimate(StateView state, const Batch&) {
  const std::int64_t value = code_.run(state.data());
  if (value == ir::undefined) return largest_estimate;
  return static_cast<Cost>(std::clamp<std::int64_t>(value, 0, largest_estimate));
}

}  // namespace fathom
