// Expressions that stand outside a model and are asked of its states, such as those of a person who simulates it. The
// model is loaded once more with a rule of its own for the expression; the states of that program are the model's.
#pragma once

#include <memory>

#include "lang/murphi/lower.hpp"

namespace fathom::murphi {

// Whether the expression is the guard of the rule, or is written by it with `put`.
enum class Asked : std::uint8_t { condition, value };

// `text` is a file of its own in `sources`, which must outlive the program; the rule is the program's last edge. Null
// after a mistake, which is reported.
std::unique_ptr<ir::Program> load_question(const Sources& sources, FileId model, FileId text, Asked asked,
                                           const Options& options, Diagnostics& diagnostics);

}  // namespace fathom::murphi
