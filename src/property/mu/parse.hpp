// Reads a formula of the μ-calculus. From the loosest to the tightest:
//
//   mu X. f   nu X. f   forall i: 0..3. f   exists n: NODE. f      as far to the right as possible
//   <->  ->                      right to left
//   ||   &&                      left to right
//   !f   <R>f   [R]f   EX EF EG AX AF AG f
//   E[f U g]   A[f U g]   E(ltl)   A(ltl)   (f)   true   false   X
//
// Everything else is a condition on the state, in the model's language. { … } holds any condition; without braces one
// goes on to the next `&&`, `||`, `->`, `<->` or closing sign outside its own parentheses and brackets. `!` before such
// a condition belongs to it. Behind E( or A( stands a formula of LTL, see ltl/parse.hpp.
//
// In a modality, R is made of sets of steps: `Rule`, `Rule(1,_)`, `"any text, * for any part"`, `true`, `false`, `_`,
// `!a` (all others), `a & b`, `a | b`; and of sequences: `R . S`, `R | S`, `R*`, `R+`.
#pragma once

#include <string_view>

#include "property/ltl/parse.hpp"
#include "property/mu/formula.hpp"

namespace fathom::mu {

using ParseError = ltl::ParseError;

// Throws ParseError for what is no formula: also for one in which a fixpoint's variable stands under an odd number of
// negations, which would have no meaning.
FormulaPtr parse(std::string_view text);

}  // namespace fathom::mu
