// The automaton for an LTL formula behind a path quantifier.
#pragma once

#include "property/mu/formula.hpp"

namespace fathom::mu {

// A Büchi automaton that accepts the runs a formula of kind `runs` is about: those of which its LTL formula holds, or,
// if it is about every run, those of which it does not. Its atoms are the conditions of the formula. Throws
// ltl::LimitError.
ir::Automaton automaton_of_runs(const Formula& formula);

}  // namespace fathom::mu
