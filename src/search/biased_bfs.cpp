#include "search/biased_bfs.hpp"

#include "search/liveness.hpp"
#include "search/run.hpp"
#include "store/fingerprint_store.hpp"
#include "store/indexed_store.hpp"

namespace fathom {

SearchResult run_biased_bfs(const SearchRequest& request) {
  const BiasedBfsSettings settings{request.arguments.count("limit"), request.arguments.truth("batched")};
  if (request.store == StoreChoice::fingerprint) {
    FingerprintStore store(request.options.memory_limit);
    return BiasedBreadthFirst(request.model, store, request.options, *request.guidance, settings).run();
  }
  IndexedStore store(request.model.state_words(), request.options.memory_limit);
  BiasedBreadthFirst search(request.model, store, request.options, *request.guidance, settings);
  SearchResult result = search.run();
  if (needs_liveness(request) && result.ending == Ending::exhausted)
    check_liveness(
        request, store, [&](StateId id) { return search.run_to(id); }, result);
  return result;
}

}  // namespace fathom
