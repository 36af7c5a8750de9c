// Numbers by which another tool calls the statements of a model, for reading what that tool wrote.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/source.hpp"

namespace fathom::ir {

struct NumberedStatement {
  std::string process;  // the name of its process type
  std::string text;     // as edges are called; empty: any statement that was made of the range
  SourceRange range;
  std::uint32_t number = 0;
};
using NumberedStatements = std::vector<NumberedStatement>;

}  // namespace fathom::ir
