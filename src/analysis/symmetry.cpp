#include "analysis/symmetry.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "analysis/loop_independence.hpp"

namespace fathom {

namespace {

using ir::Expr;
using ir::Stmt;
using TypeKind = ir::Type::Kind;

std::vector<const ir::Type*> parts(const ir::Type& scalar) {
  return scalar.kind == TypeKind::unite ? scalar.members : std::vector<const ir::Type*>{&scalar};
}

// Collects what breaks the symmetry of a type.
class Findings {
 public:
  explicit Findings(const ir::Program& program) : program_(program) {}

  // Blames every scalarset among the values of a scalar type, once per place in the text.
  void blame(const ir::Type& scalar, const char* code, SourceRange range, const std::string& message,
             std::vector<Note> notes = {}) {
    for (const ir::Type* part : parts(scalar)) {
      if (part->kind == TypeKind::scalarset) blame_set(*part, code, range, message, notes);
    }
  }

  SymmetryAnalysis finish() {
    SymmetryAnalysis result;
    std::set<std::int64_t> seen;
    for (const ir::Type& type : program_.types) {
      if (type.kind != TypeKind::scalarset || type.cardinality() < 2 || !seen.insert(type.lo).second) continue;
      if (!unsafe_.contains(type.lo)) result.safe.push_back(&type);
    }
    result.warnings = std::move(warnings_);
    return result;
  }

 private:
  void blame_set(const ir::Type& set, const char* code, SourceRange range, const std::string& message,
                 std::vector<Note> notes) {
    if (set.cardinality() < 2) return;
    unsafe_.insert(set.lo);
    if (!reported_.insert({set.lo, range.begin}).second) return;
    const std::string name = set.name.empty() ? "a scalarset" : "scalarset `" + set.name + "`";
    warnings_.push_back({Severity::warning, code, range, message + name, std::move(notes),
                         "symmetry reduction leaves it out by default; `--reduce symmetry` permutes it all the same"});
  }

  const ir::Program& program_;
  std::set<std::int64_t> unsafe_;  // first values of scalarsets
  std::set<std::pair<std::int64_t, std::uint32_t>> reported_;
  std::vector<Diagnostic> warnings_;
};

// ---- Things that name an element or put elements in an order ------------------------------------------------------

bool orders_or_computes(Expr::Kind kind) {
  switch (kind) {
    case Expr::Kind::less:
    case Expr::Kind::less_equal:
    case Expr::Kind::greater:
    case Expr::Kind::greater_equal:
      return true;
    default:
      return kind >= Expr::Kind::negate && kind <= Expr::Kind::bit_xor && kind != Expr::Kind::logical_not;
  }
}

void check_constant(const Expr& expr, Findings& findings) {
  for (const ir::Type* part : parts(*expr.type)) {
    if (part->contains(expr.value)) findings.blame(*part, "F301", expr.range, "this speaks of one element of ");
  }
}

void check_domain(const ir::Domain& domain, const ir::Local& local, SourceRange range, Findings& findings) {
  if (domain.from != nullptr) findings.blame(*local.type, "F304", range, "this runs through a part of ");
}

void check_expressions(const ir::Program& program, Findings& findings) {
  for (const Expr& expr : program.exprs) {
    if (expr.kind == Expr::Kind::constant) check_constant(expr, findings);
    if (expr.binding != nullptr && expr.kind != Expr::Kind::multiset_count) {
      check_domain(expr.binding->domain, *expr.binding->local, expr.range, findings);
    }
    if (!orders_or_computes(expr.kind)) continue;
    for (const Expr* operand : {expr.a, expr.b}) {
      if (operand != nullptr) findings.blame(*operand->type, "F303", expr.range, "this depends on an order of ");
    }
  }
}

// `clear` gives a leaf the smallest value of its type.
void check_clear(const ir::Type& type, SourceRange range, Findings& findings) {
  switch (type.kind) {
    case TypeKind::array:
      return check_clear(*type.element, range, findings);
    case TypeKind::record:
      for (const ir::Field& field : type.fields) check_clear(*field.type, range, findings);
      return;
    case TypeKind::multiset:
      return;  // becomes empty
    default:
      findings.blame(*parts(type).front(), "F302", range, "`clear` singles out the first element of ");
  }
}

void check_statements(const ir::Program& program, Findings& findings) {
  for (const Stmt& stmt : program.stmts) {
    if (stmt.kind == Stmt::Kind::clear) check_clear(*stmt.place->type, stmt.range, findings);
    if (stmt.kind == Stmt::Kind::loop_for) {
      check_domain(stmt.binding->domain, *stmt.binding->local, stmt.range, findings);
    }
  }
}

void check_parameters(const std::vector<ir::Parameter>& parameters, Findings& findings) {
  for (const ir::Parameter& parameter : parameters) {
    const ir::Type& type = *parameter.local->type;
    if (type.is_scalar() && parameter.domain.size() != type.cardinality()) {
      findings.blame(type, "F304", parameter.local->range, "this runs through a part of ");
    }
  }
}

// ---- Loops ----------------------------------------------------------------------------------------------------------

bool is_over_scalarset(const Stmt& stmt) {
  if (stmt.kind != Stmt::Kind::loop_for) return false;
  const ir::Domain& domain = stmt.binding->domain;
  return domain.from == nullptr && domain.type != nullptr &&
         std::ranges::any_of(parts(*domain.type),
                             [](const ir::Type* part) { return part->kind == TypeKind::scalarset; });
}

// Looks at every loop over a scalarset in the contexts in which it is executed, so that a function is judged with what
// its `var` parameters are bound to.
class LoopChecker {
 public:
  LoopChecker(const ir::Program& program, Findings& findings)
      : program_(program), uses_(program), findings_(findings) {}

