#include "search/bounded_dfs.hpp"

#include "search/bounded_dfs_depth.hpp"
#include "search/bounded_dfs_naive.hpp"
#include "search/bounded_dfs_threshold.hpp"
#include "search/liveness.hpp"
#include "search/parallel_bounded_dfs.hpp"
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

// Several threads are worth it from here on: smaller models are searched before they would be started.
constexpr std::uint64_t states_for_several = 20'000;

// A search with one thread that gives up where several are worth it: then it returns nothing.
std::optional<SearchResult> run_while_small(const SearchRequest& request) {
  bool is_large = false;
  SearchOptions options = request.options;
  options.tick = [&](const Progress& now) {
    is_large = now.states > states_for_several;
    return !is_large && request.options.tick(now);
  };
  IndexedStore store(request.model.state_words(), options.memory_limit);
  SearchResult result = BoundedDfs<Executor, IndexedStore, ThresholdRevisit>(request.model, store, options,
                                                                             deepening_of(request.arguments))
                            .run();
  if (!is_large) return result;
  std::ranges::fill(request.model.hits(), 0);  // of cover properties; they are counted anew
  return std::nullopt;
}

SearchResult run_in_parallel(const SearchRequest& request, IndexedStore& store) {
  std::vector<std::unique_ptr<Executor>> executors;
  const auto more = [&]() -> ThreadParts<Executor> {
    executors.push_back(request.model.for_another_thread());
    const bool symmetric = request.options.canonicaliser != nullptr;
    return {executors.back().get(), symmetric ? request.more_canonicalisers() : nullptr};
  };
  const bool thresholds = request.arguments.word("revisit") == "threshold";
  SearchResult result = ParallelBoundedDfs<Executor>(request.model, store, request.options,
                                                     deepening_of(request.arguments), thresholds, more)
                            .run();
  for (const auto& executor : executors) request.model.add_counts_of(*executor);
  return result;
}

SearchResult run_exact(const SearchRequest& request, IndexedStore& store) {
  if (request.options.threads <= 1 || request.arguments.word("revisit") == "naive") return run_with(request, store);
  if (!needs_liveness(request))
    if (std::optional<SearchResult> result = run_while_small(request)) return std::move(*result);
  return run_in_parallel(request, store);
}

}  // namespace

SearchResult run_bounded_dfs(const SearchRequest& request) {
  if (request.store == StoreChoice::fingerprint) {
    FingerprintStore store(request.options.memory_limit);
    return run_with(request, store);
  }
  IndexedStore store(request.model.state_words(), request.options.memory_limit);
  SearchResult result = run_exact(request, store);
  if (needs_liveness(request) && result.ending == Ending::exhausted) {
    const auto shortest_run = [&](StateId id) { return run_to_state(request, store.state(id)); };
    check_liveness(request, store, shortest_run, result);
  }
  return result;
}

}  // namespace fathom
