#include "heuristic/fsm_to_state.hpp"

#include <algorithm>

#include "state/bits.h"

namespace fathom {

FsmToState::FsmToState(const ir::Program& program, StateView target, Combine combine, ModelFacts& facts)
    : code_(program, 0), combine_(combine) {
  const BitSet control = control_cells(program, facts.cells);
  FormulaCompiler compiler(code_, facts.cells, facts.steps, {combine, true, &control});
  Terms terms;
  control.for_each([&](std::size_t cell) {
    const auto number = static_cast<std::uint32_t>(cell);
    if (!facts.steps.follows(number)) return;
    std::vector<bool> wanted(facts.steps.codes(number));
    wanted[fathom_get(target.data(), facts.cells[cell].offset, facts.cells[cell].type->bits)] = true;
    terms.push_back(compiler.cell_term(number, wanted));
  });
  empty_ = terms.empty();
  EstimateCode::Ref result = compiler.all_of(terms);
  if (combine == Combine::divided) result = code_.divided(result, most_changed(facts.actions, control));
  code_.finish(result);
}

Cost FsmToState::estimate(StateView state, const Batch&) {
  return static_cast<Cost>(std::min<std::int64_t>(code_.run(state.data()), largest_estimate));
}

}  // namespace fathom
