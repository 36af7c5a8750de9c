// What went wrong, in a sentence: "index 4 is outside 0..3 in `queue[tail]`".
#pragma once

#include <string>

#include "ir/program.hpp"

namespace fathom {

// `detail` tells the values that caused it, where there are any: "index 4 is outside 0..3", "with operands 1 and 0".
std::string fault_message(const ir::Site& site, const std::string& detail);

}  // namespace fathom
