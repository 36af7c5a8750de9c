// The automaton of a never claim: its control points are the states, its conditions the labels of the edges. A claim
// only observes, so what else a process can do is refused here.
//
// An atomic sequence of a claim is one move, all of whose conditions and assertions see the same state, as in the
// claims that Spin makes for safety formulas: atomic { (!p) -> assert(p) }.
#pragma once

#include <functional>

#include "ir/claim.hpp"
#include "lang/promela/flow_graph.hpp"

namespace fathom::promela {

// The number of a condition among the atoms of the claim.
using AtomOf = std::function<std::uint32_t(const Expr&)>;

ir::Automaton claim_automaton(const Process& process, const FlowGraph& graph, const AtomOf& atom_of,
                              Diagnostics& diagnostics);

}  // namespace fathom::promela
