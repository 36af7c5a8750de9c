// From nodes to locations and edges.
#include <algorithm>

#include "lang/promela/flow_builder.hpp"

namespace fathom::promela {

std::unique_ptr<FlowGraph> FlowBuilder::run() {
  const NodeId end = add(Node::Kind::end, nullptr, process_.closing, {});
  nodes_[end].end = true;
  const NodeId first = sequence(process_.body, end, {});
  location(pass_over(first, false));
  while (!pending_.empty() && !failed_) {
    const NodeId node = pending_.back();
    pending_.pop_back();
    connect(locations_.at(node), node);
  }
  if (failed_) return nullptr;
  graph_->last = location(end);
  for (const auto& [label, node] : label_nodes_)
    if (const auto found = locations_.find(node); found != locations_.end()) graph_->labels[label] = found->second;
  return std::move(graph_);
}

FlowBuilder::NodeId FlowBuilder::target_of(const Node& node) const {
  return node.jump != nullptr ? label_nodes_.at(node.jump) : node.next;
}

// Where a control point leads to without a step, if it does.
std::optional<FlowBuilder::NodeId> FlowBuilder::passed(const Node& node) const {
  if (node.kind == Node::Kind::guarded) return node.entries.front();
  if (node.kind == Node::Kind::pass && !node.end && !node.progress && !node.accept) return target_of(node);
  return std::nullopt;
}

FlowBuilder::NodeId FlowBuilder::pass_over(NodeId node, bool from_atomic) {
  for (std::size_t count = 0; count <= nodes_.size(); ++count) {
    const auto next = passed(nodes_[node]);
    if (!next) return node;
    // The way out of an atomic sequence is a step of it.
    if (from_atomic && !nodes_[*next].atomic) return node;
    node = *next;
  }
  diagnostics_.error("F501", nodes_[node].range, "these jumps lead to each other and never to a statement");
  failed_ = true;
  return node;
}

// All that can be executed where control is at a node.
void FlowBuilder::collect(NodeId number, std::uint32_t first_of, std::vector<Step>& out,
                          std::set<std::uint32_t>& escapes) const {
  const Node& node = nodes_[number];
  escapes.insert(node.escapes.begin(), node.escapes.end());
  if (node.kind != Node::Kind::choice && node.kind != Node::Kind::guarded) {
    const bool otherwise = node.statement != nullptr && node.statement->kind == Stmt::Kind::otherwise;
    out.push_back({number, otherwise ? 1 : 0, first_of});
    return;
  }
  if (node.is_d_step) first_of = number + 1;
  for (const NodeId entry : node.entries) collect(entry, first_of, out, escapes);
}

std::uint32_t FlowBuilder::location(NodeId node) {
  const auto [found, is_new] = locations_.try_emplace(node, graph_->locations.size());
  if (!is_new) return found->second;
  FlowLocation& location = graph_->locations.emplace_back();
  location.range = nodes_[node].range;
  location.is_end = nodes_[node].end;
  location.is_progress = nodes_[node].progress;
  location.is_accept = nodes_[node].accept;
  pending_.push_back(node);
  return found->second;
}

void FlowBuilder::connect(std::uint32_t location, NodeId node) {
  std::set<std::uint32_t> escapes;
  std::vector<Step> steps;
  collect(node, 0, steps, escapes);
  // The escapes that apply here, the outermost first. An inner unless has the larger number only if it was built later,
  // which the order of building guarantees: an unless is numbered before its body.
  std::int32_t rank = -static_cast<std::int32_t>(escapes.size());
  for (const std::uint32_t escape : escapes) {
    std::vector<Step> ways;
    std::set<std::uint32_t> outer;
    collect(escapes_[escape], 0, ways, outer);
    for (Step& way : ways) add_edge(location, {way.node, rank, way.first_of});
    ++rank;
  }
  for (const Step& step : steps) add_edge(location, step);
}

void FlowBuilder::add_edge(std::uint32_t location, const Step& step) {
  const Node& node = nodes_[step.node];
  FlowEdge edge;
  edge.source = edge.target = location;
  edge.rank = step.rank;
  edge.first_of = step.first_of;
  edge.in_d_step = node.d_step != nowhere;
  if (node.kind != Node::Kind::end) {
    edge.statement = node.statement;
    NodeId target = pass_over(target_of(node), node.atomic);
    edge.control = control(node, target);
    // A jump out of an atomic sequence was the step that leads out of it.
    if (edge.control == ir::Control::release) target = pass_over(target, false);
    edge.target = this->location(target);
  }
  graph_->locations[location].edges.push_back(static_cast<std::uint32_t>(graph_->edges.size()));
  graph_->edges.push_back(edge);
}

ir::Control FlowBuilder::control(const Node& source, NodeId target) const {
  const Node& reached = nodes_[target];
  if (source.d_step != nowhere && reached.d_step == source.d_step) return ir::Control::keep_first;
  const Node& holder = source.d_step == nowhere ? source : nodes_[source.d_step];
  const bool kept = holder.atomic && (reached.atomic || reached.ends_atomic);
  return kept ? ir::Control::keep : ir::Control::release;
}

}  // namespace fathom::promela
