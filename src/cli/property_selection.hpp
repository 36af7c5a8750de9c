// From the names given with --property to the properties of a program.
#pragma once

#include <string>
#include <vector>

#include "ir/program.hpp"

namespace fathom {

// The names of the sources that claims of the command line come from.
inline constexpr const char* command_line_formula = "--ltl";
inline constexpr const char* command_line_automaton = "--automaton";
inline constexpr const char* command_line_progress = "--progress";

struct PropertySelection {
  std::vector<bool> selected;  // per Program property
  bool deadlock = true;
  bool assertions = true;
  bool states = true;                 // some of this is wanted: properties that a search of states decides
  std::vector<std::uint32_t> claims;  // numbers of Program claims
};

// No names: everything. Throws UsageError for an unknown name; a kind that the model does not state is a warning.
PropertySelection select_properties(const ir::Program& program, const std::vector<std::string>& names,
                                    std::vector<std::string>& warnings);

}  // namespace fathom
