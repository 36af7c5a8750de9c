#include "lang/promela/visibility.hpp"

#include <algorithm>

#include "lang/promela/expressions.hpp"
#include "lang/promela/flow_graph.hpp"
#include "lang/promela/walk.hpp"

namespace fathom::promela {

namespace {

bool uses_next(const Ltl& formula) {
  return formula.kind == Ltl::Kind::next || (formula.a && uses_next(*formula.a)) ||
         (formula.b && uses_next(*formula.b));
}

bool has_rendezvous(const Variable& variable) {
  if (variable.channel && variable.channel->capacity == 0) return true;
  return variable.type.is(Type::Kind::user) &&
         std::ranges::any_of(variable.type.user->fields, [](const auto& field) { return has_rendezvous(*field); });
}

bool has_rendezvous(const ParsedModel& model) {
  const auto one_of = [](const auto& variables) {
    return std::ranges::any_of(variables, [](const auto& each) { return has_rendezvous(*each); });
  };
  return one_of(model.globals) ||
         std::ranges::any_of(model.processes, [&](const auto& process) { return one_of(process->variables); });
}

// Whether a send stands beside something of another rank.
bool ranks_a_send(const FlowGraph& graph, const FlowLocation& location) {
  bool send = false, ranked = false;
  for (const std::uint32_t number : location.edges) {
    const FlowEdge& edge = graph.edges[number];
    send |= edge.statement != nullptr && edge.statement->kind == Stmt::Kind::send;
    ranked |= edge.rank != 0;
  }
  return send && ranked;
}

bool asks_for_partners(const ParsedModel& model) {
  if (!has_rendezvous(model)) return false;
  return std::ranges::any_of(model.processes, [](const auto& process) {
    if (!is_process(*process)) return false;
    Diagnostics reported_elsewhere;
    const auto graph = flow_graph(*process, reported_elsewhere);
    return graph != nullptr && std::ranges::any_of(graph->locations, [&](const FlowLocation& location) {
             return ranks_a_send(*graph, location);
           });
  });
}

bool sees_steps(const ParsedModel& model, bool claims) {
  const auto watches = [&](const auto& process) {
    return process->has_priority || (claims && process->kind == Process::Kind::never);
  };
  const auto counts = [&](const LtlProperty& property) { return uses_next(*property.formula); };
  return std::ranges::any_of(model.processes, watches) || (claims && std::ranges::any_of(model.properties, counts)) ||
         asks_for_partners(model);
}

void note(const Expr& part, Visibility& seen) {
  switch (part.kind) {
    case Expr::Kind::remote_label:
      seen.labels.insert(part.label);
      return;
    case Expr::Kind::remote_variable:
      if (part.variable != nullptr) seen.variables.insert(part.variable);
      return;
    case Expr::Kind::non_progress:
      seen.marks = true;
      return;
    case Expr::Kind::last:
    case Expr::Kind::enabled:
    case Expr::Kind::pc_value:
    case Expr::Kind::own_priority:
    case Expr::Kind::get_priority:
      seen.steps = true;
      return;
    case Expr::Kind::run:
      seen.steps |= part.value != 0;
      return;
    case Expr::Kind::embedded_c:
      seen.everything = true;
      return;
    default:
      return;
  }
}

void note(const Stmt& statement, Visibility& seen) {
  seen.steps |= statement.kind == Stmt::Kind::set_priority;
  seen.everything |= statement.kind == Stmt::Kind::embedded_c;
  for_each_expression(statement, [&](const Expr& part) { note(part, seen); });
}

}  // namespace

bool is_process(const Process& process) {
  return process.kind == Process::Kind::proctype || process.kind == Process::Kind::init;
}

Visibility visibility(const ParsedModel& model, bool claims, bool slice) {
  Visibility seen;
  seen.marks = claims;
  seen.steps = sees_steps(model, claims);
  seen.everything = !model.embedded.empty();
  for (const auto& process : model.processes) {
    if (process->provided) for_each_expression(*process->provided, [&](const Expr& part) { note(part, seen); });
    for_each_statement(process->body, [&](const Stmt& statement) { note(statement, seen); });
  }
  for (const LtlProperty& property : model.properties)
    for_each_atom(*property.formula,
                  [&](const Expr& atom) { for_each_expression(atom, [&](const Expr& part) { note(part, seen); }); });
  if (slice && !seen.everything) seen.unread = unread_variables(model, claims);
  return seen;
}

bool is_own(const Variable& variable, const Visibility& seen) {
  const bool of_process = variable.scope == Variable::Scope::local || variable.scope == Variable::Scope::parameter;
  return of_process && !seen.everything && !variable.hidden && !seen.variables.contains(&variable);
}

bool does_nothing(const Stmt& statement, const Visibility& seen) {
  using Kind = Stmt::Kind;
  const Kind kind = statement.kind;
  if (kind != Kind::assign && kind != Kind::increment && kind != Kind::decrement) return false;
  return statement.a->is_designator() && seen.unread.all.contains(&root_of(*statement.a)) &&
         is_harmless(*statement.a) && (!statement.b || is_harmless(*statement.b));
}

bool depends_on_own(const Expr& expression, const Visibility& seen) {
  bool own = true;
  for_each_expression(expression, [&](const Expr& part) {
    switch (part.kind) {
      case Expr::Kind::variable:
        own = own && is_own(*part.variable, seen);
        return;
      case Expr::Kind::number:
      case Expr::Kind::mtype_constant:
      case Expr::Kind::element:
      case Expr::Kind::field:
      case Expr::Kind::wildcard:
      case Expr::Kind::pid:
      case Expr::Kind::conditional:
        return;
      default:
        own = own && part.kind >= Expr::Kind::negate && part.kind <= Expr::Kind::logical_or;
    }
  });
  return own;
}

}  // namespace fathom::promela
