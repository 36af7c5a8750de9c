// Slicing: variables that nothing depends on are left out of the program.
//
// A variable is read where a condition, an assertion, a message, an index, an argument of `run`, a `provided`, a claim
// or a trace names it, and where the value of a variable that is read is computed from it. The others are only written;
// writing them does nothing any more, and a receive into one drops what it gets. A variable stays if an assignment to
// it could fail or do something else (a division, an index that is no constant, `run`, a look at a channel), and so do
// channel variables, hidden ones and parameters.
#pragma once

#include <set>

#include "lang/promela/ast.hpp"

namespace fathom::promela {

// `claims`: properties of runs are wanted.
std::set<const Variable*> unread_variables(const ParsedModel& model, bool claims);

}  // namespace fathom::promela
