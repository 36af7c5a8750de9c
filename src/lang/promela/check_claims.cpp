// What belongs into never claims and traces only, and what must not stand there; what a `provided` may depend on.
#include <fmt/format.h>

#include "lang/promela/check.hpp"
#include "lang/promela/walk.hpp"

namespace fathom::promela {

namespace {

using Kind = Expr::Kind;

class ClaimChecks {
 public:
  ClaimChecks(const ParsedModel& model, Diagnostics& diagnostics) : model_(model), diagnostics_(diagnostics) {}

  void process(const Process& process) {
    const bool claim = process.kind == Process::Kind::never;
    const bool events = process.kind == Process::Kind::trace || process.kind == Process::Kind::notrace;
    if (claim && !process.variables.empty())
      complain(Severity::error, "F458", process.variables.front()->range, process.variables.front()->origin,
               "a never claim cannot have variables of its own");
    for_each_statement(process.body, [&](const Stmt& statement) {
      if (claim) in_claim(statement);
      if (events) in_events(statement);
      for_each_expression(statement, [&](const Expr& part) { expression(part, claim); });
    });
    if (process.provided) provided(*process.provided, process, false);
  }

  void formula(const Ltl& formula) {
    for_each_atom(formula,
                  [&](const Expr& atom) { for_each_expression(atom, [&](const Expr& part) { in_condition(part); }); });
  }

 private:
  void in_claim(const Stmt& statement) {
    if (statement.kind == Stmt::Kind::send || statement.kind == Stmt::Kind::receive)
      complain(Severity::error, "F458", statement.range, statement.origin, "a never claim cannot send or receive");
    const bool assigns = statement.kind == Stmt::Kind::assign || statement.kind == Stmt::Kind::increment ||
                         statement.kind == Stmt::Kind::decrement || statement.kind == Stmt::Kind::select;
    if (assigns)
      complain(Severity::warning, "F458", statement.range, statement.origin,
               "a never claim should not change the state");
  }

  void in_events(const Stmt& statement) {
    switch (statement.kind) {
      case Stmt::Kind::receive:
        if (statement.random || statement.copy)
          complain(Severity::error, "F469", statement.range, statement.origin, "a trace looks at plain receives only");
        return;
      case Stmt::Kind::send:
      case Stmt::Kind::choice:
      case Stmt::Kind::repetition:
      case Stmt::Kind::jump:
      case Stmt::Kind::leave:
        return;
      default:
        complain(Severity::error, "F469", statement.range, statement.origin,
                 "a trace consists of sends and receives only");
    }
  }

  // As in Spin, and hardly what was meant.
  void in_condition(const Expr& part) {
    if (part.kind == Kind::pid)
      complain(Severity::warning, "F474", part.range, part.origin, "the `_pid` of a claim is always 0");
    if (part.kind == Kind::own_priority)
      complain(Severity::warning, "F474", part.range, part.origin, "the `_priority` of a claim is always 1");
  }

  void expression(const Expr& part, bool claim) {
    if (claim) in_condition(part);
    if (part.kind == Kind::run && claim)
      complain(Severity::error, "F458", part.range, part.origin, "a never claim cannot create processes");
    if (part.kind == Kind::non_progress && !claim)
      complain(Severity::error, "F474", part.range, part.origin, "`np_` can only be used in a never claim");
    if ((part.kind == Kind::enabled || part.kind == Kind::pc_value) && !claim)
      complain(Severity::warning, "F474", part.range, part.origin,
               fmt::format("`{}` outside of a never claim", part.kind == Kind::enabled ? "enabled" : "pc_value"));
  }

  // As in Spin a parameter may be an index, and nothing else.
  void provided(const Expr& part, const Process& process, bool is_index) {
    const bool local = part.kind == Kind::variable && part.variable->scope != Variable::Scope::global;
    const bool refused = part.kind == Kind::run || part.kind == Kind::timeout || part.kind == Kind::embedded_c ||
                         part.kind == Kind::remote_label || part.kind == Kind::remote_variable;
    if ((local && !is_index) || refused)
      complain(Severity::error, "F459", part.range, part.origin,
               fmt::format("the `provided` of `{}` can depend on global variables only", process.name));
    for (const Expr* inner : {part.a.get(), part.b.get(), part.c.get()})
      if (inner != nullptr)
        provided(*inner, process, is_index || (part.kind == Kind::element && inner == part.b.get()));
    for (const ExprPtr& argument : part.arguments) provided(*argument, process, is_index);
  }

  void complain(Severity severity, const char* code, SourceRange range, OriginId origin, std::string message) {
    report(model_, diagnostics_, severity, code, range, origin, std::move(message));
  }

  const ParsedModel& model_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check_claims(const ParsedModel& model, Diagnostics& diagnostics) {
  ClaimChecks checks(model, diagnostics);
  for (const auto& process : model.processes) checks.process(*process);
  for (const LtlProperty& property : model.properties)
    if (property.formula) checks.formula(*property.formula);
}

}  // namespace fathom::promela
