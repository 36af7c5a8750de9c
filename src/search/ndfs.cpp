#include "search/ndfs.hpp"

#include "property/bad_runs.hpp"
#include "search/no_progress.hpp"
#include "search/settled_part.hpp"

namespace fathom {

namespace {

SearchResult run_direct(const SearchRequest& request, IndexedStore& store) {
  const ClaimRequest& claim = *request.claim;
  const ir::Automaton anything = all_runs();
  Product product(request.model, store, claim.number, anything, claim.claim.progress, false, nullptr);
  return run_within(request, store, product,
                    [&] { return NoProgressSearch(product, request.options, claim.number).run(); });
}

}  // namespace

SearchResult run_ndfs(const SearchRequest& request) {
  const ClaimRequest& claim = *request.claim;
  IndexedStore store(request.model.state_words(), request.options.memory_limit);
  const std::string_view variant = request.arguments.word("variant");
  if (variant == "direct") return run_direct(request, store);
  Product product(request.model, store, claim.number, claim.automaton, claim.claim.acceptance, claim.stutters, nullptr);
  const NestedVariant chosen = variant == "cvwy"  ? NestedVariant::cvwy
                               : variant == "hpy" ? NestedVariant::hpy
                                                  : NestedVariant::se;
  return run_within(request, store, product,
                    [&] { return NestedDfs(product, request.options, claim.number, chosen).run(); });
}

}  // namespace fathom
