#include "model/evaluate.hpp"

#include "model/interpreter.hpp"

namespace fathom {

Evaluated evaluate(const ir::Program& program, const ir::Property& property, StateView state) {
  Interpreter run(program);
  StateBuffer copy(state.begin(), state.end());
  run.enter(property.routine, copy.data());
  const std::int64_t value = run.eval(*property.condition);
  if (run.failed()) return {std::nullopt, run.last_fault()};
  return {value, ""};
}

}  // namespace fathom
