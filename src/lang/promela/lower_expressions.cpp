// Expressions. Conditions are booleans of the ir, everything else is a machine integer; where a condition is used as a
// number it becomes 0 or 1.
#include <fmt/format.h>

#include "lang/promela/expressions.hpp"
#include "lang/promela/lowering.hpp"

namespace fathom::promela {

namespace {

using Kind = Expr::Kind;
using IrKind = ir::Expr::Kind;

IrKind operator_of(Kind kind) {
  switch (kind) {
    case Kind::negate:
      return IrKind::negate;
    case Kind::complement:
      return IrKind::complement;
    case Kind::logical_not:
      return IrKind::logical_not;
    case Kind::add:
      return IrKind::add;
    case Kind::subtract:
      return IrKind::subtract;
    case Kind::multiply:
      return IrKind::multiply;
    case Kind::divide:
      return IrKind::divide;
    case Kind::modulo:
      return IrKind::modulo;
    case Kind::shift_left:
      return IrKind::shift_left;
    case Kind::shift_right:
      return IrKind::shift_right;
    case Kind::bit_and:
      return IrKind::bit_and;
    case Kind::bit_or:
      return IrKind::bit_or;
    case Kind::bit_xor:
      return IrKind::bit_xor;
    case Kind::equal:
      return IrKind::equal;
    case Kind::not_equal:
      return IrKind::not_equal;
    case Kind::less:
      return IrKind::less;
    case Kind::less_equal:
      return IrKind::less_equal;
    case Kind::greater:
      return IrKind::greater;
    case Kind::greater_equal:
      return IrKind::greater_equal;
    case Kind::logical_and:
      return IrKind::logical_and;
    default:
      return IrKind::logical_or;
  }
}

bool is_boolean(const ir::Expr& expr) {
  return expr.type->kind == ir::Type::Kind::boolean;
}

}  // namespace

const ir::Expr* Lowering::value(const Expr& syntax) {
  if (const auto folded = fold(syntax)) return constant(*folded, syntax.range);
  switch (syntax.kind) {
    case Kind::variable:
    case Kind::element:
    case Kind::field:
      if (is_fixed(root_of(syntax))) return fixed_channel(syntax);
      return read(place_of(syntax), syntax.range);
    case Kind::eval:
      return value(*syntax.a);
    case Kind::pid:
      return constant(slot_ == nullptr ? 0 : slot_->pid, syntax.range);
    case Kind::own_priority:
      return own_priority(syntax.range);
    case Kind::get_priority:
      return get_priority(syntax);
    case Kind::last:
      return read(at(*last_), syntax.range);
    case Kind::enabled:
      return enabled(syntax);
    case Kind::pc_value:
      return pc_value(syntax);
    case Kind::process_count:
      return read(at(*process_count_), syntax.range);
    case Kind::negate:
    case Kind::complement:
    case Kind::logical_not:
      return unary(syntax, operator_of(syntax.kind));
    case Kind::conditional:
      return choose(condition(*syntax.a), number(*syntax.b), number(*syntax.c));
    case Kind::run:
      return run_call(syntax);
    case Kind::length:
    case Kind::full:
    case Kind::empty:
    case Kind::not_full:
    case Kind::not_empty:
      return probe(syntax);
    case Kind::poll:
      return poll(syntax);
    case Kind::timeout:
      return &build_.expr(IrKind::timeout, build_.boolean(), syntax.range);
    case Kind::remote_label:
    case Kind::remote_variable:
      return remote(syntax);
    case Kind::non_progress:
      return negation(is_at_label(&FlowLocation::is_progress, syntax.range), syntax.range);
    case Kind::embedded_c:
      return c_value(syntax);
    default:
      return binary(syntax);
  }
}

const ir::Expr* Lowering::number(const Expr& syntax) {
  return as_number(value(syntax));
}

const ir::Expr* Lowering::condition(const Expr& syntax) {
  return as_condition(value(syntax));
}

const ir::Expr* Lowering::as_number(const ir::Expr* expr) {
  if (!is_boolean(*expr)) return expr;
  return choose(expr, constant(1, expr->range), constant(0, expr->range));
}

const ir::Expr* Lowering::as_condition(const ir::Expr* expr) {
  if (is_boolean(*expr)) return expr;
  if (expr->kind == IrKind::constant) return truth(expr->value != 0, expr->range);
  return compare(IrKind::not_equal, expr, constant(0, expr->range));
}

const ir::Expr* Lowering::constant(std::int64_t value, SourceRange range) {
  return build_.constant(value, &ir::machine_int(), range);
}

const ir::Expr* Lowering::truth(bool value, SourceRange range) {
  return build_.constant(value, build_.boolean(), range);
}

const ir::Expr* Lowering::make(IrKind kind, const ir::Type* type, const ir::Expr* a, const ir::Expr* b) {
  ir::Expr& expr = build_.expr(kind, type, b == nullptr ? a->range : a->range.to(b->range));
  expr.a = a;
  expr.b = b;
  return &expr;
}

const ir::Expr* Lowering::arithmetic(IrKind kind, const ir::Expr* a, const ir::Expr* b) {
  return make(kind, &ir::machine_int(), a, b);
}

const ir::Expr* Lowering::compare(IrKind kind, const ir::Expr* a, const ir::Expr* b) {
  return make(kind, build_.boolean(), a, b);
}

const ir::Expr* Lowering::unary(const Expr& syntax, IrKind kind) {
  if (kind == IrKind::logical_not) return negation(condition(*syntax.a), syntax.range);
  ir::Expr& expr = build_.expr(kind, &ir::machine_int(), syntax.range);
  expr.a = number(*syntax.a);
  return &expr;
}

const ir::Expr* Lowering::binary(const Expr& syntax) {
  const IrKind kind = operator_of(syntax.kind);
  const bool logical = kind == IrKind::logical_and || kind == IrKind::logical_or;
  const bool comparing = syntax.kind >= Kind::equal && syntax.kind <= Kind::greater_equal;
  ir::Expr& expr = build_.expr(kind, logical || comparing ? build_.boolean() : &ir::machine_int(), syntax.range);
  expr.a = logical ? condition(*syntax.a) : number(*syntax.a);
  expr.b = logical ? condition(*syntax.b) : number(*syntax.b);
  if (kind == IrKind::divide || kind == IrKind::modulo)
    expr.site = build_.site(ir::FaultKind::division_by_zero, syntax.range, quote(syntax.range));
  return &expr;
}

const ir::Expr* Lowering::both(const ir::Expr* a, const ir::Expr* b) {
  if (a == nullptr || b == nullptr) return a == nullptr ? b : a;
  return make(IrKind::logical_and, build_.boolean(), a, b);
}

const ir::Expr* Lowering::either(const ir::Expr* a, const ir::Expr* b) {
  if (a == nullptr || b == nullptr) return nullptr;
  return make(IrKind::logical_or, build_.boolean(), a, b);
}

const ir::Expr* Lowering::negation(const ir::Expr* a, SourceRange range) {
  if (a == nullptr) return truth(false, range);
  ir::Expr& expr = build_.expr(IrKind::logical_not, build_.boolean(), range);
  expr.a = a;
  return &expr;
}

const ir::Expr* Lowering::choose(const ir::Expr* test, const ir::Expr* yes, const ir::Expr* no) {
  ir::Expr& expr = build_.expr(IrKind::conditional, is_boolean(*yes) ? yes->type : &ir::machine_int(), test->range);
  expr.a = test;
  expr.b = yes;
  expr.c = no;
  return &expr;
}

// The value a variable of this type has after it got `value`.
const ir::Expr* Lowering::cut(const ir::Expr* value, const Type& type) {
  const ir::Type& target = *scalar_type(type);
  const bool fits =
      value->type->is_machine() && value->type->bits == target.bits && value->type->is_signed == target.is_signed;
  if (target.bits == 32 || fits) return value;
  const SourceRange range = value->range;
  if (value->kind == IrKind::constant) return constant(target.value(target.code(value->value)), range);
  if (!target.is_signed)
    return arithmetic(IrKind::bit_and, value, constant((std::int64_t{1} << target.bits) - 1, range));
  const ir::Expr* const distance = constant(32 - target.bits, range);
  return arithmetic(IrKind::shift_right, arithmetic(IrKind::shift_left, value, distance), distance);
}

// An expression that faults when it is evaluated.
const ir::Expr* Lowering::fault(ir::SiteId site) {
  const SourceRange range = program_->site(site).range;
  auto function = std::make_unique<ir::Function>();
  function->name = fmt::format("fault {}", static_cast<std::uint32_t>(site));
  function->range = range;
  function->result = &ir::machine_int();
  function->no_return = function->recursion = site;
  ir::Stmt& stmt = build_.stmt(ir::Stmt::Kind::fail, range);
  stmt.site = site;
  function->routine.body.push_back(&stmt);
  ir::Call call;
  call.callee = function.get();
  program_->functions.push_back(std::move(function));
  ir::Expr& expr = build_.expr(IrKind::call, &ir::machine_int(), range);
  expr.call = build_.call(std::move(call));
  return &expr;
}

const ir::Expr* Lowering::run_call(const Expr& syntax) {
  ir::Call call;
  const ir::Function& function = run_function(*syntax.process);
  call.callee = &function;
  for (const ExprPtr& argument : syntax.arguments) call.arguments.push_back({number(*argument), nullptr, write_site_});
  if (has_priorities_) call.arguments.push_back({initial_priority(syntax), nullptr, write_site_});
  ir::Expr& expr = build_.expr(IrKind::call, function.result, syntax.range);
  expr.call = build_.call(std::move(call));
  return &expr;
}

// len, full, empty and their opposites. A rendezvous channel never holds anything and is never full.
const ir::Expr* Lowering::probe(const Expr& syntax) {
  const Channel channel = this->channel(*syntax.a);
  const auto length = [&](const Shape& shape) {
    return shape.is_rendezvous() ? constant(0, syntax.range) : read(length_of(channel, shape), syntax.range);
  };
  const auto shapes = candidates(channel, [](std::size_t) { return true; });
  if (syntax.kind == Kind::length)
    return by_shape(channel, shapes, [&](const Shape& shape) { return as_number(length(shape)); });
  return by_shape(channel, shapes, [&](const Shape& shape) {
    const bool asks_full = syntax.kind == Kind::full || syntax.kind == Kind::not_full;
    const bool negated = syntax.kind == Kind::not_full || syntax.kind == Kind::not_empty;
    const std::uint32_t limit = asks_full ? std::max(1U, shape.capacity) : 0;
    const IrKind otherwise = asks_full ? IrKind::less : IrKind::greater;  // a test that takes, or sends, keep true
    return compare(negated ? otherwise : IrKind::equal, length(shape), constant(limit, syntax.range));
  });
}

// A place or a variable of another process: that of the process with the given number, else that of the only one. A
// process that is not there is nowhere, and its variables are 0.
const ir::Expr* Lowering::remote(const Expr& syntax) {
  const bool asks_place = syntax.kind == Kind::remote_label;
  const ir::Expr* const pid = syntax.a ? number(*syntax.a) : nullptr;
  const ir::Expr* result = asks_place ? truth(false, syntax.range) : constant(0, syntax.range);
  for (auto slot = slots_.rbegin(); slot != slots_.rend(); ++slot) {
    if (slot->process != syntax.process) continue;
    if (pid != nullptr && pid->kind == IrKind::constant && pid->value != slot->pid) continue;
    const ir::Expr* const here = remote_of(syntax, *slot);
    const ir::Expr* test = is_present(*slot, syntax.range);
    if (pid != nullptr) test = both(compare(IrKind::equal, pid, constant(slot->pid, syntax.range)), test);
    result = choose(test, here, result);
  }
  return result;
}

const ir::Expr* Lowering::remote_of(const Expr& syntax, const Slot& slot) {
  if (syntax.kind == Kind::remote_label) {
    const auto found = slot.graph->labels.find(syntax.label);
    if (found == slot.graph->labels.end()) return truth(false, syntax.range);
    return is_at(slot, found->second, syntax.range);
  }
  if (syntax.variable == nullptr) return constant(slot.pid, syntax.range);
  const Variable& variable = *syntax.variable;
  if (const auto fixed = channels_.find({&slot, &variable}); is_fixed(variable) && fixed != channels_.end())
    return constant(fixed->second.front().id(), syntax.range);
  ir::Place place = place_of(&slot, variable);
  if (syntax.b) {
    const ir::SiteId site = build_.site(ir::FaultKind::bad_index, syntax.range, quote(syntax.range));
    place = element(std::move(place), number(*syntax.b), site);
  }
  return as_number(read(place, syntax.range));
}

const ir::Expr* Lowering::is_at(const Slot& slot, std::uint32_t location, SourceRange range) {
  ir::Expr& now = build_.expr(IrKind::read_or_undefined, slot.location->type, range);
  now.place = build_.place(at(*slot.location));
  return compare(IrKind::equal, &now,
                 build_.constant(slot.location->type->value(std::uint64_t{location} + 1), slot.location->type, range));
}

const ir::Expr* Lowering::is_present(const Slot& slot, SourceRange range) {
  ir::Expr& absent = build_.expr(IrKind::is_undefined, build_.boolean(), range);
  absent.place = build_.place(at(*slot.location));
  return negation(&absent, range);
}

}  // namespace fathom::promela
