// When a message can pass, and the two sides of a rendezvous.
#include <algorithm>

#include "lang/promela/lowering.hpp"

namespace fathom::promela {

using IrKind = ir::Expr::Kind;

// An argument of a receive that the message must agree with; the others take what comes.
bool Lowering::is_match(const Expr& argument) {
  return argument.is_constant() || argument.kind == Expr::Kind::eval;
}

bool Lowering::may_meet(const Stmt& syntax) {
  if (syntax.kind != Stmt::Kind::send && syntax.kind != Stmt::Kind::receive) return false;
  const std::size_t fields = syntax.arguments.size();
  return std::ranges::any_of(candidates(channel(*syntax.a), fields),
                             [](const Shape* shape) { return shape->is_rendezvous(); });
}

// Whether the statement can be a step of its own; true also where the channel may be none at all, which is a fault.
bool Lowering::may_queue(const Stmt& syntax) {
  const Channel channel = this->channel(*syntax.a);
  return channel.shape == nullptr || !channel.shape->is_rendezvous() ||
         channel.shape->fields.size() != syntax.arguments.size();
}

const ir::Expr* Lowering::can_send(const Stmt& syntax) {
  const Channel channel = this->channel(*syntax.a);
  const std::size_t fields = syntax.arguments.size();
  return as_condition(by_shape(channel, candidates(channel, fields), [&](const Shape& shape) {
    if (shape.is_rendezvous()) return truth(false, syntax.range);
    return compare(IrKind::less, read(length_of(channel, shape), syntax.range), constant(shape.capacity, syntax.range));
  }));
}

const ir::Expr* Lowering::can_receive(const Stmt& syntax) {
  const Channel channel = this->channel(*syntax.a);
  return has_message(channel, candidates(channel, syntax.arguments.size()), syntax.arguments, syntax.random);
}

// A poll may look at the first fields only.
const ir::Expr* Lowering::poll(const Expr& syntax) {
  const Channel channel = this->channel(*syntax.a);
  const std::size_t asked = syntax.arguments.size();
  const auto shapes = candidates(channel, [asked](std::size_t carried) { return carried >= asked; });
  return has_message(channel, shapes, syntax.arguments, syntax.random);
}

const ir::Expr* Lowering::has_message(const Channel& channel, const std::vector<const Shape*>& shapes,
                                      const Arguments& arguments, bool random) {
  return as_condition(by_shape(channel, shapes, [&](const Shape& shape) {
    if (shape.is_rendezvous()) return truth(false, channel.range);
    const ir::Expr* const length = read(length_of(channel, shape), channel.range);
    const bool anywhere = random && std::ranges::any_of(arguments, [](const auto& each) { return is_match(*each); });
    const ir::Expr* const zero = constant(0, channel.range);
    if (!anywhere) return both(compare(IrKind::greater, length, zero), matches(channel, shape, arguments, zero));
    const ir::Type* const positions = build_.range(0, std::int64_t{shape.capacity} - 1);
    const ir::Local& counter = register_of("position", positions);
    const ir::Expr* const position = read(at(counter), channel.range);
    ir::Expr& some = build_.expr(IrKind::exists, build_.boolean(), channel.range);
    ir::Domain domain;
    domain.type = positions;
    some.binding = build_.binding(&counter, domain);
    some.a = both(compare(IrKind::less, position, length), matches(channel, shape, arguments, position));
    return static_cast<const ir::Expr*>(&some);
  }));
}

const ir::Expr* Lowering::matches(const Channel& channel, const Shape& shape, const Arguments& arguments,
                                  const ir::Expr* position) {
  const ir::Expr* all = nullptr;
  for (std::uint32_t k = 0; k < arguments.size(); ++k) {
    if (!is_match(*arguments[k])) continue;
    const ir::Place sent = field(slot_of(channel, shape, position), k);
    all = both(all, compare(IrKind::equal, read(sent, arguments[k]->range), number(*arguments[k])));
  }
  return all;
}

// Whether a channel that is not known before the run is a rendezvous channel; null: it is known to be one.
const ir::Expr* Lowering::in_rendezvous(const Channel& channel, std::size_t fields) {
  if (channel.shape != nullptr) return nullptr;
  const ir::Expr* some = nullptr;
  for (const Shape* shape : candidates(channel, fields)) {
    if (!shape->is_rendezvous()) continue;
    const ir::Expr* const here = is_of_shape(channel, *shape);
    some = some == nullptr ? here : either(some, here);
  }
  return some;
}

// The fields of all rendezvous channels a statement may meet have the same types in most models; where they differ the
// value is sent as it is, and cut where it is received.
void Lowering::offer(const Stmt& syntax, ir::Edge& edge) {
  const Channel channel = this->channel(*syntax.a);
  ir::Synchronisation meeting;
  meeting.side = ir::Synchronisation::Side::offers;
  meeting.port = channel.id;
  for (std::size_t k = 0; k < syntax.arguments.size(); ++k) {
    const ir::Expr* const value = number(*syntax.arguments[k]);
    meeting.values.push_back(channel.shape == nullptr ? value : cut(value, channel.shape->fields[k]));
  }
  if (may_be_event(syntax)) follow({&syntax, channel.id, meeting.values}, edge.routine.body);
  edge.synchronisation = std::move(meeting);
  edge.guard = in_rendezvous(channel, syntax.arguments.size());
}

void Lowering::accept(const Stmt& syntax, ir::Edge& edge) {
  const Channel channel = this->channel(*syntax.a);
  const std::size_t fields = syntax.arguments.size();
  const auto shapes = candidates(channel, fields);
  const auto first = std::ranges::find_if(shapes, [](const Shape* shape) { return shape->is_rendezvous(); });
  ir::Synchronisation meeting;
  meeting.side = ir::Synchronisation::Side::accepts;
  meeting.port = channel.id;
  edge.guard = in_rendezvous(channel, fields);
  std::vector<const ir::Expr*> id;
  if (may_be_event(syntax)) id = keep({channel.id}, edge.routine.body);
  Event event{&syntax, id.empty() ? nullptr : id.front(), {}};
  for (std::size_t k = 0; k < fields; ++k) {
    const Expr& argument = *syntax.arguments[k];
    const ir::Local& received = register_of("received", scalar_type((*first)->fields[k]));
    meeting.received.push_back(&received);
    const ir::Expr* const value = read(at(received), argument.range);
    event.message.push_back(value);
    if (is_match(argument)) edge.guard = both(edge.guard, compare(IrKind::equal, value, number(argument)));
    if (argument.is_designator()) store(argument, value, edge.routine.body);
  }
  if (event.channel != nullptr) follow(event, edge.routine.body);
  edge.synchronisation = std::move(meeting);
}

}  // namespace fathom::promela
