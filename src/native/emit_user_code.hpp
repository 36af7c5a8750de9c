// Writes the C code that a model brings along as one translation unit: the user's own text, and around it functions
// that take the objects it speaks of out of a packed state and put them back.
#pragma once

#include <string>
#include <vector>

#include "ir/user_code.hpp"

namespace fathom {

// Exports one function of type ir::UserCode::Run.
inline constexpr const char* user_code_symbol = "fathom_user_code";
std::string emit_user_code(const ir::UserCode& code);

// Exports an array of uint64_t, the values of constant expressions of C.
inline constexpr const char* user_sizes_symbol = "fathom_user_sizes";
std::string emit_user_sizes(const ir::UserCode& code, const std::vector<std::string>& sizes);

}  // namespace fathom
