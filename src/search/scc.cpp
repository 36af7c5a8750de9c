#include "search/scc.hpp"

#include "search/settled_part.hpp"

namespace fathom {

SearchResult run_scc(const SearchRequest& request) {
  const ClaimRequest& claim = *request.claim;
  std::optional<Fairness> fairness;
  if (claim.rules.needs_fairness()) fairness.emplace(request.program, claim.rules);
  const auto make = [&](IndexedStore& store) {
    return Product(request.model, store, claim.number, claim.automaton, claim.claim.acceptance, claim.stutters,
                   fairness ? &*fairness : nullptr, claim.rules);
  };
  return run_within(request, make, [&](auto& product, const SearchOptions& options) {
    return ComponentSearch(product, options, claim.number).run();
  });
}

}  // namespace fathom
