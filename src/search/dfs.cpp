#include "search/dfs.hpp"

#include <stdexcept>

#include "search/liveness.hpp"
#include "search/run.hpp"
#include "store/fingerprint_store.hpp"
#include "store/indexed_store.hpp"
#include "store/tree_store.hpp"

namespace fathom {

namespace {

SearchResult run_once(const SearchRequest& request) {
  if (request.store == StoreChoice::fingerprint) {
    FingerprintStore store(request.options.memory_limit);
    return DepthFirst(request.model, store, request.options).run();
  }
  if (request.model.state_words() >= TreeStore::min_words && !needs_liveness(request)) {
    TreeStore store(request.model.state_words(), request.options.memory_limit);
    return DepthFirst(request.model, store, request.options).run();
  }
  IndexedStore store(request.model.state_words(), request.options.memory_limit);
  SearchResult result = DepthFirst(request.model, store, request.options).run();
  // A depth-first search keeps no way back to a state, so a liveness violation comes without a run of its own; the
  // breadth-first run that shows it is searched for afterwards.
  if (needs_liveness(request) && result.ending == Ending::exhausted) {
    const auto shortest_run = [&](StateId id) { return run_to_state(request, store.state(id)); };
    check_liveness(request, store, shortest_run, result);
  }
  return result;
}

}  // namespace

// A reduction may remove processes that have ended at once, unless there could be too many if they stayed.
SearchResult run_dfs(const SearchRequest& request) {
  Reduction* const reduction = request.options.reduction;
  if (reduction == nullptr) return run_once(request);
  reduction->remove_ended(true);
  SearchResult result = run_once(request);
  reduction->remove_ended(false);
  const bool too_many = result.statistics.most_processes > ir::max_processes;
  return result.ending == Ending::exhausted && too_many ? run_once(request) : result;
}

}  // namespace fathom
