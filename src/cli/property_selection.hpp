// From the names given with --property to the properties of a program.
#pragma once

#include <string>
#include <vector>

#include "ir/program.hpp"
#include "lang/promela/load.hpp"

namespace fathom {

struct PropertySelection {
  std::vector<bool> selected;  // per Program property
  bool deadlock = true;
  bool assertions = true;
};

// No names: everything. Throws UsageError for an unknown name; a kind that the model does not state is a warning.
// `claims`: of a Promela model, else null.
PropertySelection select_properties(const ir::Program& program, const promela::Claims* claims,
                                    const std::vector<std::string>& names, std::vector<std::string>& warnings);

}  // namespace fathom
