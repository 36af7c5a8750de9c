// What of a process the rest of a model and its properties can see: the optimisations leave it alone.
#pragma once

#include <set>

#include "lang/promela/ast.hpp"
#include "lang/promela/unread_variables.hpp"

namespace fathom::promela {

struct Visibility {
  std::set<const Label*> labels;        // named by `P@label`
  std::set<const Variable*> variables;  // named by `P:x`
  bool marks = false;                   // accept and progress labels are asked for
  // How many steps a process takes, or that it stands where it does, makes a difference: `X` in a formula, a never
  // claim (which moves with every step), priorities, `_last`, `enabled`, `pc_value`, and a choice that asks whether a
  // rendezvous is possible, because an `else` or an escape of `unless` stands beside it.
  bool steps = false;
  UnreadVariables unread;
  bool everything = false;  // there is C code, which can look at whatever it likes
};

// `claims`: properties of runs are wanted. `slice`: variables that are only written are to be left out.
Visibility visibility(const ParsedModel& model, bool claims, bool slice);

// Claims, traces and notraces are none.
bool is_process(const Process& process);

// A variable of a process that nothing else can see, and that lasts from one step to the next.
bool is_own(const Variable& variable, const Visibility& seen);

// An assignment that writes what nobody reads, and cannot fail.
bool does_nothing(const Stmt& statement, const Visibility& seen);

// It depends on nothing but such variables, and on what is fixed while its process lives.
bool depends_on_own(const Expr& expression, const Visibility& seen);

}  // namespace fathom::promela
