// What a step prints when somebody is watching, such as Promela's printf. It is no part of the program: searches never
// see it, and it cannot change a state or fail.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "ir/program.hpp"

namespace fathom::ir {

struct Output {
  struct Argument {
    const Expr* value = nullptr;
    const Type* type = nullptr;  // whose names %e prints
  };
  std::string format;  // as written: conversions and escapes are still in it
  std::vector<Argument> arguments;
};

// By edge. The values are code of the edge's own routine, evaluated in the state before the step.
using Outputs = std::unordered_map<const Edge*, Output>;

}  // namespace fathom::ir
