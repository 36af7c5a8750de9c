// What a mark can name in a Promela model: a statement as traces show it (`*` stands for any text), a proctype or one
// process, the statements of a line, or the steps from a label.
//
//   "ch!0"   "x = *"   Sender   Sender[1]   line 12   Sender@critical   Sender[1]@critical
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/program.hpp"

namespace fathom {

struct PromelaMark {
  std::uint32_t edge = 0;
  std::string condition;  // an expression of the model; empty: always
};

// The edges that are meant, none for an unknown name. In the condition `_pid` is the process whose step it is; a label
// adds to it that the process is there.
std::vector<PromelaMark> promela_marks(const ir::Program& program, std::string_view name, std::string_view condition);

// Everything that can be named, for a message about a name that cannot.
std::vector<std::string> promela_mark_names(const ir::Program& program);

}  // namespace fathom
