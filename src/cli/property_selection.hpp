// From the names given with --property to the properties of a program.
#pragma once

#include <string>
#include <vector>

#include "ir/program.hpp"

namespace fathom {

struct PropertySelection {
  std::vector<bool> selected;  // per Program property
  bool deadlock = true;
};

// No names: everything. Throws UsageError for an unknown name; a kind that the model does not state is a warning.
PropertySelection select_properties(const ir::Program& program, const std::vector<std::string>& names,
                                    std::vector<std::string>& warnings);

}  // namespace fathom
