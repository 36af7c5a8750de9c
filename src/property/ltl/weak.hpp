// The smallest deterministic automaton for a property that has a weak one (an obligation: safety, guarantee, and what
// can be combined of them), after Dax, Eisinger and Klaedtke (ATVA 2007) and Löding (IPL 2001).
#pragma once

#include <optional>

#include "property/ltl/generalised.hpp"

namespace fathom::ltl {

// Both automata have acceptance on states; the second accepts what the first does not. The result has acceptance on
// states, too. There is none if the property is no obligation or if finding it would be expensive.
std::optional<Generalised> minimal_weak(const Generalised& accepting, const Generalised& rejecting);

}  // namespace fathom::ltl
