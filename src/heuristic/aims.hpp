// What a search may report, divided into aims that tables can be made for: see abstraction.hpp.
#pragma once

#include <memory>
#include <vector>

#include "heuristic/abstraction_table.hpp"
#include "heuristic/deadlock_agents.hpp"

namespace fathom {

// An aim and the cells it is about.
struct AimPart {
  Aim aim;
  BitSet seeds;
  BitSet few_seeds = {};            // to begin with where the seeds are too many; none: with nothing
  DeadlockAgents::Set agents = {};  // those that are blocked
};

// Aims that have to be reached together.
struct PlannedAims {
  std::vector<AimPart> parts = {};
  std::uint32_t at_least = 0;                   // without looking
  std::unique_ptr<DeadlockAgents> agents = {};  // whose steps can be counted apart from each other
};

// `costs` are those of the instances. After the deadline less is found out.
std::vector<PlannedAims> plan_aims(const Goals& goals, const ModelFacts& facts, MaySteps& steps,
                                   const std::vector<Cost>& costs, ThreadClock::time_point deadline);

}  // namespace fathom
