#include "search/biased_dfs.hpp"

#include <cmath>

#include "search/liveness.hpp"
#include "search/run.hpp"
#include "store/fingerprint_store.hpp"
#include "store/indexed_store.hpp"

namespace fathom {

namespace {

SearchResult run_with(const SearchRequest& request, const BiasedDfsSettings& settings) {
  const SearchOptions& options = request.options;
  if (request.store == StoreChoice::fingerprint) {
    FingerprintStore store(options.memory_limit);
    return BiasedDepthFirst(request.model, store, options, *request.guidance, settings, request.agent_symmetry).run();
  }
  IndexedStore store(request.model.state_words(), options.memory_limit);
  BiasedDepthFirst search(request.model, store, options, *request.guidance, settings, request.agent_symmetry);
  SearchResult result = search.run();
  if (needs_liveness(request) && result.ending == Ending::exhausted)
    check_liveness(
        request, store, [&](StateId id) { return search.run_to(id); }, result);
  return result;
}

// A share is one of the agents proper, without the one that stands for nobody. At least one agent must have a marked
// step enabled: otherwise there is nothing to explore.
std::uint64_t threshold_of(const SearchRequest& request) {
  const double wanted = request.arguments.number("threshold");
  if (!request.arguments.is_percentage("threshold"))
    return std::max<std::uint64_t>(1, request.arguments.count("threshold"));
  const double agents = std::max<Agent>(1, request.guidance->agents() - 1);
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(wanted * agents)));
}

}  // namespace

SearchResult run_biased_dfs(const SearchRequest& request) {
  BiasedDfsSettings settings;
  settings.threshold = threshold_of(request);
  settings.switch_on_marked = request.arguments.truth("switch-on-marked");
  return run_with(request, settings);
}

SearchResult run_context_bounded(const SearchRequest& request) {
  BiasedDfsSettings settings;
  settings.threshold = BiasedDfsSettings::never;
  settings.next_takes_over = false;
  settings.switches = request.arguments.count("switches");
  return run_with(request, settings);
}

}  // namespace fathom
