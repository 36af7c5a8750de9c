#include "search/highway.hpp"

#include <algorithm>

#include "search/liveness.hpp"
#include "search/run.hpp"
#include "search/scc.hpp"
#include "search/thread_executors.hpp"
#include "store/indexed_store.hpp"
#include "store/inline_store.hpp"

namespace fathom {

namespace {

HighwayBounds any_choice(const SearchRequest& request) {
  return {.breadth = request.arguments.count("n"), .total = false, .progress = false, .degrade = {}};
}

HighwayBounds total_choice(const SearchRequest& request) {
  HighwayBounds bounds{.breadth = request.arguments.count("n"),
                       .total = true,
                       .progress = request.arguments.truth("progress"),
                       .degrade = {}};
  if (request.arguments.has("degrade")) bounds.degrade = request.arguments.count("degrade");
  return bounds;
}

// `after` is called with the search, when it has ended, and its result.
template <class S, class After>
SearchResult search(const SearchRequest& request, S& store, const SearchOptions& options, const HighwayBounds& bounds,
                    const After& after) {
  ThreadExecutors executors(request);
  Highway search(request.model, store, options, bounds, executors.more_threads());
  SearchResult result = search.run();
  after(search, result);
  executors.add_counts(search.expanded_in_vain());
  return result;
}

template <class S>
SearchResult search(const SearchRequest& request, S& store, const SearchOptions& options, const HighwayBounds& bounds) {
  return search(request, store, options, bounds, [](auto&, SearchResult&) {});
}

SearchResult check_states(const SearchRequest& request, const HighwayBounds& bounds) {
  const std::uint64_t memory = request.options.memory_limit;
  const bool liveness = needs_liveness(request);
  if (request.program.state_bits <= InlineStore::max_bits && !liveness) {
    InlineStore store(memory);
    return search(request, store, request.options, bounds);
  }
  IndexedStore store(request.model.state_words(), memory);
  return search(request, store, request.options, bounds, [&](auto& search, SearchResult& result) {
    if (liveness && result.ending == Ending::exhausted)
      check_liveness(
          request, store, [&](StateId id) { return search.run_to(id); }, result);
  });
}

SearchResult search_for_cycles(const SearchRequest& request, IndexedStore& store) {
  const ClaimRequest& claim = *request.claim;
  std::optional<Fairness> fairness;
  if (claim.rules.needs_fairness()) fairness.emplace(request.program, claim.rules);
  Product product(request.model, store, claim.number, claim.automaton, claim.claim.acceptance, claim.stutters,
                  fairness ? &*fairness : nullptr, claim.rules);
  product.restrict_to_first(store.size());
  return ComponentSearch(product, request.options, claim.number).run();
}

// The states are kept first, and then the search for a run that the claim forbids stays among them: such a run is one
// of the model. Between states that were kept every edge of the model counts, jumps over levels included.
SearchResult check_claim_within(const SearchRequest& request, const HighwayBounds& bounds, std::uint64_t depth) {
  SearchOptions options = request.options;
  options.max_depth = depth;
  options.deadlock = DeadlockMode::off;
  options.assertions = options.check_states = false;
  IndexedStore store(request.model.state_words(), options.memory_limit);
  SearchResult kept = search(request, store, options, bounds);
  if (kept.first) kept.ending = Ending::error_limit;
  const bool finished =
      kept.ending == Ending::exhausted || kept.ending == Ending::incomplete || kept.ending == Ending::bound;
  if (!finished) return kept;
  SearchResult result = search_for_cycles(request, store);
  result.statistics.breadth = kept.statistics.breadth;
  result.statistics.threads = kept.statistics.threads;
  if (result.ending != Ending::exhausted) return result;
  result.ending = kept.ending;
  result.scope = kept.scope;
  return result;
}

// A long highway is looked at in parts that grow, so that a violation near its beginning ends the search early: with
// the same seed its first levels are the same again, and all parts together cost little more than the last one.
SearchResult check_claim(const SearchRequest& request, const HighwayBounds& bounds) {
  constexpr std::uint64_t first_part = 256, growth = 4;
  const std::uint64_t last = request.options.max_depth.value_or(UINT64_MAX);
  for (std::uint64_t depth = std::min(first_part, last);; depth = depth > last / growth ? last : depth * growth) {
    SearchResult result = check_claim_within(request, bounds, depth);
    const bool decided = result.first || result.ending == Ending::time_or_user || result.ending == Ending::memory_limit;
    if (decided || depth == last || result.statistics.breadth->levels <= depth) return result;
  }
}

SearchResult run(const SearchRequest& request, const HighwayBounds& bounds) {
  return request.claim != nullptr ? check_claim(request, bounds) : check_states(request, bounds);
}

}  // namespace

SearchResult run_highway(const SearchRequest& request) {
  return run(request, any_choice(request));
}

SearchResult run_breadth_bounded(const SearchRequest& request) {
  return run(request, total_choice(request));
}

SearchResult fill_highway(const SearchRequest& request, IndexedStore& store) {
  return search(request, store, request.options, any_choice(request));
}

SearchResult fill_breadth_bounded(const SearchRequest& request, IndexedStore& store) {
  return search(request, store, request.options, total_choice(request));
}

}  // namespace fathom
