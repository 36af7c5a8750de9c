// From LTL to Büchi automata. The automaton accepts exactly the infinite words that satisfy the formula; who looks for
// violations negates first. Acceptance is on states, each edge carries one cube, and the automaton is small: the
// formula is simplified, its tableau has acceptance on edges, and what comes of it is reduced by simulation.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/claim.hpp"
#include "property/ltl/formula.hpp"
#include "property/ltl/generalised.hpp"

namespace fathom::ltl {

struct TranslateOptions {
  std::uint32_t max_states = 100'000;  // of the tableau
};

// `atoms` is the number of atoms of the claim, at most ir::max_atoms. Throws LimitError for a formula that is beyond
// the limits: nested too deeply, too many untils, or a tableau that grows too large.
ir::Automaton translate(const ir::Ltl& formula, std::uint32_t atoms, TranslateOptions options = {});

// How much of acceptance has to be looked at. In a terminal automaton an accepting state accepts whatever comes; in a
// weak one, a circle with one accepting state has accepting states only.
enum class Strength : std::uint8_t { terminal, weak, general };
Strength strength_of(const ir::Automaton& automaton);
// Of each strongly connected component, for each state: what a search has to look at once it is there.
std::vector<Strength> strength_of_states(const ir::Automaton& automaton);
// The strongly connected component of a state.
struct Part {
  std::uint32_t number = 0;
  bool may_accept = false;  // a run can stay in it and be accepted
  bool all_accept = false;  // each of its states is accepting
};
// Of each state.
std::vector<Part> parts_of(const ir::Automaton& automaton);

// The Büchi automaton for any automaton with marks on edges, reduced and with names in Spin's manner.
ir::Automaton finished(const Generalised& automaton);

// The way back: one mark, on all edges of accepting states. Ends of never claims become states that accept everything.
Generalised generalised_from(const ir::Automaton& automaton);

}  // namespace fathom::ltl
