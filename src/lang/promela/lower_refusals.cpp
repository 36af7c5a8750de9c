// What a model uses beyond the usual, found before anything is lowered; and what cannot be had: a located message,
// never a wrong answer.
#include <fmt/format.h>

#include "lang/promela/lowering.hpp"
#include "lang/promela/walk.hpp"

namespace fathom::promela {

bool Lowering::survey() {
  for (const EmbeddedC& each : model_.embedded) refuse_embedded(each.range);
  for (const auto& global : model_.globals) survey(*global);
  for (const auto& process : model_.processes) survey(*process);
  const auto atom = [&](const Expr& whole) {
    if (options_.claims) refuse_in_atom(whole);
    for_each_expression(whole, [&](const Expr& e) { survey_expression(e); });
  };
  for (const LtlProperty& property : model_.properties)
    if (property.formula) for_each_atom(*property.formula, atom);
  return diagnostics_.failed();
}

void Lowering::refuse_embedded(SourceRange range) {
  has_c_code_ = true;
  if (options_.native_code) return;
  diagnostics_.error("F504", range, "the model contains C code, which could do anything on this machine").help =
      "if you trust the model, allow it with --allow-native-code";
}

void Lowering::survey(const Variable& variable) {
  const auto each = [&](const Expr& e) { survey_expression(e); };
  if (variable.value) for_each_expression(*variable.value, each);
  for (const ExprPtr& value : variable.values) for_each_expression(*value, each);
}

void Lowering::survey(const Process& process) {
  if (process.kind == Process::Kind::never && options_.claims) refuse_in_claim(process);
  if (process.has_priority) {
    has_priorities_ = true;
    refuse_with_rendezvous(process.name_range, OriginId{}, "`priority`");
  }
  if (process.provided) for_each_expression(*process.provided, [&](const Expr& e) { survey_expression(e); });
  for (const auto& local : process.variables) survey(*local);
  for_each_statement(process.body, [&](const Stmt& statement) {
    survey_statement(statement);
    for_each_expression(statement, [&](const Expr& e) { survey_expression(e); });
  });
}

void Lowering::refuse_in_claim(const Process& claim) {
  for_each_statement(claim.body, [&](const Stmt& statement) {
    if (statement.a) refuse_in_atom(*statement.a);
  });
}

// What `timeout` is in a claim of Spin's depends on where else the claim could go, and on whether some process waits
// for one: docs/promela.md.
void Lowering::refuse_in_atom(const Expr& atom) {
  for_each_expression(atom, [&](const Expr& part) {
    if (part.kind != Expr::Kind::timeout) return;
    Diagnostic& refusal =
        diagnostics_.error("F502", part.range, "`timeout` says nothing definite about a state in a claim");
    refusal.notes = model_.origins.notes(part.origin);
    refusal.help =
        "name the places or values at which the processes wait; a state in which all wait for ever is an invalid end "
        "state";
  });
}

void Lowering::survey_statement(const Stmt& statement) {
  const bool assigns = statement.kind == Stmt::Kind::assign || statement.kind == Stmt::Kind::increment ||
                       statement.kind == Stmt::Kind::decrement;
  const bool sets = assigns && statement.a && statement.a->kind == Expr::Kind::own_priority;
  if (statement.kind == Stmt::Kind::set_priority || sets) {
    has_priorities_ = true;
    refuse_with_rendezvous(statement.range, statement.origin, "a priority");
  }
  if (statement.kind == Stmt::Kind::embedded_c) refuse_embedded(statement.range);
}

void Lowering::survey_expression(const Expr& e) {
  switch (e.kind) {
    case Expr::Kind::last:
      mentions_last_ = true;
      return;
    case Expr::Kind::enabled:
      return refuse_with_rendezvous(e.range, e.origin, "`enabled`");
    case Expr::Kind::embedded_c:
      return refuse_embedded(e.range);
    case Expr::Kind::run:
      if (e.value == 0) return;
      has_priorities_ = true;
      return refuse_with_rendezvous(e.range, e.origin, "a priority");
    default:
      return;
  }
}

}  // namespace fathom::promela
