#include "heuristic/blocked.hpp"

#include "analysis/condition.hpp"
#include "model/interpreter.hpp"
#include "state/bits.h"

namespace fathom {

namespace {

// What a conjunct says of each code of a location, if it is about nothing else.
void note_ends(const ir::Program& program, const ir::Property& property, const Conjunct& conjunct,
               ProcessEnds& process) {
  Interpreter run(program);
  StateBuffer state(std::max(1U, (program.state_bits + 63) / 64));
  for (std::size_t code = 0; code < process.may_end.size(); ++code) {
    fathom_set(state.data(), process.location->offset, process.location->type->bits, code);
    run.enter(property.routine, state.data());
    process.may_end[code] = (run.eval(*conjunct.expr) != 0) == conjunct.wanted && !run.failed();
  }
}

}  // namespace

std::vector<ProcessEnds> process_ends(const ir::Program& program) {
  std::vector<ProcessEnds> ends(program.components.size());
  const auto valid_end = ir::valid_end_of(program);
  if (!valid_end) return ends;
  const Cells cells(program);
  const TouchFinder finder(program, cells, {{}, BitSet(cells.size())});
  const ir::Property& property = *program.properties[*valid_end];
  const Condition condition = conjuncts_of(*property.condition, true, {}, finder);
  for (std::size_t k = 0; k < ends.size(); ++k) {
    ends[k].location = program.components[k].location;
    if (ends[k].location == nullptr) continue;
    ends[k].may_end.assign(std::size_t{1} << ends[k].location->type->bits, false);
    BitSet own(cells.size());
    own.set(*cells.at(ends[k].location->offset));
    for (const Conjunct& conjunct : condition)
      if (conjunct.reads == own) note_ends(program, property, conjunct, ends[k]);
    ends[k].may_end[0] = true;
  }
  return ends;
}

bool Blocked::may_rest(std::size_t process, StateView state) const {
  const ProcessEnds& ends = ends_[process];
  return ends.location != nullptr &&
         ends.may_end[fathom_get(state.data(), ends.location->offset, ends.location->type->bits)];
}

Cost Blocked::estimate(StateView state, const Batch& enabled) {
  ++call_;
  Cost moving = 0;
  const auto note = [&](std::uint32_t agent) {
    if (agent != 0 && std::exchange(seen_[agent], call_) != call_) ++moving;
  };
  for (std::uint32_t k = 0; k < enabled.size(); ++k) {
    const auto [first, second] = owners_(enabled.instance(k));
    note(first);
    note(second);
  }
  if (ends_.empty()) return moving;
  Cost resting = 0;
  for (std::size_t process = 0; process < ends_.size(); ++process)
    if (seen_[process + 1] != call_ && may_rest(process, state)) ++resting;
  return moving + resting;
}

}  // namespace fathom
