// A labelled transition system as a model: one component whose locations are the states, with an edge for each
// transition. It states nothing, so what is checked is that no state is without transitions.
#pragma once

#include <memory>

#include "ir/program.hpp"
#include "support/diagnostics.hpp"

namespace fathom::aut {

// Null when the file is rejected. `sources` must outlive the program.
std::unique_ptr<ir::Program> load(const Sources& sources, FileId file, Diagnostics& diagnostics);

}  // namespace fathom::aut
