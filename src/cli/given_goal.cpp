#include "cli/given_goal.hpp"

#include <algorithm>

#include "cli/usage_error.hpp"

namespace fathom {

bool wants_goal(const CheckOptions& options) {
  return options.goal.has_value() || std::ranges::count(options.properties, "goal") > 0;
}

std::optional<SourceRange> find_goal(const CheckOptions& options, const std::vector<Annotation>& annotations,
                                     Sources& sources, Diagnostics& diagnostics) {
  if (!wants_goal(options)) return std::nullopt;
  if (!options.mu_formulas.empty() || !options.mu_files.empty())
    throw UsageError("a goal does not go with --mu: say in the formula what is to be reached");
  if (options.goal)
    return SourceRange{sources.add("--goal", *options.goal), 0, static_cast<std::uint32_t>(options.goal->size())};
  const std::optional<SourceRange> written = only_annotation(annotations, Annotation::Kind::goal, diagnostics);
  if (!written) throw UsageError("--property goal: the model names no goal; say --goal EXPR");
  return written;
}

void make_goal(ir::Program& program, std::uint32_t atom) {
  ir::Property& goal = *program.properties[atom];
  ir::Expr& missed = program.exprs.emplace_back();
  missed.kind = ir::Expr::Kind::logical_not;
  missed.type = goal.condition->type;
  missed.range = goal.condition->range;
  missed.a = goal.condition;
  goal.kind = ir::Property::Kind::invariant;
  goal.name = goal_invariant;
  goal.condition = &missed;
}

std::optional<std::uint32_t> goal_of(const ir::Program& program) {
  for (std::uint32_t k = 0; k < program.properties.size(); ++k)
    if (program.properties[k]->kind == ir::Property::Kind::invariant && program.properties[k]->name == goal_invariant)
      return k;
  return std::nullopt;
}

}  // namespace fathom
