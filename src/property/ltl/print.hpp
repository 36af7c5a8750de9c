// Formulas and automata as Promela writes them.
#pragma once

#include <span>
#include <string>

#include "ir/claim.hpp"

namespace fathom::ltl {

// "[] (p -> <> q)". Atoms without a name in `atoms` are written a0, a1, …
std::string to_text(const ir::Ltl& formula, std::span<const std::string> atoms);

// "p && !q", "true"
std::string to_text(const ir::Cube& cube, std::span<const std::string> atoms);

// "never { … }". Names of states become labels where they can, with Spin's prefix `accept` for accepting states.
std::string never_claim(const ir::Automaton& automaton, std::span<const std::string> atoms);

}  // namespace fathom::ltl
