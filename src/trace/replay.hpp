// Executes a run with the interpreter and makes sure that it shows what it claims: every step is enabled when it is
// taken, and the violation is really there at the end. No trace is printed that did not pass.
//
// Liveness has no linear witness that we could check here beyond the steps: the run only leads to the state from
// which the property can no longer be fulfilled.
#pragma once

#include "model/interpreted.hpp"
#include "trace/concrete_run.hpp"
#include "trace/execution.hpp"

namespace fathom {

// Throws ReplayError when the run does not show its violation. Under `stuck` a deadlock has no enabled step, otherwise
// no step that leads to another state.
Replayed replay(const ConcreteRun& run, InterpretedModel& model, DeadlockMode deadlock,
                const ir::Outputs* outputs = nullptr);

}  // namespace fathom
