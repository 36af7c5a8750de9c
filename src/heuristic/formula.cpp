#include "heuristic/formula.hpp"

#include <algorithm>

namespace fathom {

Formula::Formula(const Goals& goals, ModelFacts& facts, Combine combine, Leaves leaves, bool symmetric)
    : code_(goals.program, combine == Combine::sum ? 1 : 0) {
  const BitSet control = control_cells(goals.program, facts.cells);
  const bool by_control = leaves == Leaves::control;
  ViolationCode violations(goals, facts, code_, {combine, combine != Combine::sum, by_control ? &control : nullptr});
  if (combine == Combine::sum)
    code_.set_result(violations.make());
  else
    make_lower_bound(violations, goals, facts, symmetric);
  if (combine == Combine::divided)
    code_.set_result(code_.divided(code_.result(), most_changed(facts.actions, control)));
  aim_ = by_control && control.empty() ? "" : violations.aim();
}

// Where not everything that may be reported could be followed, nothing is promised, and only the formula counts.
void Formula::make_lower_bound(ViolationCode& violations, const Goals& goals, ModelFacts& facts, bool symmetric) {
  MaySteps steps(goals, facts);
  if (!steps.refusal().empty() || steps.properties_may_fault()) return code_.set_result(violations.make());
  code_.set_result(violations.make_lower_bound(steps));
  const bool whole = !violations.is_truncated();
  promise_ = {whole, whole && !symmetric};
  if (whole && !wants_everything_visited(goals)) of_never_ = dead_end;
}

Cost Formula::estimate(StateView state, const Batch&) {
  const std::int64_t distance = code_.run(state.data());
  if (distance >= EstimateCode::never) return of_never_;
  return static_cast<Cost>(std::min<std::int64_t>(distance, largest_estimate));
}

}  // namespace fathom
