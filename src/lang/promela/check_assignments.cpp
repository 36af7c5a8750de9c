// Assignments and initial values: channels are no numbers, and the names of one mtype are none of another.
#include <fmt/format.h>

#include "lang/promela/check.hpp"
#include "lang/promela/expressions.hpp"
#include "lang/promela/walk.hpp"

namespace fathom::promela {

namespace {

using Kind = Expr::Kind;

class AssignmentChecks {
 public:
  AssignmentChecks(const ParsedModel& model, Diagnostics& diagnostics) : model_(model), diagnostics_(diagnostics) {}

  void initial_values(const Variable& variable) {
    if (variable.value) assigned(variable.type, variable.name, *variable.value);
    for (const ExprPtr& value : variable.values) assigned(variable.type, variable.name, *value);
    const auto no_run = [&](const Expr& part) {
      if (part.kind == Kind::run) error("F466", part, "`run` cannot be used in an initial value");
    };
    if (variable.value) for_each_expression(*variable.value, no_run);
    if (variable.value && variable.scope == Variable::Scope::field && !fold(*variable.value))
      error("F443", *variable.value, "the initial value of a field must be a constant");
  }

  void assigned(const Type& type, const std::string& name, const Expr& value, bool field = false) {
    if (type.is(Type::Kind::chan) && value.is_constant() && !field)
      error("F440", value, fmt::format("`{}` is a channel and cannot be assigned a number", name));
    const bool names_another = value.is_constant() && value.type.is(Type::Kind::mtype) && type.set != value.type.set;
    if (type.is(Type::Kind::mtype) && type.set != nullptr && !type.set->name.empty() && names_another && !field)
      error("F440", value, fmt::format("`{}` is {}, but this is {}", name, to_string(type), to_string(value.type)));
    if (!value.is_designator()) channel_operands(value);
  }

 private:
  // Operators must not be applied to channels.
  void channel_operands(const Expr& expression) {
    const bool compares = expression.kind == Kind::equal || expression.kind == Kind::not_equal;
    for (const Expr* part : {expression.a.get(), expression.b.get(), expression.c.get()}) {
      if (part == nullptr || takes_channel(expression.kind)) continue;
      const bool channel = part->is_designator() && part->type.is(Type::Kind::chan);
      if (channel && !compares) error("F440", *part, "a channel is no number");
      if (!part->is_designator()) channel_operands(*part);
    }
  }
  static bool takes_channel(Kind kind) {
    return kind == Kind::length || kind == Kind::full || kind == Kind::empty || kind == Kind::not_full ||
           kind == Kind::not_empty || kind == Kind::poll || kind == Kind::conditional;
  }
  void error(const char* code, const Expr& at, std::string message) {
    report(model_, diagnostics_, Severity::error, code, at.range, at.origin, std::move(message));
  }

  const ParsedModel& model_;
  Diagnostics& diagnostics_;
};

std::string name_of(const Expr& place) {
  return place.is_designator() ? declaration_of(place).name : "_";
}

}  // namespace

void check_assignments(const ParsedModel& model, Diagnostics& diagnostics) {
  AssignmentChecks checks(model, diagnostics);
  for (const auto& variable : model.globals) checks.initial_values(*variable);
  for (const auto& type : model.typedefs)
    for (const auto& field : type->fields) checks.initial_values(*field);
  for (const auto& process : model.processes) {
    for (const auto& variable : process->variables) checks.initial_values(*variable);
    for_each_statement(process->body, [&](const Stmt& statement) {
      if (statement.kind != Stmt::Kind::assign) return;
      // In a structure 0 stands for no channel.
      const bool field = statement.a->is_designator() && root_of(*statement.a).type.is(Type::Kind::user);
      checks.assigned(statement.a->type, name_of(*statement.a), *statement.b, field);
    });
  }
}

}  // namespace fathom::promela
