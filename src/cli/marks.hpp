// What the command line says about marks and agents (--mark, --flows, --agents), resolved against a model.
#pragma once

#include <memory>

#include "analysis/agents.hpp"
#include "cli/model_file.hpp"
#include "cli/options.hpp"
#include "search/guidance_of_program.hpp"
#include "support/source.hpp"

namespace fathom {

struct Marking {
  Sources sources;                          // the texts that marks come from, and the model's, for their conditions
  std::unique_ptr<ir::Program> conditions;  // where the conditions of marks are guards; null when there are none
  std::vector<std::unique_ptr<ir::Program>> questions;  // of a Promela model: where they are properties
  RuleMarks marks;
  std::vector<std::string> warnings;

  Marking() = default;
  Marking(const Marking&) = delete;  // the program points at the sources
  Marking& operator=(const Marking&) = delete;
};

// Marks the rules that were asked for; `automatically` also those that the selected properties suggest. `promela` is
// the model if it is one of Promela and may have conditions. Throws UsageError when a mark names no rule of the model
// or has a wrong condition, or when a flow file is wrong.
void read_marks(const ir::Program& program, const LoadedModel* promela, const CheckOptions& options,
                const std::vector<bool>& selected, bool automatically, Marking& marking);

// Throws UsageError when --agents names no suitable type.
Agents choose_agents(const ir::Program& program, const CheckOptions& options);
// Those of --agents, for traces; nothing where it was not given.
std::optional<Agents> named_agents(const ir::Program& program, const CheckOptions& options);

}  // namespace fathom
