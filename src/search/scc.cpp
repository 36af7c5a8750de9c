#include "search/scc.hpp"

#include "property/bad_runs.hpp"
#include "search/saved_cycles.hpp"
#include "search/settled_part.hpp"

namespace fathom {

SearchResult run_scc(const SearchRequest& request) {
  const ClaimRequest& claim = *request.claim;
  std::optional<Fairness> fairness;
  if (claim.rules.needs_fairness()) fairness.emplace(request.program, claim.rules);
  const bool no_progress = claim.claim.kind == ir::Claim::Kind::non_progress;
  const ir::Automaton anything = all_runs();
  const auto make = [&](IndexedStore& store) {
    return Product(request.model, store, claim.number, no_progress ? anything : claim.automaton,
                   no_progress ? claim.claim.progress : claim.claim.acceptance, claim.stutters,
                   fairness ? &*fairness : nullptr, claim.rules);
  };
  const CyclesWanted cycles = no_progress ? CyclesWanted::without_progress : CyclesWanted::accepting;
  return run_within(request, make, [&](auto& product, const SearchOptions& options, CycleCheckpoints* saved) {
    ComponentSearch search(product, options, claim.number, cycles);
    return run_saved(saved, product, search);
  });
}

}  // namespace fathom
