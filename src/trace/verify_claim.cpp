#include "trace/verify_claim.hpp"

#include "property/bad_runs.hpp"
#include "property/fairness.hpp"
#include "property/lasso_check.hpp"
#include "property/ltl/translate.hpp"
#include "trace/verify_formula.hpp"

namespace fathom {

namespace {

// Where an atom cannot be evaluated its value does not matter: otherwise the search would have ended there.
std::vector<std::uint64_t> atoms_along(const std::vector<StateBuffer>& states, std::uint32_t claim,
                                       InterpretedModel& model) {
  std::vector<std::uint64_t> atoms;
  for (const StateBuffer& state : states) {
    AtomValues values;
    model.atoms(state, claim, values);
    atoms.push_back(values.holding);
  }
  return atoms;
}

// An atomic sequence without end leads to no state, so it is no way to move.
bool can_move(StateView state, InterpretedModel& model, Batch& steps) {
  steps.clear();
  model.successors(state, steps);
  for (std::uint32_t k = 0; k < steps.size(); ++k)
    if (steps.outcome(k).has_successor()) return true;
  return false;
}

// Everyone must be unable to move somewhere in the loop, or move; and who is under strong fairness must move if able to
// anywhere.
void verify_fairness(const ConcreteRun& run, const std::vector<StateBuffer>& states, InterpretedModel& model) {
  Fairness fairness(model.program(), run.rules);
  Marks seen;
  Batch steps;
  for (std::size_t k = *run.loop; k < states.size(); ++k) {
    steps.clear();
    model.enabled(states[k], steps);
    seen |= fairness.of_state(steps);
    if (k < run.steps.size()) seen |= fairness.moving(states[k], run.steps[k]);
  }
  seen.set(0);
  if ((seen & fairness.all()) != fairness.all())
    throw ReplayError("the loop keeps somebody waiting who could always move");
  for (const StrongPair& pair : fairness.strong_pairs())
    if (!pair.is_kept(seen)) throw ReplayError("the loop keeps somebody waiting who could move again and again");
}

void verify_cycle(const ConcreteRun& run, const std::vector<StateBuffer>& states, InterpretedModel& model) {
  const std::size_t loop = *run.loop;
  const bool ends = loop == run.steps.size();
  Batch steps;
  if (ends && can_move(states.back(), model, steps)) throw ReplayError("the run does not end where it should");
  if (states.back() != states[loop]) throw ReplayError("the loop does not come back to where it began");
  AtomLasso lasso{atoms_along(states, run.violation.property, model), loop};
  if (!ends) lasso.atoms.pop_back();
  if (!violates(model.program().claims[run.violation.property], lasso))
    throw ReplayError("the run does not violate the claim");
  for (std::size_t k = loop; k < run.steps.size(); ++k)
    if (run.rules.is_progress(edge_of(run.steps[k]))) throw ReplayError("a step of the loop makes progress");
  if (run.rules.needs_fairness() && !ends) verify_fairness(run, states, model);
}

// A run of which only the beginning is known.
void verify_beginning(const ConcreteRun& run, const std::vector<StateBuffer>& states, InterpretedModel& model) {
  const ir::Claim& claim = model.program().claims[run.violation.property];
  const auto is_lost = [&] {
    return claim.kind == ir::Claim::Kind::ltl &&
           accepts_whatever_follows(bad_runs(claim), atoms_along(states, run.violation.property, model));
  };
  try {
    if (!is_lost()) throw ReplayError("the run may go on so that it does not violate the claim");
  } catch (const ltl::LimitError& error) {
    throw ReplayError(error.what());
  }
}

bool shows(const Violation& violation, const ir::Claim& claim, const std::vector<std::uint64_t>& atoms) {
  return violation.kind == Violation::Kind::claim_end ? reaches_end(claim, atoms) : fails_assertion(claim, atoms);
}

}  // namespace

void verify_claim(const ConcreteRun& run, const std::vector<StateBuffer>& states, InterpretedModel& model) {
  if (run.violation.kind == Violation::Kind::cycle)
    return run.loop ? verify_cycle(run, states, model) : verify_beginning(run, states, model);
  if (run.violation.kind == Violation::Kind::mu_formula) return verify_formula(run, states, model);
  const std::uint32_t number = run.violation.property;
  const ir::Claim& claim = model.program().claims[number];
  std::vector<std::uint64_t> atoms = atoms_along(states, number, model);
  // While the run stays in its last state, the claim goes on; it has been everywhere after as many steps as it has
  // states.
  std::size_t stays = run.loop ? claim.automaton->states.size() : 0;
  for (; !shows(run.violation, claim, atoms); atoms.push_back(atoms.back()))
    if (stays-- == 0) throw ReplayError("the never claim does not come to its end in this run");
}

}  // namespace fathom
