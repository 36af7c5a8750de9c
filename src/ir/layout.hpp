// Where the parts of a state lie, computed anew after the sizes of scalar types have changed.
#pragma once

#include "ir/program.hpp"

namespace fathom::ir {

// Gives aggregates and variables the sizes and offsets that follow from their scalars.
void lay_out(Program& program);

// Gives the machine types of a program's variables the sizes they have in another program with the same variables.
void lay_out_like(Program& program, const Program& other);

}  // namespace fathom::ir
