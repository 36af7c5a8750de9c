#include "lang/promela/channel_uses.hpp"

#include "lang/promela/expressions.hpp"
#include "lang/promela/walk.hpp"

namespace fathom::promela {

namespace {

class Finder {
 public:
  explicit Finder(ChannelUses& uses) : uses_(uses) {}

  void statement(const Stmt& syntax) {
    const bool message = syntax.kind == Stmt::Kind::send || syntax.kind == Stmt::Kind::receive;
    const bool claim = syntax.kind == Stmt::Kind::exclusive_receive || syntax.kind == Stmt::Kind::exclusive_send;
    if (syntax.kind == Stmt::Kind::assign || syntax.kind == Stmt::Kind::for_each) write(*syntax.a);
    if (message) {
      operand(*syntax.a);
    } else if (syntax.a) {
      value(*syntax.a);
    }
    if (syntax.b && syntax.kind == Stmt::Kind::for_each) {
      operand(*syntax.b);
    } else if (syntax.b) {
      value(*syntax.b);
    }
    if (syntax.c) value(*syntax.c);
    for (const ExprPtr& argument : syntax.arguments) {
      if (syntax.kind == Stmt::Kind::receive) write(*argument);
      if (!claim) value(*argument);
    }
  }

  void variable(const Variable& syntax) {
    if (syntax.value) value(*syntax.value);
    for (const ExprPtr& each : syntax.values) value(*each);
  }

  // An expression whose value is used.
  void value(const Expr& syntax) {
    if (syntax.is_designator()) {
      uses_.given_away.insert(&root_of(syntax));
      return indices(syntax);
    }
    if (syntax.kind == Expr::Kind::remote_variable && syntax.variable != nullptr)
      uses_.given_away.insert(syntax.variable);
    const bool probe =
        syntax.kind == Expr::Kind::poll || (syntax.kind >= Expr::Kind::length && syntax.kind <= Expr::Kind::not_empty);
    if (probe) {
      operand(*syntax.a);
    } else if (syntax.a) {
      value(*syntax.a);
    }
    if (syntax.b) value(*syntax.b);
    if (syntax.c) value(*syntax.c);
    for (const ExprPtr& argument : syntax.arguments) value(*argument);
  }

 private:
  void write(const Expr& syntax) {
    if (syntax.is_designator()) uses_.written.insert(&root_of(syntax));
  }

  // A channel that something is done with.
  void operand(const Expr& syntax) { indices(syntax); }

  void indices(const Expr& designator) {
    if (designator.kind == Expr::Kind::element) value(*designator.b);
    if (designator.kind != Expr::Kind::variable) indices(*designator.a);
  }

  ChannelUses& uses_;
};

}  // namespace

ChannelUses channel_uses(const ParsedModel& model) {
  ChannelUses uses;
  Finder finder(uses);
  for (const auto& global : model.globals) finder.variable(*global);
  for (const auto& process : model.processes) {
    if (process->provided) finder.value(*process->provided);
    for (const auto& local : process->variables) finder.variable(*local);
    for_each_statement(process->body, [&](const Stmt& statement) { finder.statement(statement); });
  }
  return uses;
}

}  // namespace fathom::promela
