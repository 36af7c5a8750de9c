// What decides a formula of the μ-calculus, as an Aldebaran file: for mCRL2, CADP and others to look at.
#pragma once

#include <string>

#include "property/structure.hpp"

namespace fathom {

// Throws UsageError where the file cannot be written.
void write_proof_file(const std::string& path, FiniteStructure structure);

}  // namespace fathom
