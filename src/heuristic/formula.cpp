#include "heuristic/formula.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fathom {

Formula::Formula(const Goals& goals, ModelFacts& facts, Combine combine, Leaves leaves, bool symmetric)
    : code_(goals.program, combine == Combine::sum ? 1 : 0) {
  const BitSet control = control_cells(goals.program, facts.cells);
  const bool by_control = leaves == Leaves::control;
  ViolationCode violations(goals, facts, code_, {combine, combine != Combine::sum, by_control ? &control : nullptr});
  EstimateCode::Ref result =
      combine == Combine::sum ? violations.make() : lower_bound(violations, goals, facts, symmetric);
  if (combine == Combine::divided) result = code_.divided(result, most_changed(facts.actions, control));
  code_.finish(result);
  aim_ = by_control && control.empty() ? "" : violations.aim();
}

// Where not everything that may be reported could be followed, nothing is promised, and only the formula counts.
EstimateCode::Ref Formula::lower_bound(ViolationCode& violations, const Goals& goals, ModelFacts& facts,
                                       bool symmetric) {
  MaySteps steps(goals, facts);
  if (!steps.refusal().empty() || steps.properties_may_fault()) return violations.make();
  const EstimateCode::Ref result = violations.make_lower_bound(steps);
  const bool whole = !violations.is_truncated();
  promise_ = {whole, whole && !symmetric};
  if (whole && !wants_everything_visited(goals)) of_never_ = dead_end;
  return result;
}

std::string Formula::about() const {
  return fmt::format("{} instructions, towards {}", code_.size(), aim_.empty() ? "nothing" : aim_);
}

Cost Formula::estimate(StateView state, const Batch&) {
  const std::int64_t distance = code_.run(state.data());
  if (distance >= EstimateCode::never) return of_never_;
  return static_cast<Cost>(std::min<std::int64_t>(distance, largest_estimate));
}

}  // namespace fathom
