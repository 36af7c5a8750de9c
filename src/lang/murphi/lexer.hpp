// Murphi text to tokens. Mistakes are reported and skipped, so the result is always a token list that ends with
// end_of_file.
#pragma once

#include <vector>

#include "lang/murphi/dialect.hpp"
#include "lang/murphi/token.hpp"
#include "support/diagnostics.hpp"
#include "support/source.hpp"

namespace fathom::murphi {

std::vector<Token> tokenize(const Sources& sources, FileId file, Dialect dialect, Diagnostics& diagnostics);

}  // namespace fathom::murphi
