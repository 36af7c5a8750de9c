#include "heuristic/violation_code.hpp"

#include <algorithm>

#include "ir/instance.hpp"

namespace fathom {

using ir::Stmt;
using Ref = EstimateCode::Ref;

ViolationCode::ViolationCode(const Goals& goals, ModelFacts& facts, EstimateCode& code, FormulaStyle style)
    : goals_(goals),
      facts_(facts),
      code_(code),
      compiler_(code, facts.cells, facts.steps, style),
      nearest_(code.constant(EstimateCode::never)) {
  for (const ir::Component& component : goals.program.components)
    for (const auto& edge : component.edges) edges_.push_back({edge.get(), &component});
}

Ref ViolationCode::make() {
  add_invariants();
  const bool invariants = nearest_ != code_.constant(EstimateCode::never);
  const Ref so_far = nearest_;
  add_assertions();
  const bool assertions = nearest_ != so_far;
  aim_ = invariants && assertions ? "invariants and assertions"
         : invariants             ? "invariants"
         : assertions             ? "assertions"
                                  : "";
  if (aim_.empty() && goals_.deadlock) add_deadlock();
  return aim_.empty() ? code_.constant(0) : nearest_;
}

void ViolationCode::add(const Terms& terms, std::int64_t steps) {
  nearest_ = code_.smaller(nearest_, code_.sum(compiler_.all_of(terms), code_.constant(steps)));
}

template <class Visit>
void ViolationCode::for_each_instance(const std::vector<ir::Parameter>& parameters, const ir::Routine& routine,
                                      Visit visit) {
  std::uint64_t count = 1;
  for (const ir::Parameter& parameter : parameters) count = std::min(count * parameter.domain.size(), max_instances);
  for (std::uint64_t k = 0; k < count && code_.size() <= FormulaCompiler::max_code; ++k) {
    const std::vector<std::int64_t> values = ir::parameter_values(parameters, k);
    Scope scope{&routine};
    for (std::size_t p = 0; p < parameters.size(); ++p) scope.values[parameters[p].local] = code_.constant(values[p]);
    visit(scope);
  }
}

void ViolationCode::add_invariants() {
  for (std::size_t k = 0; k < goals_.program.properties.size(); ++k) {
    const ir::Property& property = *goals_.program.properties[k];
    if (property.kind != ir::Property::Kind::invariant || !goals_.selected[k]) continue;
    for_each_instance(property.parameters, property.routine, [&](Scope& scope) {
      Terms terms;
      compiler_.require(*property.condition, false, scope, terms);
      add(terms, 0);
    });
  }
}

// Whether the process is at the edge, or anywhere else.
void ViolationCode::add_location(const Edge& edge, bool there, Terms& terms) {
  if (edge.component->location == nullptr) return;
  const std::uint32_t cell = *facts_.cells.at(edge.component->location->offset);
  if (!facts_.steps.follows(cell)) return;
  std::vector<bool> wanted(facts_.steps.codes(cell), !there);
  wanted[std::size_t{edge.ir->source} + 1] = there;
  terms.push_back(compiler_.cell_term(cell, wanted));
}

Ref ViolationCode::impossible(const Edge& edge, Scope& scope) {
  Terms elsewhere;
  add_location(edge, false, elsewhere);
  Ref nearest = code_.constant(elsewhere.empty() ? EstimateCode::never : 0);
  if (!elsewhere.empty()) nearest = elsewhere.front().distance;
  if (edge.ir->guard == nullptr) return nearest;
  return code_.smaller(nearest, compiler_.distance(*edge.ir->guard, false, scope));
}

void ViolationCode::add_deadlock() {
  Terms terms;
  for (const Edge& edge : edges_)
    for_each_instance(edge.ir->parameters, edge.ir->routine, [&](Scope& scope) {
      const Ref distance = impossible(edge, scope);
      if (!code_.is_constant(distance)) terms.push_back({distance});
    });
  if (terms.empty()) return;
  aim_ = "deadlocks";
  add(terms, 0);
}

// ---- Lower bounds ---------------------------------------------------------------------------------------------------

Ref ViolationCode::make_lower_bound(MaySteps& steps) {
  aim_ = "everything that is checked";
  add_violations(steps);
  add_failing(steps);
  if (goals_.deadlock) add_deadlock_bound(steps);
  return nearest_;
}

bool ViolationCode::has_room() {
  truncated_ = truncated_ || code_.size() > FormulaCompiler::max_code;
  return !truncated_;
}

ViolationCode::Scope ViolationCode::scope_of(const MaySteps::Instance& instance) {
  const ir::Edge& edge = *edges_[instance.edge].ir;
  Scope scope{&edge.routine};
  for (std::size_t p = 0; p < edge.parameters.size(); ++p)
    scope.values[edge.parameters[p].local] = code_.constant(instance.parameters[p]);
  return scope;
}

void ViolationCode::add_violations(const MaySteps& steps) {
  for (const StateViolation& violation : steps.state_violations()) {
    if (!has_room()) return;
    Terms terms;
    for (const Conjunct& conjunct : violation.conjuncts) {
      Scope scope{violation.routine};
      for (const auto& [local, value] : conjunct.locals) scope.values[local] = code_.constant(value);
      compiler_.require(*conjunct.expr, conjunct.wanted, scope, terms);
    }
    add(terms, 0);
  }
}

// A step that fails has to be enabled; where the guard itself may fail, its process has to be there.
void ViolationCode::add_failing(MaySteps& steps) {
  const TouchFinder finder(goals_.program, facts_.cells, {{}, facts_.defined});
  steps.forget_all();
  for (const MaySteps::Instance& instance : steps.instances()) {
    const MayStep step = steps.take(instance, [](const std::vector<CellSet>&) {});
    if (!step.fails && !step.unknown) continue;
    if (!has_room()) return;
    const Edge& edge = edges_[instance.edge];
    Terms terms;
    add_location(edge, true, terms);
    LocalValues values;
    for (std::size_t p = 0; p < edge.ir->parameters.size(); ++p)
      values[edge.ir->parameters[p].local] = instance.parameters[p];
    Scope scope = scope_of(instance);
    if (edge.ir->guard != nullptr && !finder.may_fault(*edge.ir->guard, values))
      compiler_.require(*edge.ir->guard, true, scope, terms);
    add(terms, 1);
  }
}

// Every step that would lead on has to become impossible. Some of them are enough for a bound, and most models have
// very many.
void ViolationCode::add_deadlock_bound(MaySteps& steps) {
  steps.forget_all();
  if (!steps.may_be_deadlock()) return;
  Terms terms;
  for (const MaySteps::Instance& instance : steps.instances()) {
    if (!has_room()) return;
    if (terms.size() == max_blocked) break;
    if (!steps.surely_moves(instance)) continue;
    Scope scope = scope_of(instance);
    terms.push_back({impossible(edges_[instance.edge], scope)});
  }
  add(terms, 0);
}

// ---- Assertions -----------------------------------------------------------------------------------------------------

void ViolationCode::add_assertions() {
  for (const Edge& edge : edges_)
    for_each_instance(edge.ir->parameters, edge.ir->routine, [&](Scope& scope) {
      Terms terms;
      add_location(edge, true, terms);
      if (edge.ir->guard != nullptr) compiler_.require(*edge.ir->guard, true, scope, terms);
      walk(edge.ir->routine.body, scope, terms);
    });
}

void ViolationCode::walk(const ir::Block& block, Scope& scope, Terms& terms) {
  for (const Stmt* stmt : block) {
    if (++statements_ > max_statements) return;
    walk(*stmt, scope, terms);
    if (stmt->kind == Stmt::Kind::give_back || stmt->kind == Stmt::Kind::fail) return;
  }
}

void ViolationCode::walk(const Stmt& stmt, Scope& scope, Terms& terms) {
  switch (stmt.kind) {
    case Stmt::Kind::check_and_go_on:
      if (!goals_.assertions) return;
      [[fallthrough]];
    case Stmt::Kind::check: {
      const std::size_t before = terms.size();
      compiler_.require(*stmt.value, false, scope, terms);
      add(terms, 1);
      terms.resize(before);
      return;
    }
    case Stmt::Kind::fail:
      return add(terms, 1);
    case Stmt::Kind::branch:
      return walk_branches(stmt, scope, terms);
    case Stmt::Kind::call:
      return walk_call(*stmt.call, scope, terms);
    case Stmt::Kind::bind: {
      scope.addresses.erase(stmt.local);
      if (const auto at = compiler_.address(*stmt.place, scope)) scope.addresses[stmt.local] = *at;
      return;
    }
    case Stmt::Kind::assign: {
      const ir::Local* const local = stmt.place->local;
      if (local == nullptr || local->storage != ir::Local::Storage::in_register) return;
      scope.values.erase(local);
      if (const auto value = compiler_.value(*stmt.value, scope)) scope.values[local] = *value;
      return;
    }
    case Stmt::Kind::loop_for:
      forget_assigned(stmt, scope);
      compiler_.for_each_value(*stmt.binding, scope, [&] { walk(stmt.body, scope, terms); });
      return forget_assigned(stmt, scope);
    case Stmt::Kind::loop_while:
      forget_assigned(stmt, scope);
      walk(stmt.body, scope, terms);
      return forget_assigned(stmt, scope);
    default:
      return;
  }
}

void ViolationCode::walk_branches(const Stmt& stmt, Scope& scope, Terms& terms) {
  const std::size_t before = terms.size();
  const Scope outer = scope;
  for (const ir::Branch& branch : stmt.branches) {
    const std::size_t skipped = terms.size();
    if (branch.condition != nullptr) compiler_.require(*branch.condition, true, scope, terms);
    walk(branch.body, scope, terms);
    scope = outer;
    terms.resize(skipped);
    if (branch.condition != nullptr) compiler_.require(*branch.condition, false, scope, terms);
  }
  terms.resize(before);
  forget_assigned(stmt, scope);
}

void ViolationCode::walk_call(const ir::Call& call, Scope& scope, Terms& terms) {
  if (depth_ == max_depth) return;
  Scope inner{&call.callee->routine};
  for (std::size_t k = 0; k < call.arguments.size(); ++k) {
    const ir::Local* const parameter = call.callee->parameters[k];
    const ir::Argument& argument = call.arguments[k];
    if (argument.value != nullptr) {
      if (const auto value = compiler_.value(*argument.value, scope)) inner.values[parameter] = *value;
    } else if (parameter->storage == ir::Local::Storage::reference) {
      if (const auto at = compiler_.address(*argument.place, scope)) inner.addresses[parameter] = *at;
    }
  }
  ++depth_;
  walk(call.callee->routine.body, inner, terms);
  --depth_;
}

// What a statement may assign is not known behind it, and inside it neither where it is a loop.
void ViolationCode::forget_assigned(const Stmt& stmt, Scope& scope) {
  if (stmt.kind == Stmt::Kind::assign && stmt.place->local != nullptr) scope.values.erase(stmt.place->local);
  for (const Stmt* part : stmt.body) forget_assigned(*part, scope);
  for (const ir::Branch& branch : stmt.branches)
    for (const Stmt* part : branch.body) forget_assigned(*part, scope);
}

}  // namespace fathom
