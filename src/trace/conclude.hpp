// The last words on a trace: why its final state or step is wrong, in lines of text.
#pragma once

#include <string>
#include <vector>

#include "trace/replay.hpp"

namespace fathom {

std::vector<std::string> conclude(const ir::Program& program, const ConcreteRun& run, const Replayed& replayed,
                                  DeadlockMode deadlock);

}  // namespace fathom
