// The edges of a process: its flow graph with code on it.
#include <fmt/format.h>

#include <algorithm>

#include "lang/promela/lowering.hpp"
#include "lang/promela/walk.hpp"

namespace fathom::promela {

using IrKind = ir::Expr::Kind;

void Lowering::lower_edges(Slot& slot, ir::Component& component) {
  slot_ = &slot;
  for (const FlowLocation& location : slot.graph->locations)
    for (const std::uint32_t number : location.edges) lower_edge(slot.graph->edges[number], component);
}

void Lowering::lower_edge(const FlowEdge& flow, ir::Component& component) {
  if (flow.statement == nullptr) return end_edge(flow, component);
  const Stmt& syntax = *flow.statement;
  const bool passes_message = syntax.kind == Stmt::Kind::send || syntax.kind == Stmt::Kind::receive;
  if (!passes_message || may_queue(syntax)) {
    ir::Edge& edge = open_edge(flow, component);
    const bool is_else = syntax.kind == Stmt::Kind::otherwise;
    const ir::Expr* const guard = is_else ? otherwise(flow, edge) : guard_of(syntax);
    body_of(syntax, edge.routine.body);
    if (passes_message) note_queue(flow, edge);
    note_output(syntax, edge);
    close_edge(edge, flow, guard);
  }
  if (!may_meet(syntax)) return;
  ir::Edge& meeting = open_edge(flow, component);
  if (syntax.kind == Stmt::Kind::send && flow.in_d_step) {
    meeting.guard = in_rendezvous(channel(*syntax.a), syntax.arguments.size());
    refuse_meeting(syntax, meeting.routine.body);
  } else if (syntax.kind == Stmt::Kind::send) {
    offer(syntax, meeting);
  } else {
    accept(syntax, meeting);
  }
  close_edge(meeting, flow, meeting.guard);
}

// Analyses may rely on it that the statement does nothing but append or take, so one that looks at a channel in some
// other way as well is left without this note.
void Lowering::note_queue(const FlowEdge& flow, ir::Edge& edge) {
  const Stmt& syntax = *flow.statement;
  bool looks = flow.first_of != 0 || slot_->process->provided || syntax.sorted;
  for_each_expression(syntax, [&](const Expr& each) {
    looks |= each.kind == Expr::Kind::poll || (each.kind >= Expr::Kind::length && each.kind <= Expr::Kind::not_empty);
  });
  if (looks) return;
  using Kind = ir::QueueUse::Kind;
  ir::QueueUse use{syntax.kind == Stmt::Kind::send ? Kind::append : Kind::take};
  const Channel channel = this->channel(*syntax.a);
  for (const Shape* shape : candidates(channel, syntax.arguments.size()))
    if (!shape->is_rendezvous()) use.queues.push_back(build_.place(channel_place(channel, *shape)));
  edge.queue = std::move(use);
}

// A d_step cannot hand control to a receiver.
void Lowering::refuse_meeting(const Stmt& syntax, ir::Block& out) {
  ir::Stmt& fail = build_.stmt(ir::Stmt::Kind::fail, syntax.range);
  fail.site = build_.site(ir::FaultKind::misuse, syntax.range,
                          fmt::format("`{}` is a rendezvous inside a d_step", syntax.source));
  out.push_back(&fail);
}

ir::Edge& Lowering::open_edge(const FlowEdge& flow, ir::Component& component) {
  ir::Edge& edge = *component.edges.emplace_back(std::make_unique<ir::Edge>());
  routine_ = &edge.routine;
  edge.source = flow.source;
  edge.target = flow.target;
  edge.rank = edge.accepting_rank = flow.rank;
  edge.control = flow.control;
  if (flow.statement != nullptr) {
    edge.name = flow.statement->source;
    edge.range = flow.statement->range;
  }
  if (flow.control == ir::Control::keep_first)
    edge.blocked = build_.site(ir::FaultKind::blocked, edge.range, edge.name);
  if (flow.control != ir::Control::release) edge.endless = build_.site(ir::FaultKind::endless, edge.range, edge.name);
  return edge;
}

void Lowering::close_edge(ir::Edge& edge, const FlowEdge& flow, const ir::Expr* guard) {
  if (flow.first_of != 0) guard = both(not_an_earlier_one(flow), guard);
  if (slot_->process->provided && !is_inside_d_step(flow)) guard = both(condition(*slot_->process->provided), guard);
  edge.guard = guard;
  forget_dead_values(flow, edge);
  remember_last(edge);
  if (!ir::Builder::lay_out(edge.routine)) fail_on_size(edge.range, "these registers");
}

void Lowering::forget_dead_values(const FlowEdge& flow, ir::Edge& edge) {
  for (const Scalar& scalar : flow.dead) erase(place_of(scalar), edge.routine.body);
}

// A d_step is one step: whether its process may move is asked in front of it only.
bool Lowering::is_inside_d_step(const FlowEdge& flow) const {
  if (flow.source == 0 || !flow.in_d_step) return false;
  return std::ranges::none_of(slot_->graph->edges, [&](const FlowEdge& other) {
    return other.statement != nullptr && other.target == flow.source && other.control != ir::Control::keep_first;
  });
}

// `else` is executable where no other option of its choice is and none that stands in front of it at the same location,
// where a choice begins with a choice: that is how Spin reads it. Beside a rendezvous only the whole program can tell:
// then it is an edge of a higher rank.
const ir::Expr* Lowering::otherwise(const FlowEdge& flow, ir::Edge& edge) {
  const ir::Expr* none = nullptr;
  for (const std::uint32_t number : slot_->graph->locations[flow.source].edges) {
    const FlowEdge& other = slot_->graph->edges[number];
    if (&other == &flow) break;
    const bool escape = other.rank < 0;
    if (escape || other.statement == nullptr || other.statement->kind == Stmt::Kind::otherwise) continue;
    if (may_meet(*other.statement)) return nullptr;
    none = both(none, negation(guard_of(*other.statement), edge.range));
  }
  edge.rank = edge.accepting_rank = 0;
  return none;
}

// A d_step that begins with a choice takes the first option that is executable.
const ir::Expr* Lowering::not_an_earlier_one(const FlowEdge& flow) {
  const ir::Expr* none = nullptr;
  for (const std::uint32_t number : slot_->graph->locations[flow.source].edges) {
    const FlowEdge& other = slot_->graph->edges[number];
    if (&other == &flow) break;
    const bool earlier = other.first_of == flow.first_of && other.statement->kind != Stmt::Kind::otherwise;
    if (earlier && flow.statement->kind != Stmt::Kind::otherwise)
      none = both(none, negation(guard_of(*other.statement), flow.statement->range));
  }
  return none;
}

// A process dies when it is at its end and is the youngest.
void Lowering::end_edge(const FlowEdge& flow, ir::Component& component) {
  ir::Edge& edge = open_edge(flow, component);
  edge.name = "-end-";
  edge.range = slot_->process->closing;
  ir::Block& body = edge.routine.body;
  if (slot_->locals != nullptr) erase(at(*slot_->locals), body);
  for (const auto& local : slot_->process->variables) {
    const auto found = channels_.find({slot_, local.get()});
    if (found == channels_.end()) continue;
    for (const Instance& instance : found->second) {
      if (instance.shape->is_rendezvous()) continue;
      const ir::Place all = at(*instance.shape->storage);
      const bool single = all.type->kind == ir::Type::Kind::record;
      erase(single ? all : element(all, constant(instance.position, edge.range), write_site_), body);
    }
  }
  erase(at(*slot_->location), body);
  if (slot_->priority != nullptr) erase(at(*slot_->priority), body);
  assign(at(*process_count_), constant(slot_->pid, edge.range), body);
  close_edge(edge, flow, count_is(slot_->pid + 1, edge.range));
}

}  // namespace fathom::promela
