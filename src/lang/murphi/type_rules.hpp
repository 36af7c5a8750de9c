// When two Murphi types go together. Numbers of all ranges do; enumerations and scalarsets only with themselves and
// with unions that contain them; arrays and records with those of the same structure.
#pragma once

#include <string>

#include "ir/type.hpp"

namespace fathom::murphi {

// Equal layout and equal values, so that bits may be copied and references bound.
bool same_structure(const ir::Type& a, const ir::Type& b);

// Scalars with values in common (or both numbers), or aggregates of the same structure: they may be compared, and one
// may be assigned to the other subject to a range check at run time.
bool compatible(const ir::Type& a, const ir::Type& b);

// Every value of `inner` is a value of `outer`: no check is needed.
bool within(const ir::Type& inner, const ir::Type& outer);

// As a message names it: "the range 0..3", "the enumeration `Color`", "a number".
std::string describe_type(const ir::Type& type);

}  // namespace fathom::murphi
