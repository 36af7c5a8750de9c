#include "property/mu/formula.hpp"

#include <algorithm>

namespace fathom::mu {

namespace {

template <class T, class Same>
bool same_or_absent(const std::shared_ptr<const T>& a, const std::shared_ptr<const T>& b, Same same) {
  return a == b || (a != nullptr && b != nullptr && same(*a, *b));
}

bool same_action(const Action& a, const Action& b) {
  return a.kind == b.kind && a.name == b.name && a.quoted == b.quoted && a.has_arguments == b.has_arguments &&
         a.arguments == b.arguments && same_or_absent(a.a, b.a, same_action) && same_or_absent(a.b, b.b, same_action);
}

bool same_steps(const Regular& a, const Regular& b) {
  return a.kind == b.kind && same_or_absent(a.action, b.action, same_action) && same_or_absent(a.a, b.a, same_steps) &&
         same_or_absent(a.b, b.b, same_steps);
}

bool same_ltl(const ir::Ltl& a, const ir::Ltl& b) {
  const auto same_part = [](const ir::LtlPtr& x, const ir::LtlPtr& y) {
    return (x == nullptr) == (y == nullptr) && (x == nullptr || same_ltl(*x, *y));
  };
  return a.kind == b.kind && a.atom == b.atom && same_part(a.a, b.a) && same_part(a.b, b.b);
}

bool same_conditions(const Formula& a, const Formula& b) {
  return std::ranges::equal(a.conditions, b.conditions, {}, &Condition::text, &Condition::text);
}

}  // namespace

bool same(const Formula& a, const Formula& b) {
  return a.kind == b.kind && a.name == b.name && a.path == b.path && a.every == b.every && same_conditions(a, b) &&
         a.domain.type == b.domain.type && a.domain.first == b.domain.first && a.domain.last == b.domain.last &&
         same_or_absent(a.steps, b.steps, same_steps) && same_or_absent(a.ltl, b.ltl, same_ltl) &&
         same_or_absent(a.a, b.a, same) && same_or_absent(a.b, b.b, same);
}

bool is_existential(const Formula& formula, bool negated) {
  using Kind = Formula::Kind;
  const auto part = [&](const FormulaPtr& inner, bool flips = false) {
    return inner == nullptr || is_existential(*inner, negated != flips);
  };
  switch (formula.kind) {
    case Kind::negation:
      return part(formula.a, true);
    case Kind::implication:
      return part(formula.a, true) && part(formula.b);
    case Kind::equivalence:
      return part(formula.a) && part(formula.b) && part(formula.a, true) && part(formula.b, true);
    case Kind::diamond:
      return !negated && part(formula.a);
    case Kind::box:
      return negated && part(formula.a);
    case Kind::path:
    case Kind::runs:
      return formula.every == negated && part(formula.a) && part(formula.b);
    default:
      return part(formula.a) && part(formula.b);
  }
}

}  // namespace fathom::mu
