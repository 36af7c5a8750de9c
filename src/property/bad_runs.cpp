#include "property/bad_runs.hpp"

#include "property/ltl/translate.hpp"

namespace fathom {

namespace {

using Edge = ir::Automaton::Edge;

ir::LtlPtr copy(const ir::Ltl& formula) {
  auto result = std::make_unique<ir::Ltl>();
  result->kind = formula.kind;
  result->atom = formula.atom;
  if (formula.a) result->a = copy(*formula.a);
  if (formula.b) result->b = copy(*formula.b);
  return result;
}

ir::Automaton of_negation(const ir::Claim& claim) {
  ir::Ltl negation;
  negation.kind = ir::Ltl::Kind::negation;
  negation.a = copy(*claim.formula);
  return ltl::translate(negation, static_cast<std::uint32_t>(claim.atoms.size()));
}

// Sooner or later there is no more progress (Holzmann, Peled, Yannakakis, SPIN 1996, Fig. 6).
// Where steps make progress, the product keeps them out of the accepting state.
ir::Automaton no_more_progress(std::optional<std::uint32_t> progress) {
  const ir::Cube none{0, progress ? std::uint64_t{1} << *progress : 0};
  ir::Automaton automaton;
  automaton.states.push_back({"any", false, false, {Edge{}, Edge{1, none, {}, {}}}, {}});
  automaton.states.push_back({"accept", true, false, {Edge{1, none, {}, {}}}, {}});
  return automaton;
}

}  // namespace

ir::Automaton bad_runs(const ir::Claim& claim) {
  switch (claim.kind) {
    case ir::Claim::Kind::ltl:
      return of_negation(claim);
    case ir::Claim::Kind::never:
      return *claim.automaton;
    case ir::Claim::Kind::accept_labels:
      return all_runs();
    case ir::Claim::Kind::non_progress:
      return no_more_progress(claim.progress);
    case ir::Claim::Kind::mu:
      break;  // decided without an automaton
  }
  return {};
}

ir::Automaton all_runs() {
  ir::Automaton automaton;
  automaton.states.push_back({"any", false, false, {Edge{}}, {}});
  return automaton;
}

bool stutters(const ir::Claim& claim) {
  return claim.kind != ir::Claim::Kind::non_progress && claim.kind != ir::Claim::Kind::mu;
}

}  // namespace fathom
