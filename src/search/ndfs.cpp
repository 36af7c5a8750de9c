#include "search/ndfs.hpp"

#include "search/run.hpp"

namespace fathom {

SearchResult run_ndfs(const SearchRequest& request) {
  const ClaimRequest& claim = *request.claim;
  IndexedStore store(request.model.state_words(), request.options.memory_limit);
  Product product(request.model, store, request.program, claim.number, claim.automaton, claim.stutters, nullptr);
  const std::string_view variant = request.arguments.word("variant");
  const NestedVariant chosen = variant == "cvwy"  ? NestedVariant::cvwy
                               : variant == "hpy" ? NestedVariant::hpy
                                                  : NestedVariant::se;
  SearchResult result = NestedDfs(product, request.options, claim.number, chosen).run();
  result.covers_model = product.covers_model();
  return result;
}

}  // namespace fathom
