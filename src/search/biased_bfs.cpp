#include "search/biased_bfs.hpp"

#include "search/liveness.hpp"
#include "search/run.hpp"
#include "search/thread_executors.hpp"
#include "store/fingerprint_store.hpp"
#include "store/indexed_store.hpp"

namespace fathom {

namespace {

// `after` is called with the search, when it has ended, and its result.
template <class S, class After>
SearchResult search(const SearchRequest& request, S& store, const After& after) {
  const BiasedBfsSettings settings{request.arguments.count("limit"), request.arguments.truth("batched")};
  ThreadExecutors executors(request);
  BiasedBreadthFirst search(request.model, store, request.options, *request.guidance, settings,
                            executors.more_threads());
  SearchResult result = search.run();
  after(search, result);
  executors.add_counts(search.expanded_in_vain());
  return result;
}

}  // namespace

SearchResult run_biased_bfs(const SearchRequest& request) {
  if (request.store == StoreChoice::fingerprint) {
    FingerprintStore store(request.options.memory_limit);
    return search(request, store, [](auto&, SearchResult&) {});
  }
  IndexedStore store(request.model.state_words(), request.options.memory_limit);
  return search(request, store, [&](auto& search, SearchResult& result) {
    if (needs_liveness(request) && result.ending == Ending::exhausted)
      check_liveness(
          request, store, [&](StateId id) { return search.run_to(id); }, result);
  });
}

}  // namespace fathom
