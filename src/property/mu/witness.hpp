// How a formula was decided: the winner's choices in the game. Where they leave the loser nothing to choose, the play
// is a single run of the structure, which may go round for ever; otherwise it takes a part of the structure to show it.
#pragma once

#include <optional>
#include <vector>

#include "property/mu/solve.hpp"

namespace fathom::mu {

// A run: a step leads from each state to the next. `loop`: from the last state it goes on as from this one, which is
// the same.
struct LinearWitness {
  std::vector<Structure::State> states;
  std::vector<std::uint32_t> labels;
  std::optional<std::size_t> loop;
};

// Of a solved game whose answer is not `unknown`. Nothing: the loser has a choice somewhere.
std::optional<LinearWitness> linear_witness(Solver& solver);

// The states and steps that the winner's choices and all those of the loser lead through, the start state first.
FiniteStructure proof_structure(Solver& solver);

}  // namespace fathom::mu
