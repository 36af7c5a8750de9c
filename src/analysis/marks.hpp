// Marks derived from properties, for `--mark auto`: rules on the way to a violation, found backwards. From a property
// we take the values that a violation needs (`cache[n].state = Exclusive`) and no start state has; the rules that write
// them are marked, and then those that write what their guards wait for. The chain ends at rules that are enabled in a
// start state: they can be taken at any time, so that marking them steers nothing. This is how Talupur and Han (2011,
// section 6) mark by hand. Where a violation also needs something that a start state has (`a line is in one cache and
// no longer in the other`), the rules that bring it back are marked, too.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/program.hpp"

namespace fathom {

struct StartFacts {
  std::vector<std::vector<std::uint64_t>> states;  // some start states, packed
  std::vector<bool> enabled;                       // per edge: in one of them
};

// The numbers of the edges to mark, ascending. Properties that are not selected are left out.
std::vector<std::uint32_t> derive_marks(const ir::Program& program, const std::vector<bool>& selected,
                                        const StartFacts& starts);

}  // namespace fathom
