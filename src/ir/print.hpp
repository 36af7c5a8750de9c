// A readable listing of a Program. It is meant for eyes, not for reading back. print.cpp has the network,
// print_code.cpp expressions and statements.
#pragma once

#include <cstddef>
#include <string>

#include "ir/program.hpp"

namespace fathom::ir {

std::string print(const Program& program);
std::string print(const Expr& expr);
std::string print(const Block& block, const Program& program, std::size_t indent);

// The definition: "array [NODE] of 0..3".
std::string print(const Type& type);
// The declared name, or the definition of an anonymous type.
std::string type_name(const Type& type);

}  // namespace fathom::ir
