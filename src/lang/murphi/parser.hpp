// Murphi text to syntax tree. The tree is complete only when no error was reported: after a mistake the parser skips
// to a place where it can go on, so that one run shows every mistake.
#pragma once

#include "lang/murphi/ast.hpp"
#include "lang/murphi/dialect.hpp"
#include "support/diagnostics.hpp"
#include "support/source.hpp"

namespace fathom::murphi {

File parse(const Sources& sources, FileId file, Dialect dialect, Diagnostics& diagnostics);

}  // namespace fathom::murphi
