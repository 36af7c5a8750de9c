// Structural sanity of a Program: what every front end must deliver and every executor may rely on. For tests and
// debugging; a finding is a fault of ours, never the user's.
#pragma once

#include <string>
#include <vector>

#include "ir/program.hpp"

namespace fathom::ir {

// One sentence per finding; empty for a sound program.
std::vector<std::string> validate(const Program& program);

}  // namespace fathom::ir
