#include "search/bounded_dfs.hpp"

#include "search/bounded_dfs_depth.hpp"
#include "search/bounded_dfs_naive.hpp"
#include "search/bounded_dfs_threshold.hpp"
#include "search/liveness.hpp"
#include "search/run.hpp"
#include "store/fingerprint_store.hpp"
#include "store/indexed_store.hpp"

namespace fathom {

namespace {

FrontierKind frontier_kind(std::string_view word) {
  if (word == "states") return FrontierKind::states;
  return word == "traces" ? FrontierKind::traces : FrontierKind::tree;
}

DeepeningPlan deepening_of(const Arguments& arguments) {
  DeepeningPlan deepening;
  if (arguments.has("bound")) deepening.bound = arguments.count("bound");
  deepening.step = arguments.count("step");
  deepening.frontier = frontier_kind(arguments.word("frontier"));
  return deepening;
}

template <class Revisit, class S>
SearchResult deepen(const SearchRequest& request, S& store) {
  return BoundedDfs<Executor, S, Revisit>(request.model, store, request.options, deepening_of(request.arguments)).run();
}

template <class S>
SearchResult run_with(const SearchRequest& request, S& store) {
  const std::string_view revisit = request.arguments.word("revisit");
  if (revisit == "naive") return deepen<NaiveRevisit>(request, store);
  if (revisit == "depth") return deepen<DepthRevisit>(request, store);
  return deepen<ThresholdRevisit>(request, store);
}

}  // namespace

SearchResult run_bounded_dfs(const SearchRequest& request) {
  if (request.store == StoreChoice::fingerprint) {
    FingerprintStore store(request.options.memory_limit);
    return run_with(request, store);
  }
  IndexedStore store(request.model.state_words(), request.options.memory_limit);
  SearchResult result = run_with(request, store);
  if (needs_liveness(request) && result.ending == Ending::exhausted) {
    const auto shortest_run = [&](StateId id) { return run_to_state(request, store.state(id)); };
    check_liveness(request, store, shortest_run, result);
  }
  return result;
}

}  // namespace fathom
