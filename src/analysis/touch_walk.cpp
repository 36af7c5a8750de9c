#include "analysis/touch_walk.hpp"

#include <algorithm>
#include <utility>

namespace fathom {

using ir::Expr;
using ir::Place;
using ir::Stmt;

namespace {

// A defined value, or possibly none.
const Written any_value{.anything = true, .values = {}};
const Written anything{.anything = true, .values = {ir::undefined}};

}  // namespace

TouchWalk::TouchWalk(const TouchFinder& finder, const LocalValues& locals)
    : finder_(finder), found_(finder.cells_.size()), overwritten_(finder.cells_.size()) {
  home_.values = locals;
}

Touches TouchWalk::expression(const Expr& expr) {
  visit(&expr);
  return std::move(found_);
}

Touches TouchWalk::body(const ir::Block& body) {
  visit(body);
  return std::move(found_);
}

// ---- Places ---------------------------------------------------------------------------------------------------------

TouchWalk::Region TouchWalk::base_of(const Place& place) {
  if (place.variable != nullptr) return {!place.variable->hidden, true, {place.variable->offset}, 0};
  if (const auto found = frame_->references.find(place.local); found != frame_->references.end()) return found->second;
  if (place.local->storage == ir::Local::Storage::reference) found_.unfollowed = true;
  return {};
}

TouchWalk::Region TouchWalk::region(const Place& place) {
  Region at = base_of(place);
  for (const ir::PathStep& step : place.path) {
    if (!at.in_state || !at.exact) break;
    follow(step, at);
  }
  if (at.exact) at.bits = place.type->bits;
  return at;
}

void TouchWalk::follow(const ir::PathStep& step, Region& at) {
  const ir::Type& container = *step.container;
  if (step.kind == ir::PathStep::Kind::field) {
    for (std::uint32_t& offset : at.offsets) offset += container.fields[step.field].offset;
    return;
  }
  const auto settle_for_stretch = [&] {
    const auto [first, last] = std::ranges::minmax(at.offsets);
    at = {true, false, {first}, last + container.bits - first};
  };
  if (step.kind == ir::PathStep::Kind::slot) return settle_for_stretch();
  if (is_known_undefined(*step.index)) at.in_state = false;  // a fault, before anything is touched
  if (!at.in_state) return;
  if (const std::optional<std::int64_t> index = constant(*step.index)) {
    if (!container.index->contains(*index)) at.in_state = false;
    if (!at.in_state) return;
    const std::uint64_t position = container.index->code(*index) - 1;
    for (std::uint32_t& offset : at.offsets) offset += static_cast<std::uint32_t>(position) * container.stride;
    return;
  }
  const std::uint64_t count = container.index->cardinality();
  if (at.offsets.size() * count > max_offsets) return settle_for_stretch();
  std::vector<std::uint32_t> all;
  for (const std::uint32_t offset : at.offsets)
    for (std::uint64_t k = 0; k < count; ++k) all.push_back(offset + static_cast<std::uint32_t>(k) * container.stride);
  at.offsets = std::move(all);
}

std::optional<std::uint32_t> TouchWalk::cell(const Place& place) {
  if (!place.type->is_scalar()) return std::nullopt;
  const Region at = region(place);
  if (!at.in_state || !at.exact || at.offsets.size() != 1) return std::nullopt;
  return finder_.cells_.at(at.offsets.front());
}

std::optional<std::vector<std::uint32_t>> TouchWalk::offsets(const Place& place) {
  Region at = region(place);
  if (!at.in_state) return std::vector<std::uint32_t>{};
  if (!at.exact) return std::nullopt;
  return std::move(at.offsets);
}

void TouchWalk::read_indices(const Place& place) {
  if (place.call != nullptr) visit(place.call);
  const bool outer = std::exchange(in_index_, true);
  for (const ir::PathStep& step : place.path) visit(step.index);
  in_index_ = outer;
}

void TouchWalk::read(const Place& place) {
  read_indices(place);
  const Region at = region(place);
  if (!at.in_state) return;
  for (const std::uint32_t offset : at.offsets)
    finder_.cells_.each_in(offset, at.bits, [&](std::uint32_t cell) {
      found_.reads.set(cell);
      if (in_index_) found_.indices.set(cell);
    });
}

void TouchWalk::change(const Place& place, const Written& what) {
  read_indices(place);
  const Region at = region(place);
  if (!at.in_state) return;
  for (const std::uint32_t offset : at.offsets)
    finder_.cells_.each_in(offset, at.bits, [&](std::uint32_t cell) {
      found_.write(cell, what);
      overwritten_.set(cell);
    });
}

// ---- Expressions ----------------------------------------------------------------------------------------------------

void TouchWalk::visit(const Expr* expr) {
  if (expr == nullptr) return;
  if (expr->kind == Expr::Kind::timeout) found_.timeout = true;
  if (expr->kind == Expr::Kind::conditional) {
    if (const std::optional<std::int64_t> chosen = constant(*expr->a)) {
      visit(expr->a);
      return visit(*chosen != 0 ? expr->b : expr->c);
    }
  }
  if (is_decided_by_first(*expr)) return visit(expr->a);
  visit_operands(*expr);
}

// What comes second in an `and`, an `or` or an implication may never be looked at.
bool TouchWalk::is_decided_by_first(const Expr& expr) {
  const bool lazy =
      expr.kind == Expr::Kind::logical_and || expr.kind == Expr::Kind::logical_or || expr.kind == Expr::Kind::implies;
  if (!lazy) return false;
  const std::optional<std::int64_t> first = constant(*expr.a);
  return first && (*first != 0) == (expr.kind == Expr::Kind::logical_or);
}

void TouchWalk::visit_operands(const Expr& expr) {
  const bool quantifies = expr.kind == Expr::Kind::for_all || expr.kind == Expr::Kind::exists;
  if (quantifies && write_out(*expr.binding, [&] { visit(expr.a); })) return;
  if (expr.binding != nullptr) visit(*expr.binding);
  if (expr.place != nullptr) read(*expr.place);
  if (expr.other != nullptr) read(*expr.other);
  if (expr.call != nullptr) visit(*expr.call);
  for (const Expr* part : {expr.a, expr.b, expr.c}) visit(part);
}

void TouchWalk::visit(const ir::Binding& binding) {
  frame_->values.erase(binding.local);
  visit(binding.domain.from);
  visit(binding.domain.to);
  visit(binding.domain.step);
}

bool TouchWalk::is_running(const ir::Function& function) const {
  for (const Frame* frame = frame_; frame != nullptr; frame = frame->caller)
    if (frame->function == &function) return true;
  return false;
}

void TouchWalk::visit(const ir::Call& call) {
  if (is_running(*call.callee) || call.callee->user_code) {
    found_.unfollowed = true;
    return;
  }
  Frame inner;
  inner.caller = frame_;
  inner.function = call.callee;
  for (std::size_t k = 0; k < call.arguments.size(); ++k) {
    const ir::Argument& argument = call.arguments[k];
    const ir::Local* const parameter = call.callee->parameters[k];
    visit(argument.value);
    if (argument.value != nullptr && !finder_.locals_->unsteady.contains(parameter)) {
      if (const auto value = constant(*argument.value)) inner.values[parameter] = parameter->type->fit(*value);
      if (is_known_undefined(*argument.value)) inner.values[parameter] = ir::undefined;
    }
    if (argument.place == nullptr) continue;
    if (parameter->storage != ir::Local::Storage::reference) {
      read(*argument.place);
      continue;
    }
    read_indices(*argument.place);
    inner.references[parameter] = region(*argument.place);
  }
  Frame* const outer = std::exchange(frame_, &inner);
  visit(call.callee->routine.body);
  frame_ = outer;
}

// ---- Statements -----------------------------------------------------------------------------------------------------

void TouchWalk::visit(const ir::Block& body) {
  for (const Stmt* stmt : body) {
    if (++statements_ > max_statements) found_.unfollowed = true;
    if (found_.unfollowed) return;
    visit(*stmt);
  }
}

void TouchWalk::visit(const Stmt& stmt) {
  switch (stmt.kind) {
    case Stmt::Kind::assign:
      return visit_assign(stmt);
    case Stmt::Kind::copy:
      read(*stmt.source);
      return change(*stmt.place, may_be_undefined(*stmt.source) ? anything : any_value);
    case Stmt::Kind::undefine: {
      const bool number = stmt.place->type->is_machine();
      const Written nothing{.values = {number ? 0 : ir::undefined}};
      return change(*stmt.place, stmt.place->type->is_scalar() ? nothing : anything);
    }
    case Stmt::Kind::clear:
      return change(*stmt.place, any_value);
    case Stmt::Kind::branch:
      return visit_branch(stmt);
    case Stmt::Kind::loop_while:
    case Stmt::Kind::loop_for:
      return visit_loop(stmt);
    case Stmt::Kind::call:
      return visit(*stmt.call);
    case Stmt::Kind::bind:
      read_indices(*stmt.place);
      frame_->references[stmt.local] = region(*stmt.place);
      return;
    case Stmt::Kind::multiset_add:
    case Stmt::Kind::multiset_remove:
    case Stmt::Kind::multiset_remove_if:
      if (stmt.binding != nullptr) visit(*stmt.binding);
      visit(stmt.value);
      if (stmt.source != nullptr) read(*stmt.source);
      read(*stmt.place);
      return change(*stmt.place, anything);
    case Stmt::Kind::give_back:
    case Stmt::Kind::fail:
    case Stmt::Kind::check:
    case Stmt::Kind::check_and_go_on:
    case Stmt::Kind::assume:
    case Stmt::Kind::cover:
    case Stmt::Kind::put_text:
    case Stmt::Kind::put_value:
      visit(stmt.value);
      if (stmt.source != nullptr) read(*stmt.source);
      if (stmt.place != nullptr) read(*stmt.place);
      return;
  }
}

template <class Visit>
bool TouchWalk::write_out(const ir::Binding& binding, const Visit& visit) {
  const ir::Type* const type = binding.domain.type;
  if (type == nullptr || type->is_machine() || finder_.locals_->unsteady.contains(binding.local)) return false;
  const std::uint64_t count = type->cardinality();
  if (count == 0 || count > max_rounds / rounds_) return false;
  rounds_ *= count;
  for (std::uint64_t code = 1; code <= count; ++code) {
    frame_->values[binding.local] = type->value(code);
    visit();
  }
  frame_->values.erase(binding.local);
  rounds_ /= count;
  return true;
}

// What is assigned in a loop is not known behind it: there may have been no round.
void TouchWalk::visit_loop(const Stmt& stmt) {
  const LocalValues before = frame_->values;
  const bool over_type = stmt.kind == Stmt::Kind::loop_for && stmt.binding != nullptr;
  if (!over_type || !write_out(*stmt.binding, [&] { visit(stmt.body); })) repeat(stmt);
  frame_->values = before;
}

// A round may see what the one before has overwritten.
void TouchWalk::repeat(const Stmt& stmt) {
  if (stmt.binding != nullptr) visit(*stmt.binding);
  const LocalValues before = frame_->values;
  for (BitSet known = overwritten_;; known = overwritten_) {
    visit(stmt.value);
    visit(stmt.body);
    frame_->values = before;
    if (finder_.known_.values.empty() || known == overwritten_ || found_.unfollowed) return;
  }
}

// Branches that cannot be taken are left out. What is assigned in one branch is not known behind it.
void TouchWalk::visit_branch(const Stmt& stmt) {
  const LocalValues before = frame_->values;
  for (const ir::Branch& branch : stmt.branches) {
    visit(branch.condition);
    const std::optional<std::int64_t> taken = branch.condition == nullptr ? 1 : constant(*branch.condition);
    if (taken != 0) visit(branch.body);
    frame_->values = before;
    if (taken && taken != 0) return;
  }
}

void TouchWalk::visit_assign(const Stmt& stmt) {
  visit(stmt.value);
  change(*stmt.place, what_is_assigned(stmt));
  const ir::Local* const local = stmt.place->local;
  if (local == nullptr || local->storage != ir::Local::Storage::in_register) return;
  frame_->values.erase(local);
  if (finder_.locals_->unsteady.contains(local)) return;
  if (const auto value = constant(*stmt.value)) frame_->values[local] = local->type->fit(*value);
}

// A machine integer wraps around, so adding to it may make it smaller.
Written TouchWalk::what_is_assigned(const Stmt& stmt) {
  const Expr& value = *stmt.value;
  Written what;
  if (is_known_undefined(value)) {
    what.values = {ir::undefined};
  } else if (const auto number = constant(value)) {
    what.values = {stmt.place->type->fit(*number)};
  } else if ((value.kind == Expr::Kind::add || value.kind == Expr::Kind::subtract) && is_plain_read(*value.a) &&
             !stmt.place->type->is_machine() && value.type->zero == 0) {
    const auto by = constant(*value.b);
    const auto from = cell(*value.a->place), to = cell(*stmt.place);
    what.anything = !by || !from || from != to;
    what.more = !what.anything && (*by > 0) == (value.kind == Expr::Kind::add);
    what.less = !what.anything && !what.more;
  } else {
    what = may_be_undefined(value) ? anything : any_value;
  }
  return what;
}

}  // namespace fathom
