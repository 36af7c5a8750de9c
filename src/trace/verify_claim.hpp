// Makes sure that a replayed run violates its claim: the atoms are evaluated once more by the interpreter, and a run
// that goes round for ever must really come back to where it was.
#pragma once

#include <vector>

#include "model/interpreted.hpp"
#include "trace/concrete_run.hpp"

namespace fathom {

// `states`: the start state and the state after each step of the run. Throws ReplayError.
void verify_claim(const ConcreteRun& run, const std::vector<StateBuffer>& states, InterpretedModel& model);

}  // namespace fathom
