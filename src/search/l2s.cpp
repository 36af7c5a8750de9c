// Lassos by a search for states: breadth-first over the model with a saved copy gives a shortest one, of the product of
// model and automaton.
#include <stdexcept>

#include "property/saved_loop.hpp"
#include "search/bfs.hpp"
#include "search/run.hpp"
#include "store/indexed_store.hpp"
#include "support/errors.hpp"

namespace fathom {

namespace {

using Wrapped = SavedLoop<Executor>;

SearchOptions options_for(const SearchOptions& from) {
  SearchOptions to = from;
  ++to.shape.edges;
  to.shape.properties = Wrapped::property_count;
  to.selected.assign(Wrapped::property_count, true);
  to.check_states = true;
  to.deadlock = DeadlockMode::off;
  return to;
}

Violation::Kind kind_of(std::uint32_t property) {
  switch (property) {
    case Wrapped::closed_loop:
      return Violation::Kind::cycle;
    case Wrapped::claim_end:
      return Violation::Kind::claim_end;
    default:
      return Violation::Kind::claim_assertion;
  }
}

bool can_move(Executor& model, StateView state) {
  Batch steps;
  model.successors(state, steps);
  for (std::uint32_t k = 0; k < steps.size(); ++k)
    if (steps.outcome(k).has_successor()) return true;
  return false;
}

// The run of the model inside a run of the wrapped one. The loop begins where the copy was taken; a run that ends
// stays in the state where it does.
Counterexample unwrap(const Wrapped& wrapped, Executor& model, std::uint32_t claim, const Counterexample& found) {
  Counterexample run = found;
  if (found.violation.kind == Violation::Kind::fault) {
    for (StateBuffer& state : run.states) state.resize(wrapped.model_state(state).size());
    return run;
  }
  run.violation = {kind_of(found.violation.property), claim, ir::SiteId::none};
  run.states.clear();
  for (const StateBuffer& state : found.states) {
    const StateView inner = wrapped.model_state(state);
    if (!Wrapped::has_saved(state) && run.violation.kind == Violation::Kind::cycle) run.loop = run.states.size();
    run.states.emplace_back(inner.begin(), inner.end());
    if (can_move(model, inner)) continue;
    if (run.loop || run.states.size() < found.states.size()) run.loop = run.states.size() - 1;
    break;
  }
  return run;
}

}  // namespace

SearchResult run_l2s(const SearchRequest& request) {
  const ClaimRequest& claim = *request.claim;
  if (claim.automaton.states.size() > Wrapped::max_places) throw EnvironmentError("l2s: the automaton is too large");
  const std::size_t edges = request.options.shape.edges;
  Wrapped wrapped(request.model, claim.claim, claim.number, claim.automaton, claim.stutters, edges, claim.rules);
  IndexedStore store(wrapped.state_words(), request.options.memory_limit);
  const SearchOptions options = options_for(request.options);
  SearchResult result = BreadthFirst(wrapped, store, options).run();
  for (const std::uint64_t count : result.violations) result.claim_violations += count;
  result.violations.assign(request.options.shape.properties, 0);
  result.fired.resize(edges);
  result.covers_model = false;
  if (result.first) result.first = unwrap(wrapped, request.model, claim.number, *result.first);
  return result;
}

}  // namespace fathom
