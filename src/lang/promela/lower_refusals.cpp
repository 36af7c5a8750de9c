// What the language has and the lowering has not: a located message, never a wrong answer.
#include <fmt/format.h>

#include "lang/promela/lowering.hpp"
#include "lang/promela/walk.hpp"

namespace fathom::promela {

bool Lowering::refuse_unsupported() {
  for (const EmbeddedC& each : model_.embedded) refuse_embedded(each.range);
  if (options_.claims)
    for (const LtlProperty& property : model_.properties)
      for_each_atom(*property.formula, [&](const Expr& atom) { refuse_in_atom(atom); });
  for (const auto& process : model_.processes) refuse_in(*process);
  return diagnostics_.failed();
}

void Lowering::refuse(SourceRange range, OriginId origin, const std::string& what) {
  diagnostics_.error("F502", range, fmt::format("{} is not supported yet", what)).notes = model_.origins.notes(origin);
}

void Lowering::refuse_embedded(SourceRange range) {
  if (options_.native_code) return refuse(range, OriginId{}, "embedded C");
  diagnostics_.error("F504", range, "the model contains C code, which could do anything on this machine").help =
      "if you trust the model, allow it with --allow-native-code";
}

void Lowering::refuse_in(const Process& process) {
  const bool events = process.kind == Process::Kind::trace || process.kind == Process::Kind::notrace;
  if (events) refuse(process.range, OriginId{}, "`trace`");
  if (process.kind == Process::Kind::never && options_.claims) refuse_in_claim(process);
  if (process.kind != Process::Kind::proctype && process.kind != Process::Kind::init) return;
  if (process.deterministic) refuse(process.name_range, OriginId{}, "D_proctype");
  has_priorities_ |= process.has_priority;
  if (process.provided) for_each_expression(*process.provided, [&](const Expr& e) { refuse_expression(e); });
  for_each_statement(process.body, [&](const Stmt& statement) {
    refuse_statement(statement);
    for_each_expression(statement, [&](const Expr& e) { refuse_expression(e); });
  });
}

void Lowering::refuse_in_claim(const Process& claim) {
  for_each_statement(claim.body, [&](const Stmt& statement) {
    if (statement.a) refuse_in_atom(*statement.a);
  });
}

// A claim is no process: what only processes have it has not.
void Lowering::refuse_in_atom(const Expr& atom) {
  for_each_expression(atom, [&](const Expr& part) {
    if (part.kind == Expr::Kind::pid || part.kind == Expr::Kind::own_priority)
      refuse(part.range, part.origin, "a claim's own number or priority");
    if (part.kind == Expr::Kind::timeout) refuse(part.range, part.origin, "`timeout` in a claim");
    if (part.kind != Expr::Kind::non_progress) refuse_expression(part);
  });
}

void Lowering::refuse_statement(const Stmt& statement) {
  if (statement.kind == Stmt::Kind::set_priority) refuse(statement.range, statement.origin, "set_priority");
  if (statement.kind == Stmt::Kind::embedded_c) refuse_embedded(statement.range);
  const bool assigns = statement.kind == Stmt::Kind::assign || statement.kind == Stmt::Kind::increment ||
                       statement.kind == Stmt::Kind::decrement;
  if (assigns && statement.a && statement.a->kind == Expr::Kind::own_priority)
    refuse(statement.range, statement.origin, "an assignment to _priority");
}

void Lowering::refuse_expression(const Expr& e) {
  switch (e.kind) {
    case Expr::Kind::last:
      return refuse(e.range, e.origin, "_last");
    case Expr::Kind::non_progress:
      return refuse(e.range, e.origin, "np_");
    case Expr::Kind::get_priority:
      return refuse(e.range, e.origin, "get_priority");
    case Expr::Kind::enabled:
      return refuse(e.range, e.origin, "enabled()");
    case Expr::Kind::pc_value:
      return refuse(e.range, e.origin, "pc_value()");
    case Expr::Kind::embedded_c:
      return refuse_embedded(e.range);
    case Expr::Kind::run:
      if (e.value != 0) refuse(e.range, e.origin, "`run` with a priority");
      return;
    default:
      return;
  }
}

}  // namespace fathom::promela
