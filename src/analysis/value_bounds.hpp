// Bounds of all values that the variables of a program ever have, found before anything is executed: an interpretation
// with intervals (Cousot and Cousot 1977) of the edges until nothing changes any more. A variable that only the steps
// of one component write has bounds for each location of the component, so what a guard has made sure of lasts until
// the variable is written again; of other variables there are bounds for all states together.
#pragma once

#include <map>
#include <optional>

#include "analysis/interval.hpp"

namespace fathom {

// By the machine types of the variables: of all variables of the type together. Nothing where a program contains what
// is not understood, and is not modelled by machine integers in the first place.
std::optional<std::map<const ir::Type*, Interval>> value_bounds(const ir::Program& program);

}  // namespace fathom
