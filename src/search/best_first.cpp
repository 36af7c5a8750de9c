#include "search/best_first.hpp"

#include "search/evaluators.hpp"
#include "search/liveness.hpp"
#include "search/run.hpp"
#include "store/fingerprint_store.hpp"
#include "store/indexed_store.hpp"

namespace fathom {

namespace {

SearchResult run_best_first(const SearchRequest& request, bool path_counts) {
  const std::unique_ptr<Evaluator> evaluator = make_evaluator(request, request.arguments.nested("h"));
  const BestFirstOrder order{path_counts, evaluator->promise().admissible};
  if (request.store == StoreChoice::fingerprint) {
    FingerprintStore store(request.options.memory_limit);
    return BestFirst(request.model, store, request.options, *evaluator, order).run();
  }
  IndexedStore store(request.model.state_words(), request.options.memory_limit);
  BestFirst search(request.model, store, request.options, *evaluator, order);
  SearchResult result = search.run();
  if (needs_liveness(request) && result.ending == Ending::exhausted)
    check_liveness(
        request, store, [&](StateId id) { return search.run_to(id); }, result);
  return result;
}

}  // namespace

SearchResult run_greedy(const SearchRequest& request) {
  return run_best_first(request, false);
}

SearchResult run_astar(const SearchRequest& request) {
  return run_best_first(request, true);
}

}  // namespace fathom
