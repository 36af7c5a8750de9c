// Which scalarsets of a program may be permuted without changing what it does. Murphi's type rules allow little more
// than assignment, equality and indexing of scalarset values; what is left to check are the ways in which a program can
// still single an element out. The conditions are in docs/reductions.md.
#pragma once

#include <vector>

#include "ir/program.hpp"
#include "support/diagnostics.hpp"

namespace fathom {

struct SymmetryAnalysis {
  std::vector<const ir::Type*> safe;
  std::vector<Diagnostic> warnings;  // why others are not; F300 to F304
};

SymmetryAnalysis analyse_symmetry(const ir::Program& program);

}  // namespace fathom
