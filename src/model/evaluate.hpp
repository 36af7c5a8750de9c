// The value of an expression in a state, for people.
#pragma once

#include <optional>
#include <string>

#include "model/model.hpp"

namespace fathom {

struct Evaluated {
  std::optional<std::int64_t> value;  // nothing: it could not be computed
  std::string fault;                  // why
};

// `condition` of the property, which may be of any scalar type and has no parameters.
Evaluated evaluate(const ir::Program& program, const ir::Property& property, StateView state);

}  // namespace fathom
