// Formulas that cannot tell how often a state is repeated. Partial order reduction and the merging of steps preserve
// only these.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/claim.hpp"

namespace fathom::ltl {

// Without `next` a formula is insensitive to stuttering (Lamport 1983).
bool is_stutter_invariant_syntactically(const ir::Ltl& formula);

// The same for any formula, decided on automata: no word may come by repeating letters both from one that satisfies the
// formula and from one that does not (after Michaud and Duret-Lutz, SPIN 2015). Where deciding would be too expensive
// the answer is no.
bool is_stutter_invariant(const ir::Ltl& formula, std::uint32_t atoms);

// The same for an automaton, where it can be shown by a simulation; otherwise the answer is no. `acceptance`: an atom;
// where it holds every state of the automaton is accepting.
bool is_stutter_invariant(const ir::Automaton& automaton, std::optional<std::uint32_t> acceptance);

// All combinations of the given atoms.
std::vector<std::uint64_t> subsets_of(std::uint64_t atoms);

}  // namespace fathom::ltl
