// A Promela tree as text, for tests and for looking at what the parser made: one line per statement, every expression
// fully parenthesised, names as declared.
#pragma once

#include <string>

#include "lang/promela/ast.hpp"

namespace fathom::promela {

std::string print(const ParsedModel& model);
std::string print(const Expr& expression);
std::string print(const Ltl& formula);

}  // namespace fathom::promela
