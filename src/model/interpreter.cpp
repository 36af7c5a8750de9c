// Interpreter: activations, calls, faults.
#include "model/interpreter.hpp"

#include <fmt/format.h>

#include <utility>

#include "model/fault_message.hpp"
#include "model/interpreter_domains.hpp"
#include "model/put.hpp"
#include "state/bits.h"
#include "state/multiset.h"

namespace fathom {

using ir::Local;
using ir::Type;

Interpreter::Interpreter(const ir::Program& p) : program(p), hits(p.properties.size(), 0) {
  activations_.emplace_back();
  for (const ir::Variable& variable : p.variables) collect_multisets(*variable.type, variable.offset);
}

void Interpreter::collect_multisets(const Type& type, std::uint32_t offset) {
  if (type.kind == Type::Kind::record)
    for (const ir::Field& field : type.fields) collect_multisets(*field.type, offset + field.offset);
  if (type.kind == Type::Kind::array)
    for (std::uint64_t k = 0; k < type.index->cardinality(); ++k)
      collect_multisets(*type.element, offset + static_cast<std::uint32_t>(k) * type.stride);
  if (type.kind == Type::Kind::multiset) {
    for (std::uint32_t k = 0; k < type.capacity; ++k) collect_multisets(*type.element, offset + k * type.stride + 1);
    multisets_.push_back({offset, &type});  // after its elements, so that inner multisets are sorted first
  }
}

void Interpreter::normalise_multisets(std::uint64_t* state) const {
  for (const Multiset& set : multisets_) fathom_sort_slots(state, set.offset, set.type->capacity, set.type->stride);
}

void Interpreter::enter(const ir::Routine& routine, std::uint64_t* state) {
  state_ = state;
  callers_.clear();
  top_ = 0;
  prepared_ = 0;
  fault_ = ir::SiteId::none;
  noted_ = ir::SiteId::none;
  blocked_ = false;
  function_ = nullptr;
  top().reset(routine);
}

void Interpreter::Activation::reset(const ir::Routine& routine) {
  registers.assign(routine.registers, ir::undefined);
  references.resize(routine.references);
  frame.assign((routine.frame_bits + 63) / 64, 0);
}

void Interpreter::fail(ir::SiteId site, std::string detail) {
  if (failed()) return;
  fault_ = site;
  fault_detail_ = std::move(detail);
}

std::string Interpreter::last_fault() const {
  if (fault_ != ir::SiteId::none) return fault_message(program.site(fault_), fault_detail_);
  return noted_ != ir::SiteId::none ? fault_message(program.site(noted_), "") : "";
}

Outcome Interpreter::run_body(const ir::Routine& routine) {
  run(routine.body);
  if (blocked_) return Outcome::blocked();
  return faulted() ? Outcome{fault_} : Outcome::going_on(noted_);
}

// Arguments are evaluated in the caller's activation and stored straight into the callee's.
bool Interpreter::pass_arguments(const ir::Call& call, Activation& callee) {
  const ir::Function& f = *call.callee;
  for (std::size_t k = 0; k < call.arguments.size(); ++k) {
    const Local& parameter = *f.parameters[k];
    const ir::Argument& argument = call.arguments[k];
    if (argument.value != nullptr) {
      const std::int64_t value = eval(*argument.value);
      if (failed()) return false;
      if (value != ir::undefined && !parameter.type->contains(value)) {
        fail(argument.site,
             fmt::format("{} is outside {}", show(*argument.value->type, value), describe(*parameter.type)));
        return false;
      }
      if (parameter.storage == Local::Storage::in_register)
        callee.registers[parameter.slot] = parameter.type->fit(value);
      else
        fathom_set(callee.frame.data(), parameter.slot, parameter.type->bits, parameter.type->encode(value));
      continue;
    }
    Reference at;
    if (!resolve(*argument.place, at)) return false;
    if (parameter.storage == Local::Storage::reference)
      callee.references[parameter.slot] = at;
    else
      fathom_copy(callee.frame.data(), parameter.slot, at.words, at.bit, parameter.type->bits);
  }
  return true;
}

bool Interpreter::call(const ir::Call& call, std::int64_t* scalar, const Reference* aggregate) {
  const ir::Function& f = *call.callee;
  if (f.user_code) return call_user(f, scalar);
  if (!begin_call(call)) return false;
  result_ = ir::undefined;
  const Flow flow = run(f.routine.body);
  if (flow == Flow::next && f.result != nullptr) fail(f.no_return, "");
  if (flow == Flow::returned && aggregate != nullptr)
    fathom_copy(aggregate->words, aggregate->bit, top().frame.data(), f.result_local->slot, f.result->bits);
  end_call();
  if (scalar != nullptr) *scalar = result_;
  return !failed() && flow != Flow::stopped;
}

// While arguments are evaluated, the callee is prepared already and the caller is still on top.
bool Interpreter::begin_call(const ir::Call& call) {
  const ir::Function& f = *call.callee;
  if (callers_.size() + 1 >= ir::recursion_limit) {
    fail(f.recursion, fmt::format("more than {} calls are active", ir::recursion_limit));
    return false;
  }
  const std::size_t own = ++prepared_;
  if (activations_.size() <= own) activations_.emplace_back();
  activations_[own].reset(f.routine);
  if (!pass_arguments(call, activations_[own])) {
    --prepared_;
    return false;
  }
  callers_.push_back({std::exchange(top_, own), std::exchange(function_, &f)});
  return true;
}

void Interpreter::end_call() {
  top_ = callers_.back().activation;
  function_ = callers_.back().function;
  callers_.pop_back();
  --prepared_;
}

bool Interpreter::call_user(const ir::Function& function, std::int64_t* scalar) {
  PutSink* const listener = quiet ? nullptr : sink;
  std::int64_t value = 0;
  const auto print = listener == nullptr ? nullptr : put_user_text;
  if (program.user_code->run(*function.user_code, state_, &value, print, listener) != 0) {
    fail(function.no_return, "");
    return false;
  }
  if (scalar != nullptr) *scalar = value;
  return true;
}

bool Interpreter::range_of(const ir::Domain& domain, Range& out) {
  if (domain.type != nullptr) {
    out.type = domain.type;
    return true;
  }
  out.from = eval(*domain.from);
  if (failed()) return false;
  out.to = eval(*domain.to);
  if (failed()) return false;
  out.step = domain.step == nullptr ? 1 : eval(*domain.step);
  if (!failed() && out.step == 0) fail(domain.site, "");
  return !failed();
}

std::string describe(const Type& type) {
  if (!type.name.empty() && type.kind != Type::Kind::range) return type.name;
  if (type.kind == Type::Kind::boolean) return "boolean";
  if (type.kind == Type::Kind::unite || type.kind == Type::Kind::enumeration) return "its type";
  return fmt::format("{}..{}", show(type, type.lo), show(type, type.hi));
}

}  // namespace fathom
