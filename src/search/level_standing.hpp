// Where a breadth-first search stands: together with the store this is all that another one needs to go on, with more
// threads or after a restart.
#pragma once

#include <chrono>

#include "search/id_ranges.hpp"
#include "search/search.hpp"
#include "support/virtual_array.hpp"

namespace fathom {

struct LevelStanding {
  SearchResult so_far;                // its counts
  std::vector<std::uint64_t> levels;  // the id at which each level begins, the last one being the level to be expanded
  std::uint64_t level_begin = 0, level_end = 0;
  std::uint64_t depth = 0;
  std::optional<std::vector<IdRange>> rest = {};  // states of the level that are not expanded; not set: all of them
  std::optional<std::chrono::steady_clock::time_point> saved = {};  // when it was, or began, if it is saved at all
  // Only for a store that does not keep states.
  std::vector<std::uint64_t> parents = {};         // of every state
  VirtualArray<std::uint64_t> frontier = {};       // the states of the level, or rows of them
  VirtualArray<std::uint64_t> next_frontier = {};  // those of the next one that are known
};

}  // namespace fathom
