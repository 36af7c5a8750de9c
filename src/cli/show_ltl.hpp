// `fathom ltl FORMULA`: the Büchi automaton of a formula, without a model.
#pragma once

#include <string>
#include <vector>

namespace fathom {

// The arguments behind the command. Throws UsageError for what is no formula.
std::string show_ltl(const std::vector<std::string>& arguments);

}  // namespace fathom
