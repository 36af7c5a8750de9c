// The automaton of the runs that violate a claim: for a formula that of its negation, for a never claim the claim
// itself. What the labels of processes ask for is expressed the same way, so that one kind of search serves all.
#pragma once

#include "ir/claim.hpp"

namespace fathom {

// Throws ltl::LimitError when the automaton of a formula would be too large.
ir::Automaton bad_runs(const ir::Claim& claim);

// The automaton of one state that reads everything and accepts nothing of its own: which states of the model are
// accepting is for others to say.
ir::Automaton all_runs();

// Whether a run that ends is taken to stay in its last state for ever. Formulas and claims read it so; a cycle without
// progress or through an accept label has to be a real one.
bool stutters(const ir::Claim& claim);

}  // namespace fathom
