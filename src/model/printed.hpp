// What an edge prints in a state: its Output with the values filled in.
#pragma once

#include <string>

#include "ir/output.hpp"
#include "model/model.hpp"

namespace fathom {

// A value that cannot be computed, because an index is out of bounds, is printed as `?`.
std::string printed(const ir::Program& program, const ir::Edge& edge, const ir::Output& output, StateView before);

}  // namespace fathom
