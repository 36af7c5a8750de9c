// Loops over ranges, and declarations between statements, as the plain statements they stand for.
#include <fmt/format.h>

#include "lang/promela/expressions.hpp"
#include "lang/promela/flow_builder.hpp"
#include "lang/promela/print.hpp"
#include "lang/promela/spin_numbers.hpp"

namespace fathom::promela {

namespace {

ExprPtr make_binary(Expr::Kind kind, ExprPtr a, ExprPtr b) {
  auto result = std::make_unique<Expr>();
  result->kind = kind;
  result->range = a->range;
  result->origin = a->origin;
  result->type = basic_type(kind == Expr::Kind::add ? Type::Kind::int_ : Type::Kind::boolean);
  result->a = std::move(a);
  result->b = std::move(b);
  return result;
}

ExprPtr number_like(const Expr& like, std::int32_t value) {
  return make_number(value, like.range, like.origin);
}

}  // namespace

Stmt& FlowBuilder::make(Stmt::Kind kind, const Stmt& like, std::string source) {
  Stmt& made = graph_->made.emplace_back();
  made.kind = kind;
  made.range = like.range;
  made.origin = like.origin;
  made.source = std::move(source);
  return made;
}

const Stmt& FlowBuilder::make_assignment(const Stmt& like, const Expr& to, ExprPtr value) {
  Stmt& made = make(Stmt::Kind::assign, like, print(to) + " = " + print(*value));
  made.range = to.range;
  made.a = clone(to);
  made.b = std::move(value);
  return made;
}

const Stmt& FlowBuilder::make_increment(const Stmt& like, const Expr& variable) {
  Stmt& made = make(Stmt::Kind::increment, like, print(variable) + "++");
  made.range = variable.range;
  made.a = clone(variable);
  return made;
}

const Stmt& FlowBuilder::make_condition(const Stmt& like, ExprPtr condition) {
  Stmt& made = make(Stmt::Kind::expression, like, print(*condition));
  made.range = condition->range;
  made.a = std::move(condition);
  return made;
}

FlowBuilder::NodeId FlowBuilder::for_loop(const Stmt& syntax, NodeId next, const Around& around) {
  if (syntax.kind == Stmt::Kind::for_each) return for_each(syntax, next, around);
  return counted_loop(syntax, *syntax.a, clone(*syntax.b),
                      make_binary(Expr::Kind::less_equal, clone(*syntax.a), clone(*syntax.c)), {}, next, around);
}

// variable = from; do :: test -> first; BODY; variable++ :: else -> break od
FlowBuilder::NodeId FlowBuilder::counted_loop(const Stmt& syntax, const Expr& variable, ExprPtr from, ExprPtr test,
                                              const std::vector<const Stmt*>& first, NodeId next,
                                              const Around& around) {
  const Around within = inside(around);
  const NodeId end = join(syntax, next, around);
  loop_exits_[&syntax] = end;
  const NodeId loop = add(Node::Kind::choice, &syntax, syntax.range, within);
  NodeId round = step(make_increment(syntax, variable), loop, within);
  round = sequence(syntax.body, round, within);
  for (auto each = first.rbegin(); each != first.rend(); ++each) round = step(**each, round, within);
  round = step(make_condition(syntax, std::move(test)), round, within);
  Stmt& otherwise = make(Stmt::Kind::otherwise, syntax, "else");
  otherwise.range = variable.range;
  const NodeId leave = step(otherwise, end, within);
  nodes_[loop].entries = {round, leave};
  // In Spin a jump to a labelled loop does not start it again.
  for (const Label* label : syntax.labels) label_nodes_[label] = loop;
  return step(make_assignment(syntax, variable, std::move(from)), loop, within);
}

// Over the indices of an array, or over the messages of a channel, which is turned round once.
FlowBuilder::NodeId FlowBuilder::for_each(const Stmt& syntax, NodeId next, const Around& around) {
  if (!syntax.a->type.is(Type::Kind::user)) {
    const auto last = static_cast<std::int32_t>(declaration_of(*syntax.b).length) - 1;
    return counted_loop(syntax, *syntax.a, number_like(*syntax.a, 0),
                        make_binary(Expr::Kind::less_equal, clone(*syntax.a), number_like(*syntax.a, last)), {}, next,
                        around);
  }
  Variable& counter = graph_->counters.emplace_back();
  counter.name = fmt::format("rounds of for ({})", syntax.range.begin);
  counter.range = syntax.range;
  counter.scope = Variable::Scope::local;
  counter.type = basic_type(Type::Kind::byte);
  const ExprPtr variable = make_variable(counter, syntax.a->range, syntax.a->origin);
  auto length = std::make_unique<Expr>();
  length->kind = Expr::Kind::length;
  length->range = syntax.b->range;
  length->type = basic_type(Type::Kind::int_);
  length->a = clone(*syntax.b);
  const auto message = [&](Stmt::Kind kind, const char* sign) -> const Stmt* {
    Stmt& made = make(kind, syntax, print(*syntax.b) + sign + print(*syntax.a));
    made.range = syntax.b->range;
    made.a = clone(*syntax.b);
    made.arguments = scalars_of(clone(*syntax.a));
    return &made;
  };
  const std::vector<const Stmt*> rotate{message(Stmt::Kind::receive, "?"), message(Stmt::Kind::send, "!")};
  return counted_loop(syntax, *variable, number_like(*variable, 0),
                      make_binary(Expr::Kind::less, clone(*variable), std::move(length)), rotate, next, around);
}

FlowBuilder::NodeId FlowBuilder::select(const Stmt& syntax, NodeId next, const Around& around) {
  // Like Spin we look at what is written: `N - 1` is no constant here.
  const std::int64_t from = syntax.b->value;
  const std::int64_t to = syntax.c->value;
  const bool unrolled = syntax.b->is_constant() && syntax.c->is_constant() && to - from < largest_unrolled;
  if (!unrolled) return select_stepwise(syntax, next, around);
  const NodeId end = join(syntax, next, around);
  const NodeId node = add(Node::Kind::choice, &syntax, syntax.range, inside(around));
  for (std::int64_t value = from; value <= to; ++value) {
    const Stmt& option = make_assignment(syntax, *syntax.a, number_like(*syntax.a, static_cast<std::int32_t>(value)));
    const NodeId entry = step(option, end, inside(around));
    nodes_[node].entries.push_back(entry);
  }
  return node;
}

// variable = from; do :: variable < to -> variable++ :: break od
FlowBuilder::NodeId FlowBuilder::select_stepwise(const Stmt& syntax, NodeId next, const Around& around) {
  const Around within = inside(around);
  const NodeId end = join(syntax, next, around);
  const NodeId loop = add(Node::Kind::choice, &syntax, syntax.range, within);
  const NodeId count = step(make_increment(syntax, *syntax.a), loop, within);
  const NodeId test =
      step(make_condition(syntax, make_binary(Expr::Kind::less, clone(*syntax.a), clone(*syntax.c))), count, within);
  const NodeId leave = join(syntax, end, within);
  nodes_[loop].entries = {test, leave};
  for (const Label* label : syntax.labels) label_nodes_[label] = loop;
  return step(make_assignment(syntax, *syntax.a, clone(*syntax.b)), loop, within);
}

// One step for each variable. A channel has been made with the process.
FlowBuilder::NodeId FlowBuilder::declaration(const Stmt& syntax, NodeId next, const Around& around) {
  Around current = around;
  for (auto each = syntax.variables.rbegin(); each != syntax.variables.rend(); ++each) {
    if ((*each)->channel) continue;
    next = step(initialisation(syntax, **each), next, current);
    current.last = false;
  }
  return next;
}

// As in Spin the step resets the first element of an array, and of a structure nothing.
const Stmt& FlowBuilder::initialisation(const Stmt& syntax, const Variable& variable) {
  if (variable.type.is(Type::Kind::user)) {
    Stmt& nothing = make(Stmt::Kind::expression, syntax, syntax.source);
    nothing.a = make_number(1, variable.range, variable.origin);
    return nothing;
  }
  ExprPtr to = make_variable(variable, variable.range, variable.origin);
  if (variable.is_array) to = make_element(std::move(to), number_like(*to, 0), variable.range);
  const Expr* const given = variable.value ? variable.value.get() : nullptr;
  const Expr* const first = variable.values.empty() ? given : variable.values.front().get();
  return make_assignment(syntax, *to, first != nullptr ? clone(*first) : number_like(*to, 0));
}

}  // namespace fathom::promela
