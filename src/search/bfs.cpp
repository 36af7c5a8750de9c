#include "search/bfs.hpp"

#include "search/liveness.hpp"
#include "search/run.hpp"
#include "store/fingerprint_store.hpp"
#include "store/indexed_store.hpp"
#include "store/inline_store.hpp"
#include "store/tree_store.hpp"

namespace fathom {

SearchResult run_bfs(const SearchRequest& request) {
  const std::uint64_t memory = request.options.memory_limit;
  const bool liveness = needs_liveness(request);
  if (request.store == StoreChoice::fingerprint) {
    FingerprintStore store(memory);
    return BreadthFirst(request.model, store, request.options).run();
  }
  // A reduction asks for the level of states that are known already, and only numbers tell it.
  const bool needs_numbers = liveness || request.options.reduction != nullptr;
  if (request.program.state_bits <= InlineStore::max_bits && !needs_numbers) {
    InlineStore store(memory);
    return BreadthFirst(request.model, store, request.options).run();
  }
  if (request.model.state_words() >= TreeStore::min_words && !liveness) {
    TreeStore store(request.model.state_words(), memory);
    return BreadthFirst(request.model, store, request.options).run();
  }
  IndexedStore store(request.model.state_words(), memory);
  BreadthFirst search(request.model, store, request.options);
  SearchResult result = search.run();
  if (liveness && result.ending == Ending::exhausted)
    check_liveness(
        request, store, [&](StateId id) { return search.run_to(id); }, result);
  return result;
}

SearchResult fill_bfs(const SearchRequest& request, IndexedStore& store) {
  return BreadthFirst(request.model, store, request.options).run();
}

}  // namespace fathom