  void routine(const ir::Routine& routine, std::initializer_list<const Expr*> expressions) {
    Environment environment;
    for (const Expr* expr : expressions) expression(expr, environment);
    block(routine.body, environment);
  }

 private:
  static constexpr unsigned max_calls = 100'000;

  void block(const ir::Block& body, Environment& environment) {
    for (const Stmt* stmt : body) statement(*stmt, environment);
  }

  void statement(const Stmt& stmt, Environment& environment) {
    if (stmt.kind == Stmt::Kind::bind) environment.references[stmt.local] = {stmt.place, &environment};
    if (is_over_scalarset(stmt)) loop(stmt, environment);
    for (const ir::Place* place : {stmt.place, stmt.source}) this->place(place, environment);
    expression(stmt.value, environment);
    call(stmt.call, environment);
    for (const ir::Branch& branch : stmt.branches) {
      expression(branch.condition, environment);
      block(branch.body, environment);
    }
    block(stmt.body, environment);
  }

  void expression(const Expr* expr, const Environment& environment) {
    if (expr == nullptr) return;
    for (const ir::Place* place : {expr->place, expr->other}) this->place(place, environment);
    for (const Expr* part : {expr->a, expr->b, expr->c}) expression(part, environment);
    call(expr->call, environment);
  }

  void place(const ir::Place* place, const Environment& environment) {
    if (place == nullptr) return;
    expression(place->call, environment);
    for (const ir::PathStep& step : place->path) expression(step.index, environment);
  }

  void call(const ir::Call* call, const Environment& environment) {
    if (call == nullptr) return;
    for (const ir::Argument& argument : call->arguments) {
      expression(argument.value, environment);
      place(argument.place, environment);
    }
    if (++calls_ > max_calls || is_running(environment, *call->callee) || call->callee->user_code) return give_up();
    Environment inner = enter(*call, environment);
    block(call->callee->routine.body, inner);
  }

  void loop(const Stmt& stmt, Environment& environment) {
    if (auto dependence = order_dependence(stmt, environment, uses_)) blame(stmt, std::move(dependence->notes));
  }

  // Recursion, or more calls than we care to follow: any loop may run in a context that we have not seen.
  void give_up() {
    for (const Stmt& stmt : program_.stmts) {
      if (is_over_scalarset(stmt)) blame(stmt, {{stmt.range, "the calls that lead here could not be followed"}});
    }
  }

  void blame(const Stmt& stmt, std::vector<Note> notes) {
    findings_.blame(*stmt.binding->domain.type, "F300", stmt.range,
                    "the result may depend on the order in which this loop runs through ", std::move(notes));
  }

  const ir::Program& program_;
  const LocalUses uses_;
  Findings& findings_;
  unsigned calls_ = 0;
};

void check_loops(const ir::Program& program, Findings& findings) {
  LoopChecker checker{program, findings};
  for (const ir::Edge* edge : program.edges()) checker.routine(edge->routine, {edge->guard});
  for (const auto& start : program.starts) checker.routine(start->routine, {start->guard});
  for (const auto& property : program.properties) {
    checker.routine(property->routine, {property->condition, property->antecedent});
  }
}

}  // namespace

SymmetryAnalysis analyse_symmetry(const ir::Program& program) {
  Findings findings{program};
  check_expressions(program, findings);
  check_statements(program, findings);
  for (const ir::Edge* edge : program.edges()) check_parameters(edge->parameters, findings);
  for (const auto& start : program.starts) check_parameters(start->parameters, findings);
  for (const auto& property : program.properties) check_parameters(property->parameters, findings);
  check_loops(program, findings);
  return findings.finish();
}

}  // namespace fathom
