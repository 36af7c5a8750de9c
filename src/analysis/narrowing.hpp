// Makes states smaller: a machine integer gets no more bits than the values need that it can ever have. What a program
// does stays the same, since nothing that is written to it has more.
#pragma once

#include "ir/program.hpp"

namespace fathom {

void narrow_variables(ir::Program& program);

}  // namespace fathom
