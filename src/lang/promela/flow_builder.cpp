#include "lang/promela/flow_builder.hpp"

#include <algorithm>

namespace fathom::promela {

namespace {

// An `else` comes behind all other options of its choice.
std::vector<const Sequence*> else_last(const std::vector<Sequence>& options) {
  std::vector<const Sequence*> ordered;
  const auto is_else = [](const Sequence* option) {
    return !option->empty() && option->front()->kind == Stmt::Kind::otherwise;
  };
  for (const Sequence& option : options) ordered.push_back(&option);
  std::stable_partition(ordered.begin(), ordered.end(), [&](const Sequence* option) { return !is_else(option); });
  return ordered;
}

}  // namespace

std::unique_ptr<FlowGraph> flow_graph(const Process& process, Diagnostics& diagnostics) {
  return FlowBuilder(process, diagnostics).run();
}

FlowBuilder::NodeId FlowBuilder::add(Node::Kind kind, const Stmt* statement, SourceRange range, const Around& around) {
  Node& node = nodes_.emplace_back();
  node.kind = kind;
  node.statement = statement;
  node.range = range;
  node.atomic = around.atomic && !around.last;
  node.ends_atomic = around.atomic && around.last;
  node.d_step = around.d_step;
  // The escapes of an unless are looked at before a d_step, not inside it.
  if (around.d_step == nowhere) node.escapes = around.escapes;
  return static_cast<NodeId>(nodes_.size() - 1);
}

// The same surroundings for something that is not the last of its sequence.
FlowBuilder::Around FlowBuilder::inside(const Around& around) {
  Around result = around;
  result.last = false;
  return result;
}

FlowBuilder::NodeId FlowBuilder::sequence(const Sequence& statements, NodeId next, const Around& around) {
  Around current = around;
  for (auto each = statements.rbegin(); each != statements.rend(); ++each) {
    next = statement(**each, next, current);
    current.last = false;
  }
  return next;
}

FlowBuilder::NodeId FlowBuilder::statement(const Stmt& syntax, NodeId next, const Around& around) {
  const NodeId node = kind_of_statement(syntax, next, around);
  mark(node, syntax.labels);
  return node;
}

FlowBuilder::NodeId FlowBuilder::kind_of_statement(const Stmt& syntax, NodeId next, const Around& around) {
  switch (syntax.kind) {
    case Stmt::Kind::jump:
    case Stmt::Kind::leave:
      return jump(syntax, around);
    case Stmt::Kind::choice:
    case Stmt::Kind::repetition:
      return options(syntax, next, around);
    case Stmt::Kind::for_range:
    case Stmt::Kind::for_each:
      return for_loop(syntax, next, around);
    case Stmt::Kind::select:
      return select(syntax, next, around);
    case Stmt::Kind::atomic:
    case Stmt::Kind::deterministic:
    case Stmt::Kind::block:
      return block(syntax, next, around);
    case Stmt::Kind::unless:
      return unless(syntax, next, around);
    case Stmt::Kind::declaration:
      return declaration(syntax, next, around);
    case Stmt::Kind::exclusive_receive:
    case Stmt::Kind::exclusive_send:
      return next;
    default:
      return step(syntax, next, around);
  }
}

void FlowBuilder::mark(NodeId node, const std::vector<Label*>& labels) {
  for (const Label* label : labels) {
    label_nodes_.try_emplace(label, node);  // a loop has put its label elsewhere
    Node& marked = nodes_[label_nodes_[label]];
    marked.end |= label->is_end();
    marked.progress |= label->is_progress();
    marked.accept |= label->is_accept();
  }
}

FlowBuilder::NodeId FlowBuilder::step(const Stmt& syntax, NodeId next, const Around& around) {
  const NodeId node = add(Node::Kind::step, &syntax, syntax.range, around);
  nodes_[node].next = next;
  return node;
}

FlowBuilder::NodeId FlowBuilder::join(const Stmt& syntax, NodeId next, const Around& around) {
  const SourceRange end{syntax.range.file, syntax.range.end, syntax.range.end};
  Stmt& leave = make(Stmt::Kind::leave, syntax, "end of " + syntax.source);
  leave.range = end;
  const NodeId node = add(Node::Kind::pass, &leave, end, around);
  nodes_[node].next = next;
  // Where a loop ends, escapes are looked at; as in Spin not where the branches of anything else meet.
  if (syntax.kind == Stmt::Kind::choice || syntax.kind == Stmt::Kind::unless) nodes_[node].escapes.clear();
  return node;
}

FlowBuilder::NodeId FlowBuilder::jump(const Stmt& syntax, const Around& around) {
  const NodeId node = add(Node::Kind::pass, &syntax, syntax.range, around);
  nodes_[node].jump = syntax.label;
  if (syntax.kind == Stmt::Kind::leave) nodes_[node].next = loop_exits_.at(syntax.target);
  return node;
}

FlowBuilder::NodeId FlowBuilder::options(const Stmt& syntax, NodeId next, const Around& around) {
  const NodeId end = join(syntax, next, around);
  const NodeId node = add(Node::Kind::choice, &syntax, syntax.range, inside(around));
  const bool repeats = syntax.kind == Stmt::Kind::repetition;
  if (repeats) loop_exits_[&syntax] = end;
  for (const Sequence* option_at : else_last(syntax.options)) {
    const Sequence& option = *option_at;
    const NodeId entry = sequence(option, repeats ? node : end, inside(around));
    nodes_[node].entries.push_back(entry);
    // A label in front of a guard belongs to the choice.
    if (option.empty()) continue;
    for (const Label* label : option.front()->labels) {
      nodes_[node].end |= label->is_end();
      nodes_[node].progress |= label->is_progress();
      nodes_[node].accept |= label->is_accept();
    }
  }
  return node;
}

// An atomic inside another one, and anything inside a d_step, is a plain block.
FlowBuilder::NodeId FlowBuilder::block(const Stmt& syntax, NodeId next, const Around& around) {
  const bool starts_atomic = syntax.kind == Stmt::Kind::atomic && !around.atomic && around.d_step == nowhere;
  const bool starts_d_step = syntax.kind == Stmt::Kind::deterministic && around.d_step == nowhere;
  const NodeId node = add(Node::Kind::choice, &syntax, syntax.range, starts_d_step ? around : inside(around));
  Around within = around;
  if (starts_atomic) within.atomic = within.last = true;
  if (starts_d_step) {
    within = {};
    within.d_step = node;
    nodes_[node].is_d_step = true;
  }
  const NodeId entry = sequence(syntax.body, next, within);
  nodes_[node].entries = {entry};
  return node;
}

FlowBuilder::NodeId FlowBuilder::unless(const Stmt& syntax, NodeId next, const Around& around) {
  const NodeId end = join(syntax, next, around);
  // Braces around either part are not blocks of their own.
  const auto part = [](const Sequence& statements) -> const Sequence& {
    const bool braces =
        statements.size() == 1 && statements.front()->kind == Stmt::Kind::block && statements.front()->labels.empty();
    return braces ? statements.front()->body : statements;
  };
  const NodeId escape = sequence(part(syntax.escape), end, inside(around));
  Around guarded = inside(around);
  guarded.escapes.push_back(static_cast<std::uint32_t>(escapes_.size()));
  escapes_.push_back(escape);
  const NodeId body = sequence(part(syntax.body), end, guarded);
  // With a label the whole is a block.
  const auto kind = syntax.labels.empty() ? Node::Kind::guarded : Node::Kind::choice;
  const NodeId node = add(kind, &syntax, syntax.range, inside(around));
  nodes_[node].entries = {body};
  return node;
}

}  // namespace fathom::promela
