// A run of an optimised program, shown as a run of the model as it is written: the same edges, executed by the program
// without optimisation. So traces have the values of all variables, also of those that nobody asks for any more or that
// were left out, and every run that is shown is one of the plain semantics, whatever the optimisation did.
#pragma once

#include "trace/execution.hpp"

namespace fathom {

// `record` is a run from `start` on of a program that has the same edges as `written`. Throws ReplayError where the
// model as it is written cannot do the same.
Replayed as_written(const Replayed& record, InstanceId start, InterpretedModel& written, const ir::Outputs* outputs);

}  // namespace fathom
