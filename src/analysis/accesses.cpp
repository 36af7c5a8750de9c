#include "analysis/accesses.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace fathom {

namespace {

using ir::Expr;
using ir::Place;
using ir::Stmt;

// Whether two expressions are written alike; only for the simple ones that occur as indices.
bool is_same(const Expr& a, const Expr& b);

bool is_same(const Place& a, const Place& b) {
  return a.variable == b.variable && a.local == b.local && a.call == nullptr && b.call == nullptr &&
         std::ranges::equal(a.path, b.path, [](const ir::PathStep& x, const ir::PathStep& y) {
           if (x.kind != y.kind || x.field != y.field) return false;
           return x.kind == ir::PathStep::Kind::field || is_same(*x.index, *y.index);
         });
}

bool is_same(const Expr& a, const Expr& b) {
  if (a.kind == Expr::Kind::constant) return b.kind == Expr::Kind::constant && a.value == b.value;
  return is_plain_read(a) && is_plain_read(b) && is_same(*a.place, *b.place);
}

bool is_natural(const Expr& expr) {
  if (expr.kind == Expr::Kind::constant) return expr.value >= expr.type->zero;
  return is_plain_read(expr) && expr.type->lo >= expr.type->zero;
}

// x := x + e and its like. The sum must grow in one direction, or a partial sum could leave the range of x in one order
// and stay inside in the other.
struct Accumulation {
  Access::Kind kind;
  const Expr* operand;
};

std::optional<Accumulation> accumulation(const Stmt& assign) {
  const Expr& value = *assign.value;
  const auto adds_to_place = [&](const Expr* side) {
    return side != nullptr && is_plain_read(*side) && is_same(*side->place, *assign.place);
  };
  const Expr* const operand = adds_to_place(value.a) ? value.b : value.a;
  if (!adds_to_place(value.a) && (value.kind == Expr::Kind::subtract || !adds_to_place(value.b))) return std::nullopt;
  switch (value.kind) {
    case Expr::Kind::logical_and:
      return Accumulation{Access::Kind::conjoin, operand};
    case Expr::Kind::logical_or:
      return Accumulation{Access::Kind::disjoin, operand};
    case Expr::Kind::add:
      if (is_natural(*operand)) return Accumulation{Access::Kind::increase, operand};
      break;
    case Expr::Kind::subtract:
      if (is_natural(*operand)) return Accumulation{Access::Kind::decrease, operand};
      break;
    default:
      break;
  }
  return std::nullopt;
}

class Collector {
 public:
  Collector(const Stmt& loop, const Environment& environment, const LocalUses& uses)
      : loop_(loop), home_(environment), uses_(uses) {}

  LoopEffects collect(Environment& environment) {
    block(loop_.body, environment);
    return std::move(effects_);
  }

 private:
  // Calls can multiply; a model that needs more than this is not going to be understood.
  static constexpr unsigned max_statements = 100'000;

  void block(const ir::Block& body, Environment& environment) {
    const auto number = static_cast<unsigned>(effects_.parent_block.size());
    effects_.parent_block.push_back(block_);
    const unsigned outer = std::exchange(block_, number);
    for (const Stmt* stmt : body) {
      if (++statements_ > max_statements) effects_.unknown = true;
      if (effects_.unknown) break;
      statement(*stmt, environment);
    }
    block_ = outer;
  }

  void statement(const Stmt& stmt, Environment& environment) {
    switch (stmt.kind) {
      case Stmt::Kind::assign:
        return assign(stmt, environment);
      case Stmt::Kind::copy:
        read(*stmt.source, environment);
        return change(stmt, environment, value_kind(is_invariant(*stmt.source, environment)));
      case Stmt::Kind::undefine:
      case Stmt::Kind::clear:
        return change(stmt, environment, Access::Kind::same_value);
      case Stmt::Kind::branch:
        for (const ir::Branch& branch : stmt.branches) {
          expression(branch.condition, environment);
          block(branch.body, environment);
        }
        return;
      case Stmt::Kind::loop_while:
        expression(stmt.value, environment);
        return block(stmt.body, environment);
      case Stmt::Kind::loop_for:
        bind(*stmt.binding, environment);
        return block(stmt.body, environment);
      case Stmt::Kind::call:
        return call(*stmt.call, environment);
      case Stmt::Kind::give_back:
        return give_back(stmt, environment);
      case Stmt::Kind::check:
      case Stmt::Kind::check_and_go_on:
      case Stmt::Kind::assume:
      case Stmt::Kind::cover:
        return expression(stmt.value, environment);
      case Stmt::Kind::bind:
        indices(*stmt.place, environment);
        environment.references[stmt.local] = {stmt.place, &environment};
        return;
      case Stmt::Kind::multiset_add:
        expression(stmt.value, environment);
        if (stmt.source != nullptr) read(*stmt.source, environment);
        return change(stmt, environment, Access::Kind::insert);
      case Stmt::Kind::multiset_remove:
        expression(stmt.value, environment);
        return change(stmt, environment, Access::Kind::write);
      case Stmt::Kind::multiset_remove_if:
        bind(*stmt.binding, environment);
        expression(stmt.value, environment);
        return change(stmt, environment, Access::Kind::remove);
      case Stmt::Kind::fail:
      case Stmt::Kind::put_text:
      case Stmt::Kind::put_value:
        return;  // output is not part of a state
    }
  }

