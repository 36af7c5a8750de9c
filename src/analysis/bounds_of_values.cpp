// BoundsWalk: expressions and conditions.
#include <algorithm>
#include <utility>

#include "analysis/bounds_walk.hpp"

namespace fathom {

using ir::Expr;
using Kind = ir::Expr::Kind;

namespace {

Kind opposite(Kind kind) {
  switch (kind) {
    case Kind::equal:
      return Kind::not_equal;
    case Kind::not_equal:
      return Kind::equal;
    case Kind::less:
      return Kind::greater_equal;
    case Kind::less_equal:
      return Kind::greater;
    case Kind::greater:
      return Kind::less_equal;
    default:
      return Kind::less;
  }
}

// The comparison with its sides exchanged.
Kind mirrored(Kind kind) {
  switch (kind) {
    case Kind::less:
      return Kind::greater;
    case Kind::less_equal:
      return Kind::greater_equal;
    case Kind::greater:
      return Kind::less;
    case Kind::greater_equal:
      return Kind::less_equal;
    default:
      return kind;
  }
}

// Those values of `a` for which the comparison holds with some value of `b`.
Interval those(Kind kind, Interval a, Interval b) {
  switch (kind) {
    case Kind::equal:
      return a.common(b);
    case Kind::not_equal:
      if (b.lo != b.hi) return a;
      if (a.lo == b.lo) return {a.lo + 1, a.hi};
      return a.hi == b.lo ? Interval{a.lo, a.hi - 1} : a;
    case Kind::less:
      return a.common({a.lo, b.hi - 1});
    case Kind::less_equal:
      return a.common({a.lo, b.hi});
    case Kind::greater:
      return a.common({b.lo + 1, a.hi});
    default:
      return a.common({b.lo, a.hi});
  }
}

// Far enough from the ends of 64 bits for sums and differences.
bool is_small(Interval values) {
  constexpr std::int64_t bound = std::int64_t{1} << 40;
  return values.is_within({-bound, bound});
}

}  // namespace

Interval BoundsWalk::value(const Expr& expr) {
  switch (expr.kind) {
    case Kind::constant:
      return Interval::only(expr.value);
    case Kind::read:
    case Kind::read_or_undefined:
      return read(expr);
    case Kind::is_undefined:
    case Kind::timeout:
      return Interval::truth();
    case Kind::logical_not: {
      const Interval a = value(*expr.a);
      return a == Interval::only(0) ? Interval::only(1) : a.contains(0) ? Interval::truth() : Interval::only(0);
    }
    case Kind::logical_and:
    case Kind::logical_or:
    case Kind::implies:
      return logical(expr);
    case Kind::conditional:
      return conditional(expr);
    case Kind::for_all:
    case Kind::exists:
      return quantified(expr);
    case Kind::call:
      return call(*expr.call);
    case Kind::negate:
    case Kind::complement:
      value(*expr.a);
      return expr.type->is_machine() ? values_of(ir::machine_int()) : Interval{};
    case Kind::undefined_value:
    case Kind::same:
    case Kind::different:
    case Kind::is_member:
    case Kind::slot_filled:
    case Kind::multiset_count:
      give_up();
      return {};
    default:
      return arithmetic(expr);
  }
}

Interval BoundsWalk::arithmetic(const Expr& expr) {
  const Interval a = value(*expr.a), b = value(*expr.b);
  if (is_comparison(expr.kind)) {
    if (a.empty() || b.empty() || those(expr.kind, a, b).empty()) return Interval::only(0);
    return those(opposite(expr.kind), a, b).empty() ? Interval::only(1) : Interval::truth();
  }
  if (expr.type->is_machine()) return machine_result(expr.kind, a, b);
  if (!is_small(a) || !is_small(b)) return {};
  if (expr.kind == Kind::add) return {a.lo + b.lo, a.hi + b.hi};
  if (expr.kind == Kind::subtract) return {a.lo - b.hi, a.hi - b.lo};
  return {};
}

Interval BoundsWalk::read(const Expr& expr) {
  const ir::Place& place = *expr.place;
  if (place.variable == nullptr) {
    if (place.local->storage == ir::Local::Storage::in_register) return now_.registers[place.local->slot];
    give_up();
    return {};
  }
  evaluate_indices(place);
  const std::uint32_t cell = cells_.at(place).first;
  if (!place.type->is_machine()) return expr.kind == Kind::read ? values_of(*place.type) : Interval{};
  return now_.cells[cell];
}

void BoundsWalk::evaluate_indices(const ir::Place& place) {
  for (const ir::PathStep& step : place.path)
    if (step.index != nullptr) value(*step.index);
  if (place.call != nullptr) give_up();
}

Interval BoundsWalk::logical(const Expr& expr) {
  const Interval a = value(*expr.a);
  const bool or_like = expr.kind != Kind::logical_and;
  const bool goes_on_with = expr.kind != Kind::logical_or;  // the value of `a` for which `b` is evaluated
  note_work();
  const Bounds skipped = now_;
  assume(*expr.a, goes_on_with);
  const bool evaluated = now_.reachable;
  const Interval b = evaluated ? value(*expr.b) : Interval::only(or_like ? 1 : 0);
  now_.join(skipped);
  if (!evaluated) return Interval::only(or_like ? 1 : 0);
  const bool always = goes_on_with ? !a.contains(0) : a == Interval::only(0);
  if (always && !b.contains(0)) return Interval::only(1);
  return always && b == Interval::only(0) ? Interval::only(0) : Interval::truth();
}

Interval BoundsWalk::conditional(const Expr& expr) {
  value(*expr.a);
  note_work();
  const Bounds before = now_;
  const auto result = [&](bool decision, const Expr& chosen) {
    now_ = before;
    assume(*expr.a, decision);
    const Interval values = now_.reachable ? value(chosen) : Interval::none();
    return now_.reachable ? values : Interval::none();
  };
  const Interval yes = result(true, *expr.b);
  const Bounds behind = now_;
  const Interval no = result(false, *expr.c);
  now_.join(behind);
  return yes.joined(no);
}

Interval BoundsWalk::quantified(const Expr& expr) {
  const Bounds before = now_;
  bind(*expr.binding);
  value(*expr.a);
  now_.registers = before.registers;
  now_.join(before);
  return Interval::truth();
}

Interval BoundsWalk::call(const ir::Call& call) {
  const ir::Function& callee = *call.callee;
  const bool simple = std::ranges::all_of(call.arguments, [](const auto& each) { return each.value != nullptr; });
  // A function without a body does what nobody here knows.
  if (depth_ == max_depth || !simple || callee.routine.body.empty()) {
    give_up();
    return {};
  }
  std::vector<Interval> arguments;
  for (std::size_t k = 0; k < call.arguments.size(); ++k)
    arguments.push_back(fitted(*callee.parameters[k]->type, value(*call.arguments[k].value)));
  std::vector<Interval> registers = now_.registers;
  const auto outer_returned = std::exchange(returned_, std::nullopt);
  const auto outer_result = std::exchange(result_, Interval::none());
  ++depth_;
  begin_routine(callee.routine);
  for (std::size_t k = 0; k < arguments.size() && understood_; ++k)
    now_.registers[callee.parameters[k]->slot] = arguments[k];
  execute(callee.routine.body);
  --depth_;
  if (callee.result != nullptr) stop();  // whoever comes to the end gives nothing back, which is a fault
  if (returned_) now_.join(*returned_);
  now_.registers = std::move(registers);
  const Interval result = fitted(callee.result != nullptr ? *callee.result : ir::machine_int(), result_);
  returned_ = outer_returned;
  result_ = outer_result;
  return result;
}

void BoundsWalk::assume(const Expr& condition, bool wanted) {
  if (!now_.reachable) return;
  switch (condition.kind) {
    case Kind::logical_not:
      return assume(*condition.a, !wanted);
    case Kind::logical_and:
      return wanted ? assume_both(*condition.a, true, *condition.b, true)
                    : assume_either(*condition.a, *condition.b, false);
    case Kind::logical_or:
      return wanted ? assume_either(*condition.a, *condition.b, true)
                    : assume_both(*condition.a, false, *condition.b, false);
    default:
      break;
  }
  if (is_comparison(condition.kind)) return assume_comparison(condition, wanted);
  const Interval values = value(condition);
  if (wanted ? values == Interval::only(0) : !values.contains(0)) return stop();
  narrow(condition, wanted ? those(Kind::not_equal, values, Interval::only(0)) : Interval::only(0));
}

void BoundsWalk::assume_both(const Expr& a, bool a_wanted, const Expr& b, bool b_wanted) {
  assume(a, a_wanted);
  assume(b, b_wanted);
}

// The second is looked at only where the first does not decide.
void BoundsWalk::assume_either(const Expr& a, const Expr& b, bool wanted) {
  note_work();
  const Bounds before = now_;
  assume(a, wanted);
  const Bounds first = std::exchange(now_, before);
  assume_both(a, !wanted, b, wanted);
  now_.join(first);
}

void BoundsWalk::assume_comparison(const Expr& expr, bool wanted) {
  const Kind kind = wanted ? expr.kind : opposite(expr.kind);
  const bool is_condition = expr.a->kind == Kind::conditional && expr.b->kind == Kind::constant && expr.b->value == 0 &&
                            (kind == Kind::not_equal || kind == Kind::equal);
  const bool is_number = is_condition && expr.a->b->kind == Kind::constant && expr.a->b->value == 1 &&
                         expr.a->c->kind == Kind::constant && expr.a->c->value == 0;
  if (is_number) return assume(*expr.a->a, kind == Kind::not_equal);
  const Interval a = value(*expr.a), b = value(*expr.b);
  if (!now_.reachable || !is_small(a) || !is_small(b)) return;
  const Interval of_a = those(kind, a, b), of_b = those(mirrored(kind), b, a);
  if (of_a.empty() || of_b.empty()) return stop();
  narrow(*expr.a, of_a);
  narrow(*expr.b, of_b);
}

// The expression has one of these values; what it reads is known better by that.
void BoundsWalk::narrow(const Expr& expr, Interval to) {
  if (expr.kind != Kind::read && expr.kind != Kind::read_or_undefined) return;
  const ir::Place& place = *expr.place;
  if (!place.type->is_machine()) return;
  if (place.variable == nullptr) {
    if (place.local->storage != ir::Local::Storage::in_register) return;
    Interval& known = now_.registers[place.local->slot];
    known = known.common(to);
    return;
  }
  const ValueCells::Part part = cells_.at(place);
  if (part.exact) now_.cells[part.first] = now_.cells[part.first].common(to);
}

}  // namespace fathom
