// Makes sure that a replayed run decides a formula of the μ-calculus: by the definition of the formula, on the states
// of the run with all their steps. Of where other steps lead only the atoms are known.
#pragma once

#include <vector>

#include "model/interpreted.hpp"
#include "trace/concrete_run.hpp"

namespace fathom {

// `states`: the start state and the state after each step of the run. Throws ReplayError.
void verify_formula(const ConcreteRun& run, const std::vector<StateBuffer>& states, InterpretedModel& model);

}  // namespace fathom
