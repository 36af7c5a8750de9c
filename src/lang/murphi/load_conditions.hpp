// Conditions on rules that stand outside the model, such as those of marks: expressions in the model's language that
// may use its names and the parameters of a rule.
//
// The model is loaded once more with a rule of its own for every condition, beside the rule it is about and so inside
// the same rulesets and aliases. Its guard is the condition, and the state of this program is that of the model.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "lang/murphi/lower.hpp"

namespace fathom::murphi {

struct RuleCondition {
  std::uint32_t edge = 0;  // of the rule, in the model
  SourceRange text;
};

struct LoadedConditions {
  std::unique_ptr<ir::Program> program;  // null when a condition is wrong
  std::vector<std::uint32_t> edges;      // per condition: the edge of this program that it guards
};

// `model` is the file of a model that loads without errors; `sources` must outlive the program.
LoadedConditions load_conditions(const Sources& sources, FileId model, const Options& options,
                                 std::span<const RuleCondition> conditions, Diagnostics& diagnostics);

}  // namespace fathom::murphi
