// Paths, calls and statements.
#include "heuristic/may_interpreter.hpp"

#include <algorithm>
#include <utility>

#include "ir/builder.hpp"

namespace fathom {

using ir::Stmt;

std::uint32_t Choices::pick(std::uint32_t count) {
  if (count <= 1) return 0;
  if (next_ == made_.size()) made_.push_back({0, count});
  return made_[next_++].choice;
}

bool Choices::advance() {
  made_.resize(next_);
  while (!made_.empty() && made_.back().choice + 1 == made_.back().count) made_.pop_back();
  next_ = 0;
  if (made_.empty()) return false;
  ++made_.back().choice;
  return true;
}

MayInterpreter::MayInterpreter(const ir::Program& program, const Cells& cells) : program_(program), numbers_(cells) {
  activations_.emplace_back();
  for (std::size_t k = 0; k < cells.size(); ++k) state_.emplace_back(*cells[k].type);
  was_looked_at_.resize(cells.size());
}

void MayInterpreter::watch() {
  for (const std::uint32_t cell : looked_at_) was_looked_at_[cell] = false;
  looked_at_.clear();
}

const CellSet& MayInterpreter::look(std::uint32_t cell) {
  if (!was_looked_at_[cell]) {
    was_looked_at_[cell] = true;
    looked_at_.push_back(cell);
  }
  return state_[cell];
}

void MayInterpreter::begin() {
  restore(0);
  choices_.restart();
  ended_ = may_fault_ = may_fail_assertion_ = gave_up_ = false;
  steps_ = 0;
  depth_ = 0;
  function_ = nullptr;
}

void MayInterpreter::restore(std::size_t mark) {
  for (; undo_.size() > mark; undo_.pop_back()) state_[undo_.back().cell] = undo_.back().before;
}

// The first write to a cell says what it held.
bool MayInterpreter::surely_changed(std::size_t since) {
  for (std::size_t k = since; k < undo_.size(); ++k) {
    if (undo_[k].narrows || !undo_[k].before.type()->is_scalar()) continue;
    const auto earlier = [&](const Change& change) { return change.cell == undo_[k].cell && !change.narrows; };
    const bool first = std::none_of(undo_.begin() + static_cast<std::ptrdiff_t>(since),
                                    undo_.begin() + static_cast<std::ptrdiff_t>(k), earlier);
    if (first && !undo_[k].before.meets(look(undo_[k].cell))) return true;
  }
  return false;
}

void MayInterpreter::enter(const ir::Routine& routine) {
  top().registers.assign(routine.registers, ValueSet::of(ir::undefined));
  top().references.assign(routine.references, {});
}

void MayInterpreter::write(std::uint32_t cell, const CellSet& values) {
  undo_.push_back({cell, false, state_[cell]});
  state_[cell] = values;
}

void MayInterpreter::assume(std::uint32_t cell, const CellSet& values) {
  undo_.push_back({cell, true, state_[cell]});
  state_[cell] = values;
  if (values.is_empty()) ended_ = true;
}

void MayInterpreter::run(const ir::Block& body) {
  run_block(body);
}

MayInterpreter::Flow MayInterpreter::run_block(const ir::Block& body) {
  for (const Stmt* stmt : body) {
    if (ended_) return Flow::next;
    if (++steps_ > max_steps) give_up();
    if (run(*stmt) == Flow::returned) return Flow::returned;
  }
  return Flow::next;
}

MayInterpreter::Flow MayInterpreter::run(const Stmt& stmt) {
  switch (stmt.kind) {
    case Stmt::Kind::assign:
      assign(*stmt.place, *stmt.value);
      break;
    case Stmt::Kind::copy:
      copy(*stmt.place, *stmt.source);
      break;
    case Stmt::Kind::undefine:
    case Stmt::Kind::clear:
      set_all(*stmt.place, stmt.kind == Stmt::Kind::clear);
      break;
    case Stmt::Kind::branch:
      return run_branch(stmt);
    case Stmt::Kind::loop_while:
      return run_while(stmt);
    case Stmt::Kind::loop_for:
      return run_for(stmt);
    case Stmt::Kind::call:
      static_cast<void>(call(*stmt.call));
      break;
    case Stmt::Kind::give_back:
      if (stmt.value != nullptr) {
        bool outside = false;
        result_ = fitted(eval(*stmt.value), *function_->result, outside);
        if (outside) may_fault_ = true;
      }
      return Flow::returned;
    case Stmt::Kind::fail:
      fault();
      break;
    case Stmt::Kind::check:
    case Stmt::Kind::check_and_go_on:
      run_check(stmt);
      break;
    case Stmt::Kind::assume:
      if (!holds(*stmt.value)) ended_ = true;
      break;
    case Stmt::Kind::bind: {
      const Address at = resolve(*stmt.place);
      if (!ended_) top().references[stmt.local->slot] = at;
      break;
    }
    case Stmt::Kind::cover:
    case Stmt::Kind::put_value:
      if (stmt.value != nullptr) static_cast<void>(eval(*stmt.value));
      if (stmt.place != nullptr) static_cast<void>(resolve(*stmt.place));
      break;
    case Stmt::Kind::put_text:
      break;
    case Stmt::Kind::multiset_add:
    case Stmt::Kind::multiset_remove:
    case Stmt::Kind::multiset_remove_if:
      may_fault_ = true;
      break;
  }
  return Flow::next;
}

void MayInterpreter::run_check(const Stmt& stmt) {
  if (holds(*stmt.value) || ended_) return;
  if (stmt.kind == Stmt::Kind::check)
    fault();
  else
    may_fail_assertion_ = true;
}

MayInterpreter::Flow MayInterpreter::run_branch(const Stmt& stmt) {
  for (const ir::Branch& branch : stmt.branches) {
    const bool taken = branch.condition == nullptr || holds(*branch.condition);
    if (ended_) return Flow::next;
    if (taken) return run_block(branch.body);
  }
  return Flow::next;
}

MayInterpreter::Flow MayInterpreter::run_while(const Stmt& stmt) {
  for (std::uint64_t round = 0; holds(*stmt.value) && !ended_; ++round) {
    if (round >= program_.loop_limit) {
      fault();
      break;
    }
    if (++steps_ > max_steps) give_up();
    if (run_block(stmt.body) == Flow::returned) return Flow::returned;
  }
  return Flow::next;
}

MayInterpreter::Flow MayInterpreter::run_for(const Stmt& stmt) {
  Flow flow = Flow::next;
  each_value(*stmt.binding, [&] {
    flow = run_block(stmt.body);
    return flow == Flow::next;
  });
  return flow;
}

// Runs the function in a new activation; its result is in result_. False: the path is over.
bool MayInterpreter::call(const ir::Call& call) {
  const ir::Function& callee = *call.callee;
  if (depth_ + 1 >= max_calls) {
    give_up();
    return false;
  }
  Activation inner;
  inner.registers.assign(callee.routine.registers, ValueSet::of(ir::undefined));
  inner.references.assign(callee.routine.references, {});
  for (std::size_t k = 0; k < call.arguments.size(); ++k) {
    const ir::Local& parameter = *callee.parameters[k];
    const ir::Argument& argument = call.arguments[k];
    if (argument.value != nullptr) {
      bool outside = false;
      const ValueSet value = fitted(eval(*argument.value), *parameter.type, outside);
      if (ended_) return false;
      may_fault_ = may_fault_ || outside;
      if (parameter.storage == ir::Local::Storage::in_register) inner.registers[parameter.slot] = value;
      continue;
    }
    const Address at = resolve(*argument.place);
    if (ended_) return false;
    if (parameter.storage == ir::Local::Storage::reference) inner.references[parameter.slot] = at;
  }
  if (activations_.size() <= depth_ + 1) activations_.emplace_back();
  activations_[depth_ + 1] = std::move(inner);
  const ir::Function* const caller = std::exchange(function_, &callee);
  result_ = ValueSet::of(ir::undefined);
  ++depth_;
  const Flow flow = run_block(callee.routine.body);
  --depth_;
  function_ = caller;
  if (!ended_ && flow == Flow::next && callee.result != nullptr) fault();
  return !ended_;
}

ValueSet MayInterpreter::eval_call(const ir::Call& which) {
  return call(which) ? result_ : ValueSet{};
}

template <class Visit>
void MayInterpreter::each_value(const ir::Binding& binding, Visit visit) {
  const ir::Domain& domain = binding.domain;
  if (domain.type != nullptr && !domain.type->is_machine()) {
    const ir::ParameterDomain all = ir::domain_of(*domain.type);
    for (std::uint64_t k = 0; k < all.size() && !ended_; ++k) {
      if (++steps_ > max_steps) return give_up();
      set_register(*binding.local, all.at(k));
      if (!visit()) return;
    }
    return;
  }
  if (domain.type != nullptr) return give_up();
  const ValueSet from = number(*domain.from), to = number(*domain.to);
  const ValueSet step = domain.step == nullptr ? ValueSet::of(1) : number(*domain.step);
  if (ended_) return;
  if (!from.is_number() || !to.is_number() || !step.is_number()) return give_up();
  if (step.lo == 0) return fault();
  for (std::int64_t at = from.lo; (step.lo > 0 ? at <= to.lo : at >= to.lo) && !ended_;) {
    if (++steps_ > max_steps) return give_up();
    set_register(*binding.local, at);
    if (!visit()) return;
    if (__builtin_add_overflow(at, step.lo, &at)) return;
  }
}

bool MayInterpreter::holds_quantified(const ir::Expr& expr) {
  const bool wanted = expr.kind == ir::Expr::Kind::exists;
  bool found = false;
  each_value(*expr.binding, [&] {
    found = holds(*expr.a) == wanted;
    return !found;
  });
  return found == wanted;
}

}  // namespace fathom
