// Visits every statement of a sequence and every expression of a statement, outermost first.
#pragma once

#include "lang/promela/ast.hpp"

namespace fathom::promela {

template <class Visit>
void for_each_statement(const Sequence& sequence, const Visit& visit) {
  for (const StmtPtr& statement : sequence) {
    visit(*statement);
    for (const Sequence& option : statement->options) for_each_statement(option, visit);
    for_each_statement(statement->body, visit);
    for_each_statement(statement->escape, visit);
  }
}

template <class Visit>
void for_each_expression(const Expr& expression, const Visit& visit) {
  visit(expression);
  for (const Expr* part : {expression.a.get(), expression.b.get(), expression.c.get()})
    if (part != nullptr) for_each_expression(*part, visit);
  for (const ExprPtr& argument : expression.arguments) for_each_expression(*argument, visit);
}

// The expressions of the statement itself, not of those inside it.
template <class Visit>
void for_each_expression(const Stmt& statement, const Visit& visit) {
  for (const Expr* part : {statement.a.get(), statement.b.get(), statement.c.get()})
    if (part != nullptr) for_each_expression(*part, visit);
  for (const ExprPtr& argument : statement.arguments) for_each_expression(*argument, visit);
  for (const Variable* variable : statement.variables) {
    if (variable->value) for_each_expression(*variable->value, visit);
    for (const ExprPtr& value : variable->values) for_each_expression(*value, visit);
  }
}

template <class Visit>
void for_each_atom(const Ltl& formula, const Visit& visit) {
  if (formula.expression) visit(*formula.expression);
  if (formula.a) for_each_atom(*formula.a, visit);
  if (formula.b) for_each_atom(*formula.b, visit);
}

}  // namespace fathom::promela
