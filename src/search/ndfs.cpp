#include "search/ndfs.hpp"

#include <optional>

#include "property/bad_runs.hpp"
#include "search/no_progress.hpp"
#include "search/settled_part.hpp"

namespace fathom {

namespace {

SearchResult run_direct(const SearchRequest& request) {
  const ClaimRequest& claim = *request.claim;
  const ir::Automaton anything = all_runs();
  const auto make = [&](IndexedStore& store) {
    return Product(request.model, store, claim.number, anything, claim.claim.progress, false, nullptr, claim.rules);
  };
  return run_within(request, make, [&](auto& product, const SearchOptions& options) {
    return NoProgressSearch(product, options, claim.number).run();
  });
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
  return run_within(request, make, [&](auto& product, const SearchOptions& options) {
    return NestedDfs(product, options, claim.number, chosen, ranks ? &*ranks : nullptr).run();
  });
}

}  // namespace fathom
