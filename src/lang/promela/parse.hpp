// A Promela model from its text to a checked tree.
#pragma once

#include <memory>

#include "lang/promela/ast.hpp"
#include "lang/promela/preprocessor.hpp"
#include "support/diagnostics.hpp"

namespace fathom::promela {

// Null when the model is rejected. Included files are added to `sources`.
std::unique_ptr<ParsedModel> parse(Sources& sources, FileId file, const Options& options, Diagnostics& diagnostics);

}  // namespace fathom::promela
