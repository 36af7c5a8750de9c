// BoundsWalk: statements.
#include "analysis/bounds_walk.hpp"

#include <utility>

namespace fathom {

using ir::Expr;
using ir::Place;
using ir::Stmt;

void Bounds::join(const Bounds& other) {
  if (!other.reachable) return;
  if (!reachable) {
    *this = other;
    return;
  }
  for (std::size_t k = 0; k < cells.size(); ++k) cells[k] = cells[k].joined(other.cells[k]);
  for (std::size_t k = 0; k < registers.size(); ++k) registers[k] = registers[k].joined(other.registers[k]);
  unsettled.insert(other.unsettled.begin(), other.unsettled.end());
}

Interval fitted(const ir::Type& type, Interval value) {
  if (!type.is_machine() || value.empty()) return value;
  const Interval all = values_of(type);
  return value.is_within(all) ? value : all;
}

void BoundsWalk::enter(const ir::Routine& routine, const std::vector<ir::Parameter>& parameters,
                       std::vector<Interval> cells) {
  now_.reachable = true;
  now_.unsettled.clear();
  now_.cells = std::move(cells);
  note_work();
  begin_routine(routine);
  for (const ir::Parameter& parameter : parameters) now_.registers[parameter.local->slot] = Interval{};
}

void BoundsWalk::begin_routine(const ir::Routine& routine) {
  now_.registers.assign(routine.registers, Interval{});
  for (const ir::Local& local : routine.locals) {
    if (local.storage != ir::Local::Storage::in_register) give_up();
    if (local.storage == ir::Local::Storage::in_register && local.type->is_machine())
      now_.registers[local.slot] = Interval::only(0);
  }
}

void BoundsWalk::execute(const ir::Block& block) {
  for (const Stmt* stmt : block)
    if (now_.reachable && understood_) execute(*stmt);
}

void BoundsWalk::execute(const Stmt& stmt) {
  switch (stmt.kind) {
    case Stmt::Kind::assign: {
      const Interval stored = value(*stmt.value);
      return assign(*stmt.place, stored);
    }
    case Stmt::Kind::copy:
      return copy(*stmt.place, *stmt.source);
    case Stmt::Kind::undefine:
    case Stmt::Kind::clear:
      return zero(*stmt.place);
    case Stmt::Kind::branch:
      return branch(stmt);
    case Stmt::Kind::loop_for:
      return loop(stmt);
    case Stmt::Kind::call:
      call(*stmt.call);
      return;
    case Stmt::Kind::give_back:
      return give_back(stmt);
    case Stmt::Kind::fail:
      return stop();
    case Stmt::Kind::check:
    case Stmt::Kind::assume:
      return assume(*stmt.value, true);
    case Stmt::Kind::check_and_go_on:
    case Stmt::Kind::cover:
      value(*stmt.value);
      return;
    case Stmt::Kind::put_text:
      return;
    case Stmt::Kind::put_value:
      if (stmt.value != nullptr) value(*stmt.value);
      return;
    default:
      give_up();
  }
}

void BoundsWalk::assign(const Place& place, Interval value) {
  if (!now_.reachable) return;
  if (place.variable == nullptr) {
    if (place.local->storage != ir::Local::Storage::in_register) return give_up();
    now_.registers[place.local->slot] = fitted(*place.type, value);
    return;
  }
  evaluate_indices(place);
  const ValueCells::Part part = cells_.at(place);
  store(part, part.first, value);
  if (place.type->is_machine() || !place.path.empty()) return;
  const bool known = value.lo == value.hi && place.type->contains(value.lo);
  listener_.moved(*place.variable,
                  known ? std::optional(static_cast<std::uint32_t>(place.type->code(value.lo) - 1)) : std::nullopt,
                  now_);
}

void BoundsWalk::store(ValueCells::Part part, std::uint32_t cell, Interval value) {
  const Interval stored = fitted(cells_.type(cell), value);
  now_.cells[cell] = part.exact ? stored : now_.cells[cell].joined(stored);
  listener_.stored(cell, stored, now_);
}

// Both have the same shape.
void BoundsWalk::copy(const Place& to, const Place& from) {
  if (to.variable == nullptr || from.variable == nullptr) return give_up();
  evaluate_indices(from);
  evaluate_indices(to);
  const ValueCells::Part source = cells_.at(from), target = cells_.at(to);
  if (source.end - source.first != target.end - target.first) return give_up();
  const Bounds before = now_;
  for (std::uint32_t k = 0; k < target.end - target.first; ++k)
    store(target, target.first + k, before.cells[source.first + k]);
}

void BoundsWalk::zero(const Place& place) {
  if (place.variable == nullptr) return assign(place, Interval::only(0));
  evaluate_indices(place);
  const ValueCells::Part part = cells_.at(place);
  for (std::uint32_t cell = part.first; cell < part.end; ++cell)
    if (cells_.type(cell).is_machine()) store(part, cell, Interval::only(0));
}

void BoundsWalk::branch(const Stmt& stmt) {
  Bounds behind;
  behind.reachable = false;
  bool decided = false;
  for (const ir::Branch& branch : stmt.branches) {
    if (!now_.reachable || !understood_) break;
    note_work();
    Bounds otherwise = now_;
    if (branch.condition != nullptr) {
      assume(*branch.condition, true);
      Bounds inside = std::exchange(now_, otherwise);
      assume(*branch.condition, false);
      otherwise = std::exchange(now_, std::move(inside));
    } else {
      decided = true;
    }
    execute(branch.body);
    behind.join(now_);
    now_ = std::move(otherwise);
    if (decided) break;
  }
  if (!decided) behind.join(now_);
  now_ = std::move(behind);
}

void BoundsWalk::bind(const ir::Binding& binding) {
  const ir::Domain& domain = binding.domain;
  const Interval values =
      domain.type != nullptr ? values_of(*domain.type) : value(*domain.from).joined(value(*domain.to));
  now_.registers[binding.local->slot] = values;
}

// The body may run any number of times.
void BoundsWalk::loop(const Stmt& stmt) {
  bind(*stmt.binding);
  const Interval values = now_.registers[stmt.binding->local->slot];
  for (std::uint32_t round = 0;; ++round) {
    note_work();
    const Bounds before = now_;
    execute(stmt.body);
    now_.join(before);
    now_.registers[stmt.binding->local->slot] = values;
    if (now_.cells == before.cells && now_.registers == before.registers) return;
    if (round > max_rounds || !understood_) return give_up();
    if (round > max_rounds / 2) widen(before);
  }
}

void BoundsWalk::widen(const Bounds& before) {
  for (std::uint32_t cell = 0; cell < now_.cells.size(); ++cell)
    if (now_.cells[cell] != before.cells[cell]) store({cell, cell + 1, true}, cell, values_of(cells_.type(cell)));
  for (std::size_t k = 0; k < now_.registers.size(); ++k)
    if (now_.registers[k] != before.registers[k]) now_.registers[k] = Interval{};
}

void BoundsWalk::give_back(const Stmt& stmt) {
  if (stmt.source != nullptr) return give_up();
  if (stmt.value != nullptr) result_ = result_.joined(value(*stmt.value));
  if (returned_)
    returned_->join(now_);
  else
    returned_ = now_;
  stop();
}

}  // namespace fathom
