// Formulas as they are written. What is printed reads back as the same formula.
#pragma once

#include <string>

#include "property/mu/formula.hpp"

namespace fathom::mu {

std::string to_text(const Formula& formula);
std::string to_text(const Regular& steps);
std::string to_text(const Action& action);

}  // namespace fathom::mu
