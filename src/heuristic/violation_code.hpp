// The code that estimates how far a state is from the nearest violation a search looks for.
//
// An invariant is violated where its condition is false. A failed assertion or error statement needs its process to be
// at the statement, the step to be enabled, the branches on the way to be taken and the condition to be false; what the
// body of the step writes on the way is left out of account. Where nothing of the kind is stated and deadlocks are
// looked for, the guards of all steps are to become false.
//
// A lower bound has to be one of everything that a search may report: of every step that may end in a run-time error,
// too, and of deadlocks wherever they are looked for. What can be violated at all is then found by may_steps.hpp.
#pragma once

#include <string>

#include "heuristic/formula_compiler.hpp"
#include "heuristic/goals.hpp"
#include "heuristic/may_steps.hpp"

namespace fathom {

class ViolationCode {
 public:
  // All three must outlive this.
  ViolationCode(const Goals& goals, ModelFacts& facts, EstimateCode& code, FormulaStyle style);

  // Appends the code.
  [[nodiscard]] EstimateCode::Ref make();
  [[nodiscard]] EstimateCode::Ref make_lower_bound(MaySteps& steps);
  // What it aims at: "invariants and assertions", "deadlocks"; "" if there is nothing.
  [[nodiscard]] const std::string& aim() const { return aim_; }
  // It had to be cut short: then nothing is a lower bound.
  [[nodiscard]] bool is_truncated() const { return truncated_ || compiler_.is_truncated(); }

 private:
  using Ref = EstimateCode::Ref;
  using Scope = FormulaCompiler::Scope;

  struct Edge {
    const ir::Edge* ir = nullptr;
    const ir::Component* component = nullptr;
  };

  void add(const Terms& terms, std::int64_t steps);
  void add_invariants();
  void add_assertions();
  void add_deadlock();
  void add_violations(const MaySteps& steps);
  void add_failing(MaySteps& steps);
  void add_deadlock_bound(MaySteps& steps);
  [[nodiscard]] Scope scope_of(const MaySteps::Instance& instance);
  // How far a step is from being impossible.
  [[nodiscard]] Ref impossible(const Edge& edge, Scope& scope);
  [[nodiscard]] bool has_room();
  // Calls visit(scope) for the instances of parameters.
  template <class Visit>
  void for_each_instance(const std::vector<ir::Parameter>& parameters, const ir::Routine& routine, Visit visit);

  // Assertions in code: `terms` is what it takes to come there.
  void walk(const ir::Block& block, Scope& scope, Terms& terms);
  void walk(const ir::Stmt& stmt, Scope& scope, Terms& terms);
  void walk_branches(const ir::Stmt& stmt, Scope& scope, Terms& terms);
  void walk_call(const ir::Call& call, Scope& scope, Terms& terms);
  void forget_assigned(const ir::Stmt& stmt, Scope& scope);
  void add_location(const Edge& edge, bool there, Terms& terms);

  static constexpr std::uint64_t max_instances = 256;
  static constexpr std::size_t max_blocked = 6;       // steps of which a lower bound for deadlocks is made
  static constexpr unsigned max_depth = 8;            // of calls
  static constexpr unsigned max_statements = 20'000;  // walked through

  const Goals& goals_;
  ModelFacts& facts_;
  EstimateCode& code_;
  FormulaCompiler compiler_;
  std::vector<Edge> edges_;
  std::string aim_;
  Ref nearest_;
  unsigned depth_ = 0;
  unsigned statements_ = 0;
  bool truncated_ = false;
};

}  // namespace fathom
