// Executes a run with the interpreter and makes sure that it shows what it claims: every step is enabled when it is
// taken, and the violation is really there at the end. No trace is printed that did not pass.
//
// Liveness has no linear witness that we could check here beyond the steps: the run only leads to the state from
// which the property can no longer be fulfilled.
#pragma once

#include <string>
#include <vector>

#include "model/interpreted.hpp"
#include "trace/concrete_run.hpp"

namespace fathom {

struct Replayed {
  // The start state and the state after each step. When the run fails inside its last step (or its start), that state
  // is the one the step had reached when it failed.
  std::vector<StateBuffer> states;
  // What a trace shows as a step of its own: the edges inside a step of the run, and of those that belong together
  // (d_step) the first. One less than there are states.
  std::vector<InstanceId> steps;
  std::string fault;                     // the interpreter's message, for a fault
  std::optional<std::size_t> loop = {};  // as in the run, but a number of `steps`
};

// Throws ReplayError when the run does not show its violation. Under `stuck` a deadlock has no enabled step, otherwise
// no step that leads to another state.
Replayed replay(const ConcreteRun& run, InterpretedModel& model, DeadlockMode deadlock);

}  // namespace fathom