  static Access::Kind value_kind(bool invariant) { return invariant ? Access::Kind::same_value : Access::Kind::write; }

  void assign(const Stmt& stmt, Environment& environment) {
    if (const auto sum = accumulation(stmt)) {
      expression(sum->operand, environment);
      return change(stmt, environment, sum->kind);
    }
    expression(stmt.value, environment);
    change(stmt, environment, value_kind(is_invariant(*stmt.value, environment)));
  }

  void give_back(const Stmt& stmt, Environment& environment) {
    expression(stmt.value, environment);
    if (stmt.source != nullptr) read(*stmt.source, environment);
    if (environment.depth > home_.depth) return;
    const Stmt* const earlier = effects_.returns.empty() ? nullptr : effects_.returns.front();
    effects_.returns.push_back(&stmt);
    if (stmt.source != nullptr) effects_.returns_vary = true;
    if (stmt.value == nullptr) return;
    if (!is_invariant(*stmt.value, environment)) effects_.returns_vary = true;
    if (earlier != nullptr && !is_same(*earlier->value, *stmt.value)) effects_.returns_vary = true;
  }

  void bind(const ir::Binding& binding, const Environment& environment) {
    bound_.insert(binding.local);
    expression(binding.domain.from, environment);
    expression(binding.domain.to, environment);
    expression(binding.domain.step, environment);
  }

  void expression(const Expr* expr, const Environment& environment) {
    if (expr == nullptr) return;
    if (expr->binding != nullptr) bind(*expr->binding, environment);
    if (expr->place != nullptr) read(*expr->place, environment);
    if (expr->other != nullptr) read(*expr->other, environment);
    if (expr->call != nullptr) call(*expr->call, environment);
    for (const Expr* part : {expr->a, expr->b, expr->c}) expression(part, environment);
  }

  void call(const ir::Call& call, const Environment& environment) {
    for (const ir::Argument& argument : call.arguments) {
      expression(argument.value, environment);
      if (argument.place != nullptr) indices(*argument.place, environment);
    }
    for (std::size_t k = 0; k < call.arguments.size(); ++k) {
      const bool copied = call.callee->parameters[k]->storage != ir::Local::Storage::reference;
      if (copied && call.arguments[k].place != nullptr) read(*call.arguments[k].place, environment);
    }
    if (is_running(environment, *call.callee) || call.callee->user_code) {
      effects_.unknown = true;
      return;
    }
    Environment inner = enter(call, environment);
    const unsigned outer_call = std::exchange(call_, ++calls_);
    block(call.callee->routine.body, inner);
    call_ = outer_call;
  }

  void indices(const Place& place, const Environment& environment) {
    if (place.call != nullptr) expression(place.call, environment);
    for (const ir::PathStep& step : place.path) expression(step.index, environment);
  }

  void read(const Place& place, const Environment& environment) {
    indices(place, environment);
    auto access = resolve(place, environment);
    if (!access) return;
    access->block = block_;
    effects_.accesses.push_back(std::move(*access));
  }

  void change(const Stmt& stmt, const Environment& environment, Access::Kind kind) {
    indices(*stmt.place, environment);
    auto access = resolve(*stmt.place, environment);
    if (!access) return;
    access->kind = kind;
    access->statement = &stmt;
    access->call = call_;
    access->block = block_;
    effects_.accesses.push_back(std::move(*access));
  }

  // Nothing for places that begin afresh in every iteration: the loop variables, and the locals of what is called.
  std::optional<Access> resolve(const Place& place, const Environment& environment) {
    std::optional<Access> access;
    if (place.variable != nullptr) {
      access.emplace().variable = place.variable;
    } else if (const auto found = environment.references.find(place.local); found != environment.references.end()) {
      access = resolve(*found->second.first, *found->second.second);
    } else if (place.local->storage == ir::Local::Storage::reference) {
      effects_.unknown = true;
    } else if (!is_fresh(place, environment)) {
      access.emplace().local = place.local;
    }
    if (!access) return std::nullopt;
    for (const ir::PathStep& step : place.path) access->path.push_back(classify(step, environment));
    access->range = place.range;
    return access;
  }

  [[nodiscard]] bool is_fresh(const Place& place, const Environment& environment) const {
    return environment.depth > home_.depth || place.call != nullptr || place.local == loop_.binding->local ||
           bound_.contains(place.local);
  }

  [[nodiscard]] AccessStep classify(const ir::PathStep& step, const Environment& environment) const {
    if (step.kind == ir::PathStep::Kind::field) return {AccessStep::Kind::field, step.field};
    if (step.kind == ir::PathStep::Kind::slot) return {AccessStep::Kind::other, 0};
    if (step.index->kind == Expr::Kind::constant) return {AccessStep::Kind::constant, step.index->value};
    if (is_loop_variable(*step.index, environment)) return {AccessStep::Kind::loop_variable, 0};
    return {AccessStep::Kind::other, 0};
  }

