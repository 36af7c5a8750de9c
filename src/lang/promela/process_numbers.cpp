#include "lang/promela/process_numbers.hpp"

#include <algorithm>

#include "lang/promela/walk.hpp"

namespace fathom::promela {

namespace {

using Kind = Expr::Kind;

// The channels of a process have numbers that go with its own. If they are given away only to processes that are
// created, those who know them are younger than their owner, and gone when it goes.
class Search {
 public:
  explicit Search(const ParsedModel& model) {
    for (const auto& process : model.processes)
      for (const auto& variable : process->variables)
        has_own_channels_ |= variable->channel != nullptr || variable->type.is(Type::Kind::user);
    if (!model.embedded.empty()) found_ = true;
    for (const auto& global : model.globals) look_at(*global);
    for (const auto& process : model.processes) look_at(*process);
    for (const LtlProperty& property : model.properties)
      if (property.formula) for_each_atom(*property.formula, [this](const Expr& atom) { look_at(atom, false); });
  }

  [[nodiscard]] bool found() const { return found_; }

 private:
  void look_at(const Process& process) {
    found_ |= process.has_priority || process.provided != nullptr || process.kind == Process::Kind::trace ||
              process.kind == Process::Kind::notrace;
    for (const auto& variable : process.variables) look_at(*variable);
    for_each_statement(process.body, [this](const Stmt& statement) { look_at(statement); });
  }

  void look_at(const Variable& variable) {
    if (variable.value) look_at(*variable.value, false);
    for (const ExprPtr& value : variable.values) look_at(*value, false);
  }

  void look_at(const Stmt& statement) {
    if (statement.kind == Stmt::Kind::exclusive_receive || statement.kind == Stmt::Kind::exclusive_send) return;
    found_ |= statement.kind == Stmt::Kind::set_priority || statement.kind == Stmt::Kind::embedded_c;
    if (statement.kind == Stmt::Kind::expression && statement.a->kind == Kind::run) return look_at_run(*statement.a);
    const bool passes = statement.kind == Stmt::Kind::send || statement.kind == Stmt::Kind::receive;
    if (statement.a) look_at(*statement.a, passes);
    for (const Expr* part : {statement.b.get(), statement.c.get()})
      if (part != nullptr) look_at(*part, false);
    for (const ExprPtr& argument : statement.arguments) look_at(*argument, false);
    for (const Variable* variable : statement.variables) look_at(*variable);
  }

  void look_at_run(const Expr& run) {
    const std::vector<Variable*>& parameters = run.process->parameters;
    for (std::size_t k = 0; k < run.arguments.size(); ++k) {
      const bool is_channel = run.arguments.size() == parameters.size() && parameters[k]->type.is(Type::Kind::chan);
      look_at(*run.arguments[k], is_channel);
      found_ |= is_channel && has_own_channels_ && !run.arguments[k]->type.is(Type::Kind::chan);
    }
  }

  // `as_channel`: nothing but a channel is wanted of it.
  void look_at(const Expr& e, bool as_channel) {
    found_ |= tells_numbers(e.kind) || (has_own_channels_ && e.type.is(Type::Kind::chan) && !as_channel);
    const bool asks_channel = (e.kind >= Kind::length && e.kind <= Kind::not_empty) || e.kind == Kind::poll;
    const bool is_part = e.kind == Kind::element || e.kind == Kind::field;
    if (e.a) look_at(*e.a, asks_channel || is_part);
    for (const Expr* part : {e.b.get(), e.c.get()})
      if (part != nullptr) look_at(*part, false);
    for (const ExprPtr& argument : e.arguments) look_at(*argument, false);
  }

  // A process that is created where its number is used is found here as well.
  static bool tells_numbers(Kind kind) {
    switch (kind) {
      case Kind::pid:
      case Kind::process_count:
      case Kind::last:
      case Kind::own_priority:
      case Kind::run:
      case Kind::get_priority:
      case Kind::enabled:
      case Kind::pc_value:
      case Kind::remote_label:
      case Kind::remote_variable:
      case Kind::embedded_c:
        return true;
      default:
        return false;
    }
  }

  bool has_own_channels_ = false;
  bool found_ = false;
};

}  // namespace

bool numbers_matter(const ParsedModel& model) {
  return Search(model).found();
}

}  // namespace fathom::promela
