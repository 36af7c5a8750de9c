#include "search/scc.hpp"

#include "search/settled_part.hpp"

namespace fathom {

SearchResult run_scc(const SearchRequest& request) {
  const ClaimRequest& claim = *request.claim;
  IndexedStore store(request.model.state_words(), request.options.memory_limit);
  std::optional<Fairness> fairness;
  if (claim.fair) fairness.emplace(request.program);
  Product product(request.model, store, claim.number, claim.automaton, claim.claim.acceptance, claim.stutters,
                  fairness ? &*fairness : nullptr);
  return run_within(request, store, product,
                    [&] { return ComponentSearch(product, request.options, claim.number).run(); });
}

}  // namespace fathom
