#include "search/ndfs.hpp"

#include <optional>

#include "property/bad_runs.hpp"
#include "search/cndfs_run.hpp"
#include "search/no_progress.hpp"
#include "search/saved_cycles.hpp"
#include "search/settled_part.hpp"
#include "search/swept_ndfs.hpp"

namespace fathom {

namespace {

SearchResult run_direct(const SearchRequest& request) {
  const ClaimRequest& claim = *request.claim;
  const ir::Automaton anything = all_runs();
  const auto make = [&](IndexedStore& store) {
    return Product(request.model, store, claim.number, anything, claim.claim.progress, false, nullptr, claim.rules);
  };
  return run_within(request, make, [&](auto& product, const SearchOptions& options, CycleCheckpoints* saved) {
    NoProgressSearch search(product, options, claim.number);
    return run_saved(saved, product, search);
  });
}

// Several threads are worth it from here on: smaller products are searched before they would be started.
constexpr std::uint64_t nodes_for_several = 20'000;

// From here on a sweep is worth it. In smaller products, and in what a search sees first of larger ones, a depth-first
// search finds violations sooner.
constexpr std::uint64_t nodes_for_sweep = 1'000;

// The first violation that one of several threads finds is the only one.
bool may_use_threads(const SearchOptions& options, NestedVariant variant, bool directed) {
  return options.threads > 1 && !options.deterministic && options.max_errors == 1 && variant == NestedVariant::se &&
         !directed;
}

// Violations are told in the order in which a depth-first search comes to them where the user has a say in that.
bool may_sweep(const SearchOptions& options, NestedVariant variant, bool directed) {
  return options.order == Order::declared && variant == NestedVariant::se && !directed;
}

}  // namespace

SearchResult run_ndfs(const SearchRequest& request) {
  const ClaimRequest& claim = *request.claim;
  const std::string_view variant = request.arguments.word("variant");
  if (variant == "direct") return run_direct(request);
  const NestedVariant chosen = variant == "cvwy"  ? NestedVariant::cvwy
                               : variant == "hpy" ? NestedVariant::hpy
                                                  : NestedVariant::se;
  const auto make = [&](IndexedStore& store) {
    return Product(request.model, store, claim.number, claim.automaton, claim.claim.acceptance, claim.stutters, nullptr,
                   claim.rules);
  };
  std::optional<PlaceRanks> ranks;
  if (request.arguments.truth("directed")) ranks.emplace(claim.automaton, claim.claim.acceptance.has_value());
  return run_within(request, make, [&](auto& product, const SearchOptions& options, CycleCheckpoints* saved) {
    const PlaceRanks* const order = ranks ? &*ranks : nullptr;
    const bool is_resumed = saved != nullptr && saved->from;
    if (is_resumed && saved->from->threads > 1) return run_cndfs(request, options, product, saved);
    const bool is_shared =
        !is_resumed && may_use_threads(options, chosen, ranks.has_value()) && !product.is_restricted();
    const bool is_swept = !is_shared && may_sweep(options, chosen, ranks.has_value()) && !product.is_restricted();
    if (!is_resumed && (is_shared || is_swept)) {
      SearchOptions probe = options;
      probe.max_nodes = is_shared ? nodes_for_several : nodes_for_sweep;
      probe.raise_max_nodes = {};
      SearchResult result = NestedDfs(product, probe, claim.number, chosen, order).run();
      // A checkpoint is left by the search that follows, even if it ends at once.
      const bool is_to_save = saved != nullptr && result.ending == Ending::time_or_user;
      if (result.ending != Ending::incomplete && !is_to_save) return result;
      if (is_shared) return run_cndfs(request, options, product, saved);
      product.begin_anew();
    }
    if (is_swept) {
      SweptNestedDfs search(product, options, claim.number, chosen);
      return run_saved(saved, product, search);
    }
    NestedDfs search(product, options, claim.number, chosen, order);
    return run_saved(saved, product, search);
  });
}

}  // namespace fathom
