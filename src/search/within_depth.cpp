#include "search/within_depth.hpp"

#include "search/bfs.hpp"

namespace fathom {

std::optional<SearchResult> fill_within_depth(const SearchRequest& request, IndexedStore& store) {
  SearchOptions options = request.options;
  options.deadlock = DeadlockMode::off;
  options.assertions = false;
  options.check_states = false;
  SearchResult result = BreadthFirst(request.model, store, options).run();
  if (result.ending == Ending::exhausted || result.ending == Ending::bound) return std::nullopt;
  return result;
}

}  // namespace fathom
