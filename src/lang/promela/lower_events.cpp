// `trace` and `notrace`: an automaton whose place is part of a state and which moves with sends and receives. It looks
// at the channels its events name, each in the direction in which they are named. A message that no event of a trace
// fits is a violation; a notrace is violated when its events have all happened, and given up at the first other one.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lang/promela/expressions.hpp"
#include "lang/promela/lowering.hpp"

namespace fathom::promela {

using IrKind = ir::Expr::Kind;

void Lowering::declare_events() {
  for (const auto& process : model_.processes)
    if (process->kind == Process::Kind::trace || process->kind == Process::Kind::notrace) events_ = process.get();
  if (events_ == nullptr) return;
  const FlowGraph* const graph = graph_of(*events_);
  if (graph == nullptr) return;
  std::vector<std::string> names;
  for (std::uint32_t k = 0; k < graph->locations.size(); ++k) {
    const std::uint32_t line = sources_.position(graph->locations[k].range.file, graph->locations[k].range.begin).line;
    names.push_back(k == graph->last ? "end" : fmt::format("line {} ({})", line, k + 1));
  }
  event_location_ = variable(events_->name, build_.enumeration(std::move(names)), events_->name_range);
  for (std::uint32_t k = 0; k < graph->locations.size(); ++k) find_events(*graph, k, k);
}

// The events that may come next: jumps on the way are none.
void Lowering::find_events(const FlowGraph& graph, std::uint32_t from, std::uint32_t at) {
  if (!passed_.emplace(from, at).second) return;
  if (graph.locations[at].is_end) complete_.insert(from);
  for (const std::uint32_t number : graph.locations[at].edges) {
    const FlowEdge& edge = graph.edges[number];
    if (edge.statement == nullptr) continue;
    const bool is_event = edge.statement->kind == Stmt::Kind::send || edge.statement->kind == Stmt::Kind::receive;
    if (is_event) {
      event_edges_.push_back({edge.statement, from, edge.target});
    } else {
      find_events(graph, from, edge.target);
    }
  }
}

const ir::Expr* Lowering::event_place(std::uint32_t location, SourceRange range) {
  return build_.constant(event_location_->type->value(std::uint64_t{location} + 1), event_location_->type, range);
}

const ir::Expr* Lowering::is_at_event(std::uint32_t location, SourceRange range) {
  return compare(IrKind::equal, read(at(*event_location_), range), event_place(location, range));
}

void Lowering::start_events(ir::Block& out) {
  if (event_location_ != nullptr) assign(at(*event_location_), event_place(0, events_->name_range), out);
}

// At the end a trace must be complete. A notrace that is not has done its duty.
const ir::Expr* Lowering::events_completed(SourceRange range) {
  if (event_location_ == nullptr || events_->kind == Process::Kind::notrace) return nullptr;
  const ir::Expr* result = truth(false, range);
  for (const std::uint32_t location : complete_) result = either(result, is_at_event(location, range));
  return result;
}

bool Lowering::may_be_event(const Stmt& syntax) const {
  if (syntax.copy) return false;
  return std::ranges::any_of(event_edges_, [&](const EventEdge& each) {
    if (each.statement->kind != syntax.kind) return false;
    const Variable& ours = root_of(*syntax.a);
    const Variable& theirs = root_of(*each.statement->a);
    return &ours == &theirs || !is_fixed(ours) || !is_fixed(theirs);
  });
}

std::vector<const ir::Expr*> Lowering::keep(const std::vector<const ir::Expr*>& values, ir::Block& out) {
  std::vector<const ir::Expr*> result;
  for (const ir::Expr* value : values) {
    const ir::Local& kept = register_of("event", &ir::machine_int());
    assign(at(kept), as_number(value), out);
    result.push_back(read(at(kept), value->range));
  }
  return result;
}

const ir::Expr* Lowering::is_event(const EventEdge& edge, const Event& event) {
  const SourceRange range = edge.statement->range;
  const ir::Expr* result = compare(IrKind::equal, event.channel, number(*edge.statement->a));
  const Arguments& arguments = edge.statement->arguments;
  for (std::size_t k = 0; k < std::min(arguments.size(), event.message.size()); ++k)
    if (is_match(*arguments[k])) result = both(result, compare(IrKind::equal, event.message[k], number(*arguments[k])));
  // The channel comes first: which one it is, is often known, and then the place of the automaton is not looked at.
  return both(result, is_at_event(edge.source, range));
}

const ir::Expr* Lowering::is_watched(const Event& event) {
  const ir::Expr* result = truth(false, event.syntax->range);
  for (const EventEdge& each : event_edges_)
    if (each.statement->kind == event.syntax->kind)
      result = either(result, compare(IrKind::equal, event.channel, number(*each.statement->a)));
  return result;
}

// What the automaton does at a send or receive that has just happened.
void Lowering::follow(const Event& event, ir::Block& out) {
  ir::Stmt& stmt = build_.stmt(ir::Stmt::Kind::branch, event.syntax->range);
  for (auto edge = event_edges_.begin(); edge != event_edges_.end(); ++edge) {
    if (edge->statement->kind != event.syntax->kind) continue;
    ir::Branch branch;
    branch.condition = is_event(*edge, event);
    const ir::Expr* another = truth(false, event.syntax->range);
    for (auto later = std::next(edge); later != event_edges_.end(); ++later)
      if (later->source == edge->source && later->statement->kind == edge->statement->kind)
        another = either(another, is_event(*later, event));
    if (another->kind != IrKind::constant)
      note(negation(another, edge->statement->range), ir::FaultKind::nondeterminism, edge->statement->range,
           events_->name, branch.body);
    assign(at(*event_location_), event_place(edge->target, edge->statement->range), branch.body);
    if (events_->kind == Process::Kind::notrace && complete_.contains(edge->target))
      note(truth(false, event.syntax->range), ir::FaultKind::event, event.syntax->range,
           fmt::format("with `{}` all events of the notrace have happened", event.syntax->source), branch.body);
    stmt.branches.push_back(std::move(branch));
  }
  ir::Branch other;
  other.condition = is_watched(event);
  if (events_->kind == Process::Kind::notrace) {
    assign(at(*event_location_), event_place(graphs_.at(events_)->last, event.syntax->range), other.body);
  } else {
    note(truth(false, event.syntax->range), ir::FaultKind::event, event.syntax->range,
         fmt::format("`{}` is not what the trace expects here", event.syntax->source), other.body);
  }
  stmt.branches.push_back(std::move(other));
  out.push_back(&stmt);
}

void Lowering::note(const ir::Expr* value, ir::FaultKind kind, SourceRange range, const std::string& text,
                    ir::Block& out) {
  ir::Stmt& stmt = build_.stmt(ir::Stmt::Kind::check_and_go_on, range);
  stmt.value = value;
  stmt.site = build_.site(kind, range, text);
  out.push_back(&stmt);
}

}  // namespace fathom::promela
