// One file of Promela text to tokens, before the preprocessor has seen them: directives are ordinary tokens that start
// with a `#` that is first on its line. Comments and continued lines are gone. What cannot be a token becomes one of
// kind `invalid`, since it may stand in text that a conditional leaves out.
#pragma once

#include <vector>

#include "lang/promela/token.hpp"
#include "support/diagnostics.hpp"
#include "support/source.hpp"

namespace fathom::promela {

// The list ends with end_of_file.
std::vector<Token> tokenize(const Sources& sources, FileId file, Diagnostics& diagnostics);

// The tokens of a piece of text that the preprocessor made by `##`; all of them point at `place`.
std::vector<Token> tokenize_pasted(std::string_view text, const Token& place);

}  // namespace fathom::promela
