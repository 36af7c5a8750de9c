// From the states of a counterexample to a run. Searches keep states and not steps, and under symmetry the states are
// representatives that need not follow one another: we walk through the model from a real start state and take, at
// each state, the first step whose successor has the wanted representative. Because symmetric states have symmetric
// successors such a step exists.
//
// A canonicaliser that limits its effort may give a class several representatives. Where the walk is stuck for that
// reason, `exact` settles whether two states are in one class, at any effort.
#pragma once

#include "model/interpreted.hpp"
#include "trace/concrete_run.hpp"

namespace fathom {

// Throws ReplayError when the counterexample is not a run of the model.
ConcreteRun concretise(const Counterexample& counterexample, InterpretedModel& model,
                       Canonicaliser* canonicaliser = nullptr, Canonicaliser* exact = nullptr);

}  // namespace fathom
