// What a search may report, divided into aims that tables can be made for: see abstraction.hpp.
#pragma once

#include <vector>

#include "heuristic/abstraction_table.hpp"

namespace fathom {

// An aim, the cells it is about, and the instances that count in its share.
struct AimPart {
  Aim aim;
  BitSet seeds;
  BitSet few_seeds = {};  // to begin with where the seeds are too many; none: with nothing
  std::vector<std::uint32_t> share = {};
};

// Aims that have to be reached together.
struct PlannedAims {
  std::vector<AimPart> parts = {};
  std::uint32_t at_least = 0;  // without looking
};

// `costs` are those of the instances. After the deadline less is found out.
std::vector<PlannedAims> plan_aims(const Goals& goals, const ModelFacts& facts, MaySteps& steps,
                                   const std::vector<Cost>& costs, ThreadClock::time_point deadline);

}  // namespace fathom
