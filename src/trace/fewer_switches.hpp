// Puts the steps of each agent together. A run that a search found jumps from one agent to another as the search came
// upon them; most of these jumps mean nothing, and a reader looks for a reason in each. Steps are moved up to the
// agent's previous one wherever the run still shows the violation at its end, so its length stays the same.
#pragma once

#include <functional>
#include <string>

#include "model/interpreted.hpp"
#include "search/search.hpp"
#include "trace/concrete_run.hpp"

namespace fathom {

struct SwitchRules {
  const SearchOptions& options;                       // say what a violation is
  std::function<std::string(InstanceId step)> agent;  // whose step it is
  std::uint64_t effort = 20'000;                      // steps that may be executed
};

// A run to a state or step that shows a violation; any other is returned as it is.
ConcreteRun with_fewer_switches(ConcreteRun run, InterpretedModel& model, const SwitchRules& rules);

}  // namespace fathom
