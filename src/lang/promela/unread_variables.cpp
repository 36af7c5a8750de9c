#include "lang/promela/unread_variables.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "lang/promela/expressions.hpp"
#include "lang/promela/visibility.hpp"
#include "lang/promela/walk.hpp"

namespace fathom::promela {

namespace {

bool holds_channels(const Variable& variable) {
  if (variable.channel || variable.type.is(Type::Kind::chan)) return true;
  return variable.type.is(Type::Kind::user) &&
         std::ranges::any_of(variable.type.user->fields, [](const auto& field) { return holds_channels(*field); });
}

bool is_harmless_index(const Expr& element) {
  const auto index = fold(*element.b);
  return index && *index >= 0 && *index < static_cast<std::int64_t>(declaration_of(*element.a).length);
}

}  // namespace

bool is_harmless(const Expr& expression) {
  bool harmless = true;
  for_each_expression(expression, [&](const Expr& part) {
    switch (part.kind) {
      case Expr::Kind::number:
      case Expr::Kind::mtype_constant:
      case Expr::Kind::variable:
      case Expr::Kind::field:
      case Expr::Kind::wildcard:
      case Expr::Kind::pid:
      case Expr::Kind::process_count:
      case Expr::Kind::conditional:
        return;
      case Expr::Kind::element:
        harmless = harmless && is_harmless_index(part);
        return;
      case Expr::Kind::divide:
      case Expr::Kind::modulo:
        harmless = harmless && fold(*part.b).value_or(0) > 0;
        return;
      default:
        harmless = harmless && part.kind >= Expr::Kind::negate && part.kind <= Expr::Kind::logical_or;
    }
  });
  return harmless;
}

namespace {

class Reads {
 public:
  Reads(const ParsedModel& model, bool claims) {
    for (const auto& type : model.typedefs)
      for (const auto& field : type->fields) read_values(*field);
    for (const auto& global : model.globals) add_declaration(*global);
    for (const auto& process : model.processes) {
      for (const auto& local : process->variables) add_declaration(*local);
      if (process->provided) read(*process->provided);
      if (process->kind == Process::Kind::never && !claims) continue;
      const bool observes = !is_process(*process);
      for_each_statement(process->body, [&](const Stmt& each) { observes ? read_all(each) : add_statement(each); });
    }
    if (!claims) return;
    for (const LtlProperty& property : model.properties)
      for_each_atom(*property.formula, [&](const Expr& atom) { read(atom); });
  }

  UnreadVariables unread() {
    while (!pending_.empty()) {
      const Variable* const needed = pending_.back();
      pending_.pop_back();
      for (const Expr* source : sources_[needed]) read(*source);
    }
    UnreadVariables result;
    for (const Variable* each : all_) {
      if (read_.contains(each)) continue;
      result.all.insert(each);
      if (indexed_.contains(each)) result.indexed.insert(each);
    }
    return result;
  }

 private:
  void add_declaration(const Variable& variable) {
    all_.push_back(&variable);
    const bool is_given = variable.scope == Variable::Scope::parameter;
    if (holds_channels(variable) || variable.hidden || is_given) note(variable);
    if (variable.value) initialised_with(variable, *variable.value);
    for (const ExprPtr& value : variable.values) initialised_with(variable, *value);
  }

  void initialised_with(const Variable& variable, const Expr& value) {
    computed_from(variable, value);
    if (!is_harmless(value)) note(variable);
  }

  void read_values(const Variable& field) {
    if (field.value) read(*field.value);
    for (const ExprPtr& value : field.values) read(*value);
  }

  void note(const Variable& variable) {
    if (read_.insert(&variable).second) pending_.push_back(&variable);
  }

  void read(const Expr& expression) {
    for_each_expression(expression, [&](const Expr& part) {
      if (part.variable != nullptr && part.variable->scope != Variable::Scope::field) note(*part.variable);
    });
  }

  void read_all(const Stmt& statement) {
    for_each_expression(statement, [&](const Expr& part) { read(part); });
    for (const Variable* variable : statement.variables) note(*variable);
  }

  void computed_from(const Variable& target, const Expr& source) {
    sources_[&target].push_back(&source);
    if (!is_harmless(source)) read(source);
  }

  void write(const Expr& target) {
    if (!target.is_designator() || is_harmless(target)) return;
    indexed_.insert(&root_of(target));
    for (const Expr* part = &target; part != nullptr; part = part->a.get())
      if (part->kind == Expr::Kind::element) read(*part->b);
  }

  // Printing keeps nothing alive, except what belongs to another process.
  void read_remotes(const Stmt& statement) {
    for_each_expression(statement, [&](const Expr& part) {
      if (part.kind == Expr::Kind::remote_variable) read(part);
    });
  }

  void add_statement(const Stmt& statement) {
    switch (statement.kind) {
      case Stmt::Kind::assign:
        write(*statement.a);
        return statement.a->is_designator() ? computed_from(root_of(*statement.a), *statement.b) : read(*statement.b);
      case Stmt::Kind::increment:
      case Stmt::Kind::decrement:
        return write(*statement.a);
      case Stmt::Kind::receive:
        read(*statement.a);
        for (const ExprPtr& argument : statement.arguments)
          argument->is_designator() ? write(*argument) : read(*argument);
        return;
      case Stmt::Kind::declaration:  // see add_declaration
        return;
      case Stmt::Kind::print:
      case Stmt::Kind::print_mtype:
        return read_remotes(statement);
      default:
        return read_all(statement);
    }
  }

  std::vector<const Variable*> all_;
  std::set<const Variable*> read_;
  std::set<const Variable*> indexed_;
  std::vector<const Variable*> pending_;
  std::map<const Variable*, std::vector<const Expr*>> sources_;  // from what its values are computed
};

}  // namespace

UnreadVariables unread_variables(const ParsedModel& model, bool claims) {
  return Reads(model, claims).unread();
}

}  // namespace fathom::promela
