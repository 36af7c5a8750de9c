// What a search looks for, as far as evaluators have to know, and the facts about the program that they share.
#pragma once

#include <optional>
#include <vector>

#include "analysis/value_steps.hpp"

namespace fathom {

struct Goals {
  const ir::Program& program;
  std::vector<bool> selected;  // per property
  bool assertions = true;      // false: those after which a step goes on are ignored
  bool deadlock = true;
  bool stuttering = false;  // a state that only leads to itself is a deadlock, too
  std::optional<std::uint32_t> valid_end = {};
};

// Whether something is looked for that only a search of all states can tell: covers, and liveness.
bool wants_everything_visited(const Goals& goals);

struct ModelFacts {
  explicit ModelFacts(const ir::Program& program);
  ModelFacts(const ModelFacts&) = delete;  // its parts point at each other
  ModelFacts& operator=(const ModelFacts&) = delete;

  Cells cells;
  BitSet defined;
  Actions actions;
  ValueSteps steps;
};

// Cells that say where an agent has come to: the locations of processes, and what has an enumeration as its type. There
// may be none.
BitSet control_cells(const ir::Program& program, const Cells& cells);
// The most of these cells that one step changes; at least 1.
std::uint32_t most_changed(const Actions& actions, const BitSet& cells);

}  // namespace fathom
