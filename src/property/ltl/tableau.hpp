// From a formula to a Büchi automaton with marks on edges, by expansion of sets of formulas on the fly (Couvreur, FM
// 1999), with the acceptance and the pruning of edges of Gastin and Oddoux (CAV 2001).
#pragma once

#include "property/ltl/formula.hpp"
#include "property/ltl/generalised.hpp"

namespace fathom::ltl {

// Throws LimitError past `max_states` states or when the work grows out of hand before that.
Generalised tableau(Formulas& formulas, Formula formula, std::uint32_t max_states);

}  // namespace fathom::ltl
