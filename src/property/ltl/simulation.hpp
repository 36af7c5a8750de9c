// Simulation between the states of an automaton and what it allows to merge and to leave out (Etessami, Wilke and
// Schuller, ICALP 2001; Babiak, Badie, Duret-Lutz, Křetínský and Strejček, SPIN 2013 for marks on edges).
#pragma once

#include "property/ltl/generalised.hpp"

namespace fathom::ltl {

// Smaller automata of the same language. Automata with very many edges are left as they are.
Generalised simulation_reduced(const Generalised& automaton, Acceptance acceptance);

// Narrows edges: a letter for which a better edge of the same state exists is taken out of the condition where that
// costs no further cube.
void prefer_better_edges(Generalised& automaton);

}  // namespace fathom::ltl
