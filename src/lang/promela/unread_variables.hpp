// Slicing: variables that nothing depends on are left out of the program.
//
// A variable is read where a condition, an assertion, a message, an index, an argument of `run`, a `provided`, a claim
// or a trace names it, and where the value of a variable that is read is computed from it. The others are only written;
// writing them changes nothing any more, and a receive into one drops what it gets. Where an assignment could fail or
// do something else (a division, an index that is no constant, `run`, a look at a channel), its value is still computed
// and its place looked up: what these need is read, and an array with such a place stays, but is never written.
// Channel variables, hidden ones and parameters count as read.
#pragma once

#include <set>

#include "lang/promela/ast.hpp"

namespace fathom::promela {

struct UnreadVariables {
  std::set<const Variable*> all;
  std::set<const Variable*> indexed;  // those among them that keep their place
};

// `claims`: properties of runs are wanted.
UnreadVariables unread_variables(const ParsedModel& model, bool claims);

// Its value can always be computed, and that is all that happens.
bool is_harmless(const Expr& expression);

}  // namespace fathom::promela
