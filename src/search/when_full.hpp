// A breadth-first search whose memory is full goes on as the user has chosen (full_step.hpp): with the states in a
// tree, with nothing but their fingerprints, or with the states on a disk. Every step is announced when it is taken,
// and one that would bring nothing is passed over with a sentence.
#pragma once

#include <memory>

#include "search/level_standing.hpp"
#include "search/run.hpp"

namespace fathom {

// From where the standing says; the store is given up. The result is that of the whole search.
template <class S>
SearchResult go_on_when_full(const SearchRequest& request, std::unique_ptr<S> full, LevelStanding standing);

// What the states may take in memory: a search that is to go on on a disk needs some to get there.
std::uint64_t memory_of_store(const SearchRequest& request);

}  // namespace fathom
