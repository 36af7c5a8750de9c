// Murphi's `liveness` properties: from every reachable state a state in which the condition holds can be reached
// (AG EF p). Decided on the whole graph after an exhaustive search: the edges are built once more from the stored
// states, and the states that can reach the condition are found backwards.
#pragma once

#include <functional>

#include "search/run.hpp"
#include "store/indexed_store.hpp"

namespace fathom {

// Adds the liveness violations to `result`; run_to gives a run to a stored state. When the graph does not fit into the
// memory limit the result becomes Ending::memory_limit.
void check_liveness(const SearchRequest& request, const IndexedStore& store,
                    const std::function<Counterexample(StateId)>& run_to, SearchResult& result);

// A shortest run to one state, found by a breadth-first search of its own.
Counterexample run_to_state(const SearchRequest& request, StateView target);

}  // namespace fathom
