// Which steps a set of steps has in it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "property/mu/formula.hpp"
#include "property/structure.hpp"

namespace fathom::mu {

bool has_step(const Action& set, const StepLabel& step);

// Whether a name, in which `*` stands for any text and `\*` for a star if it is quoted, is that of a step.
bool names(const Action& named, std::string_view step);

// The sets of steps in the modalities of a formula that name steps, each where it was written.
std::vector<const Action*> named_actions(const Formula& formula);

}  // namespace fathom::mu
