#include "search/settled_part.hpp"

#include "search/bfs.hpp"

namespace fathom {

std::optional<SearchResult> fill_within_depth(const SearchRequest& request, IndexedStore& store) {
  SearchOptions options = request.options;
  options.deadlock = DeadlockMode::off;
  options.assertions = false;
  options.check_states = false;
  SearchResult result = BreadthFirst(request.model, store, options).run();
  // A violation on the way is told at once, and the claim stays undecided.
  if (result.first) result.ending = Ending::error_limit;
  if (result.ending == Ending::exhausted || result.ending == Ending::bound) return std::nullopt;
  return result;
}

std::optional<SearchResult> settle(const SearchRequest& request, ReducedGraph<Executor>& graph, bool& pays) {
  using End = ReducedGraph<Executor>::End;
  const End end = graph.settle();
  pays = end == End::complete;
  if (end == End::complete || end == End::pointless) return std::nullopt;
  SearchResult result = Recorder(request.options).result;
  result.ending = end == End::stopped ? Ending::time_or_user : Ending::memory_limit;
  return result;
}

}  // namespace fathom
