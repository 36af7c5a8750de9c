// Whether a run that goes round for ever, or one that comes to the end of a never claim, really violates the claim.
// Told from the claim alone and the atoms along the run, without the automaton that the search used for a formula: an
// independent opinion on every trace that is shown.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/claim.hpp"

namespace fathom {

// The atoms in the states of a run; after the last state comes that with number `loop` again.
struct AtomLasso {
  std::vector<std::uint64_t> atoms;
  std::size_t loop = 0;
};

// Of a claim that asks for steps with progress the states say nothing: here it counts as violated.
bool violates(const ir::Claim& claim, const AtomLasso& run);

// Whether a formula holds of a run (in its first state).
bool holds(const ir::Ltl& formula, const AtomLasso& run);

// Whether a never claim comes to its end, or to an assertion of its own that does not hold, in the last of these
// states.
bool reaches_end(const ir::Claim& claim, const std::vector<std::uint64_t>& atoms);
bool fails_assertion(const ir::Claim& claim, const std::vector<std::uint64_t>& atoms);

// Whether an automaton accepts every run that begins with states of which these atoms hold.
bool accepts_whatever_follows(const ir::Automaton& automaton, const std::vector<std::uint64_t>& atoms);

}  // namespace fathom