  [[nodiscard]] bool is_loop_variable(const Expr& expr, const Environment& environment) const {
    return is_plain_read(expr) && is_loop_variable(*expr.place, environment);
  }

  [[nodiscard]] bool is_loop_variable(const Place& place, const Environment& environment) const {
    if (!place.path.empty() || place.local == nullptr) return false;
    if (place.local == loop_.binding->local) return !uses_.assigned.contains(place.local);
    if (const auto found = environment.references.find(place.local); found != environment.references.end()) {
      return is_loop_variable(*found->second.first, *found->second.second);
    }
    const auto found = environment.values.find(place.local);
    if (found == environment.values.end() || uses_.assigned.contains(place.local)) return false;
    return is_loop_variable(*found->second.first, *found->second.second);
  }

  // Whether the value is the same in every iteration, provided that no iteration writes what it reads from globals:
  // such a write is a dependence already.
  [[nodiscard]] bool is_invariant(const Expr& expr, const Environment& environment) const {
    if (expr.call != nullptr || expr.binding != nullptr) return false;
    if (expr.place != nullptr && !is_invariant(*expr.place, environment)) return false;
    if (expr.other != nullptr && !is_invariant(*expr.other, environment)) return false;
    const auto part_is_invariant = [&](const Expr* part) {
      return part == nullptr || is_invariant(*part, environment);
    };
    return part_is_invariant(expr.a) && part_is_invariant(expr.b) && part_is_invariant(expr.c);
  }

  [[nodiscard]] bool is_invariant(const Place& place, const Environment& environment) const {
    const bool path_is_invariant = std::ranges::all_of(place.path, [&](const ir::PathStep& step) {
      return step.index == nullptr || is_invariant(*step.index, environment);
    });
    if (!path_is_invariant || place.call != nullptr) return false;
    if (place.variable != nullptr) return true;
    if (const auto found = environment.references.find(place.local); found != environment.references.end()) {
      return is_invariant(*found->second.first, *found->second.second);
    }
    if (uses_.assigned.contains(place.local)) return false;
    if (const auto found = environment.values.find(place.local); found != environment.values.end()) {
      return is_invariant(*found->second.first, *found->second.second);
    }
    return !is_fresh(place, environment);
  }

  const Stmt& loop_;
  const Environment& home_;
  const LocalUses& uses_;
  LoopEffects effects_;
  std::set<const ir::Local*> bound_;  // by loops and quantifiers inside the body
  unsigned statements_ = 0;
  unsigned calls_ = 0;
  unsigned call_ = 0;
  unsigned block_ = 0;
};

}  // namespace

bool LoopEffects::encloses(unsigned outer, unsigned inner) const {
  while (inner > outer) inner = parent_block[inner];
  return inner == outer;
}

Environment enter(const ir::Call& call, const Environment& caller) {
  Environment inner{
      .caller = &caller, .function = call.callee, .depth = caller.depth + 1, .values = {}, .references = {}};
  for (std::size_t k = 0; k < call.arguments.size(); ++k) {
    const ir::Local* const parameter = call.callee->parameters[k];
    const ir::Argument& argument = call.arguments[k];
    if (argument.value != nullptr) inner.values[parameter] = {argument.value, &caller};
    if (argument.place != nullptr && parameter->storage == ir::Local::Storage::reference) {
      inner.references[parameter] = {argument.place, &caller};
    }
  }
  return inner;
}

bool is_running(const Environment& environment, const ir::Function& function) {
  for (const Environment* e = &environment; e != nullptr; e = e->caller) {
    if (e->function == &function) return true;
  }
  return false;
}

LocalUses::LocalUses(const ir::Program& program) {
  const auto add_read = [&](const Place* place) {
    if (place != nullptr && place->local != nullptr) reads[place->local].push_back(place);
  };
  for (const Expr& expr : program.exprs) {
    add_read(expr.place);
    add_read(expr.other);
  }
  for (const ir::Call& call : program.calls) {
    for (const ir::Argument& argument : call.arguments) {
      add_read(argument.place);
      if (argument.place != nullptr && argument.place->local != nullptr) assigned.insert(argument.place->local);
    }
  }
  for (const Stmt& stmt : program.stmts) {
    const bool overwrites = stmt.kind == Stmt::Kind::assign || stmt.kind == Stmt::Kind::copy ||
                            stmt.kind == Stmt::Kind::undefine || stmt.kind == Stmt::Kind::clear;
    add_read(stmt.source);
    if (!overwrites) add_read(stmt.place);
    const bool writes = stmt.place != nullptr && stmt.kind != Stmt::Kind::put_value;
    if (writes && stmt.place->local != nullptr) assigned.insert(stmt.place->local);
  }
}

LoopEffects effects_of(const ir::Stmt& loop, Environment& environment, const LocalUses& uses) {
  return Collector{loop, environment, uses}.collect(environment);
}

}  // namespace fathom
