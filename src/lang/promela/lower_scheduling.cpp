// What processes know about scheduling: priorities, who moved last, whether and where another process can go on.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "lang/promela/lowering.hpp"
#include "lang/promela/walk.hpp"

namespace fathom::promela {

using IrKind = ir::Expr::Kind;

namespace {

constexpr std::int64_t largest_priority = 255;

bool has_rendezvous(const std::vector<std::unique_ptr<Variable>>& variables) {
  return std::ranges::any_of(variables,
                             [](const auto& each) { return each->channel != nullptr && each->channel->capacity == 0; });
}

}  // namespace

// As in Spin: whether a process can go on must be seen without looking at others.
void Lowering::refuse_with_rendezvous(SourceRange range, OriginId origin, const std::string& what) {
  bool found = has_rendezvous(model_.globals);
  for (const auto& each : model_.typedefs) found |= has_rendezvous(each->fields);
  for (const auto& each : model_.processes) found |= has_rendezvous(each->variables);
  if (!found) return;
  diagnostics_.error("F506", range, fmt::format("{} cannot be used in a model with rendezvous channels", what)).notes =
      model_.origins.notes(origin);
}

// ---- Priorities ----------------------------------------------------------------------------------------------------

void Lowering::declare_priority(Slot& slot, ir::Component& component) {
  if (!has_priorities_) return;
  slot.priority =
      variable(slot.name + "._priority", build_.separate(build_.machine(8, false)), slot.process->name_range);
  component.priority = slot.priority;
}

// As in Spin the priority of the proctype is that of its `active` processes only.
const ir::Expr* Lowering::initial_priority(const Expr& run) {
  return constant(run.value != 0 ? run.value : 1, run.range);
}

const ir::Expr* Lowering::own_priority(SourceRange range) {
  return slot_ != nullptr && slot_->priority != nullptr ? read(at(*slot_->priority), range) : constant(1, range);
}

// Something about the process with the given number; `absent` where there is none.
const ir::Expr* Lowering::about_process(const ir::Expr* pid, const ir::Expr* absent, const SlotValue& value) {
  const ir::Expr* result = absent;
  for (auto slot = slots_.rbegin(); slot != slots_.rend(); ++slot) {
    if (pid->kind == IrKind::constant && pid->value != slot->pid) continue;
    const ir::Expr* const is_it = both(compare(IrKind::equal, pid, constant(slot->pid, pid->range)),  //
                                       is_present(*slot, pid->range));
    result = choose(is_it, value(*slot), result);
  }
  return result;
}

const ir::Expr* Lowering::get_priority(const Expr& syntax) {
  const SourceRange range = syntax.range;
  return about_process(number(*syntax.a), constant(0, range), [&](const Slot& slot) {
    return slot.priority != nullptr ? as_number(read(at(*slot.priority), range)) : constant(1, range);
  });
}

// There may be no process with that number: then nothing happens.
void Lowering::set_priority(const ir::Expr* pid, const ir::Expr* priority, const Stmt& syntax, ir::Block& out) {
  ir::Stmt& stmt = build_.stmt(ir::Stmt::Kind::branch, syntax.range);
  for (const Slot& slot : slots_) {
    ir::Branch branch;
    branch.condition = both(compare(IrKind::equal, pid, constant(slot.pid, syntax.range)),  //
                            is_present(slot, syntax.range));
    ir::Stmt& check = build_.stmt(ir::Stmt::Kind::check, syntax.range);
    check.value = both(compare(IrKind::greater_equal, priority, constant(1, syntax.range)),
                       compare(IrKind::less_equal, priority, constant(largest_priority, syntax.range)));
    check.site = build_.site(ir::FaultKind::misuse, syntax.range,
                             fmt::format("a priority must lie between 1 and {}", largest_priority));
    branch.body.push_back(&check);
    assign(at(*slot.priority), priority, branch.body);
    stmt.branches.push_back(std::move(branch));
  }
  out.push_back(&stmt);
}

// ---- Who moved last ------------------------------------------------------------------------------------------------

// A d_step is one step, so inside it the last one is still another.
void Lowering::remember_last(ir::Edge& edge) {
  if (last_ == nullptr || edge.control == ir::Control::keep_first) return;
  assign(at(*last_), constant(slot_->pid, edge.range), edge.routine.body);
}

// ---- Whether and where a process can go on -------------------------------------------------------------------------

// A process that has a choice between several statements is enabled if one of them is. What it is provided with and
// its priority play no part.
const ir::Expr* Lowering::enabled(const Expr& syntax) {
  const ir::Expr* const pid = number(*syntax.a);
  const ir::Expr* const result = about_process(pid, truth(false, syntax.range), [&](const Slot& slot) {
    return as_condition(call_of(slot_function(slot, SlotQuestion::enabled), syntax.range));
  });
  if (slot_ == nullptr) return result;
  const ir::SiteId site =
      build_.site(ir::FaultKind::misuse, syntax.range, "a process asks whether it is enabled itself");
  return choose(compare(IrKind::equal, pid, constant(slot_->pid, syntax.range)), as_condition(fault(site)), result);
}

const ir::Expr* Lowering::pc_value(const Expr& syntax) {
  return about_process(number(*syntax.a), constant(0, syntax.range), [&](const Slot& slot) {
    return call_of(slot_function(slot, SlotQuestion::place), syntax.range);
  });
}

const ir::Expr* Lowering::call_of(const ir::Function& function, SourceRange range) {
  ir::Call call;
  call.callee = &function;
  ir::Expr& expr = build_.expr(IrKind::call, function.result, range);
  expr.call = build_.call(std::move(call));
  return &expr;
}

// A function without parameters that answers a question about a process. It is registered before it is filled, because
// the answer may depend on itself.
const ir::Function& Lowering::slot_function(const Slot& slot, SlotQuestion question) {
  ir::Function*& known = slot_functions_[{&slot, question}];
  if (known != nullptr) return *known;
  const SourceRange range = slot.process->name_range;
  auto function = std::make_unique<ir::Function>();
  function->name = fmt::format("{} {}", question == SlotQuestion::enabled ? "enabled" : "pc_value", slot.name);
  function->range = range;
  function->result = &ir::machine_int();
  function->no_return = function->recursion =
      build_.site(ir::FaultKind::misuse, range, fmt::format("whether `{}` is enabled depends on itself", slot.name));
  known = function.get();
  program_->functions.push_back(std::move(function));

  const Slot* const outer_slot = std::exchange(slot_, &slot);
  ir::Routine* const outer_routine = std::exchange(routine_, &known->routine);
  ir::Stmt& stmt = build_.stmt(ir::Stmt::Kind::give_back, range);
  stmt.value = question == SlotQuestion::enabled ? as_number(can_go_on(slot)) : place_number(slot);
  stmt.site = write_site_;
  known->routine.body.push_back(&stmt);
  if (!ir::Builder::lay_out(known->routine)) fail_on_size(range, "these registers");
  slot_ = outer_slot;
  routine_ = outer_routine;
  return *known;
}

const ir::Expr* Lowering::can_go_on(const Slot& slot) {
  const SourceRange range = slot.process->name_range;
  const ir::Expr* result = truth(false, range);
  for (std::uint32_t k = 0; k < slot.graph->locations.size(); ++k) {
    const ir::Expr* some = truth(false, range);
    for (const std::uint32_t number : slot.graph->locations[k].edges) {
      const Stmt* const statement = slot.graph->edges[number].statement;
      const bool is_else = statement != nullptr && statement->kind == Stmt::Kind::otherwise;
      const ir::Expr* const guard = statement == nullptr ? count_is(slot.pid + 1, range) : guard_of(*statement);
      some = is_else ? nullptr : either(some, guard);
      if (some == nullptr) break;
    }
    const ir::Expr* const here = is_at(slot, k, range);
    result = either(result, some == nullptr ? here : both(here, some));
  }
  return result;
}

// Control points are numbered from 1 on in the order of the text; the end has the largest number.
const ir::Expr* Lowering::place_number(const Slot& slot) {
  const SourceRange range = slot.process->name_range;
  const auto& locations = slot.graph->locations;
  std::vector<std::uint32_t> order(locations.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {},
                           [&](std::uint32_t k) { return std::pair(k == slot.graph->last, locations[k].range.begin); });
  const ir::Expr* result = constant(0, range);
  for (std::uint32_t position = 0; position < order.size(); ++position)
    result = choose(is_at(slot, order[position], range), constant(position + 1, range), result);
  return result;
}

}  // namespace fathom::promela
