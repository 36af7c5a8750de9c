#include "property/mu/runs.hpp"

#include "property/ltl/translate.hpp"

namespace fathom::mu {

namespace {

ir::LtlPtr copy(const ir::Ltl& formula) {
  auto result = std::make_unique<ir::Ltl>();
  result->kind = formula.kind;
  result->atom = formula.atom;
  if (formula.a) result->a = copy(*formula.a);
  if (formula.b) result->b = copy(*formula.b);
  return result;
}

}  // namespace

ir::Automaton automaton_of_runs(const Formula& formula) {
  const auto atoms = static_cast<std::uint32_t>(formula.conditions.size());
  if (!formula.every) return ltl::translate(*formula.ltl, atoms);
  ir::Ltl negation;
  negation.kind = ir::Ltl::Kind::negation;
  negation.a = copy(*formula.ltl);
  return ltl::translate(negation, atoms);
}

}  // namespace fathom::mu
