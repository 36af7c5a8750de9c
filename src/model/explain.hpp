// Why an invariant or a guard is false in a state: the smallest conjunct that fails, under which quantified values, and
// what the variables it mentions hold.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/model.hpp"

namespace fathom {

struct Explanation {
  SourceRange conjunct;                                       // the part of the condition that is false
  std::vector<std::pair<std::string, std::string>> bindings;  // quantified names and rule parameters: ("i", "NODE_1")
  std::vector<std::pair<std::string, std::string>> values;    // ("Chan2[i].Cmd", "Inv"), in order of appearance
};

Explanation explain(const ir::Program& program, const ir::Property& property, StateView state);
// Why the first edge of a step is not enabled, although its process stands before it.
Explanation explain(const ir::Program& program, InstanceId step, StateView state);
// Whether the process that has this edge is at the location where it begins.
bool stands_before(const ir::Program& program, InstanceId step, StateView state);

}  // namespace fathom
