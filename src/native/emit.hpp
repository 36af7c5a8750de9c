// From a Program to the C text of a native model (model_abi.h). The text depends on the ir alone, is the same for the
// same program, and holds no name or string of the model: everything is numbered.
#pragma once

#include <string>

#include "ir/program.hpp"

namespace fathom {

// Whether native code can run the program: very large locals, or large ones in recursive functions, could exhaust the
// stack before the recursion limit is reached, so such a program stays with the interpreter.
bool fits_native_stack(const ir::Program& program);

std::string emit_model(const ir::Program& program);

}  // namespace fathom
