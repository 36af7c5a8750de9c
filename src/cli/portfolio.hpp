// Which searches `fathom hunt` sets on a model. They are chosen to be unlike each other: near and deep, blind and
// guided, systematic and random, because nobody knows beforehand which of them a bug gives in to.
//
// Those that analyse the program before they take a step begin late where that takes long: in the same time others have
// found what is near.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "cli/property_selection.hpp"

namespace fathom {

struct Strategy {
  CheckOptions options;                // those of the command, with a search of its own
  std::optional<std::uint32_t> claim;  // what it looks at; nothing: states
  bool late = false;
};

std::vector<Strategy> portfolio(const ir::Program& program, const PropertySelection& selection,
                                const CheckOptions& options);

// "dfs, random order, seed 2"
std::string text_of(const Strategy& strategy);

// What to add to the arguments of the command for a check by this strategy: " --search 'greedy(h=formula())' --seed 3".
std::string arguments_of(const Strategy& strategy);

}  // namespace fathom
