// From many marks on edges to accepting states.
#pragma once

#include <span>

#include "property/ltl/generalised.hpp"

namespace fathom::ltl {

// An automaton with acceptance on states (Acceptance::on_states) and the same language. `order` is the order in which
// the marks are waited for; it can make a difference in size. Throws LimitError for a result of
// millions of states.
Generalised degeneralised(const Generalised& automaton, std::span<const std::uint32_t> order);

}  // namespace fathom::ltl
