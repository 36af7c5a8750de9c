// Sends to and receives from buffered channels. The messages of a channel begin at position 0, and what lies behind its
// length is zero, so that equal contents have equal bits.
#include <algorithm>

#include "lang/promela/expressions.hpp"
#include "lang/promela/lowering.hpp"
#include "lang/promela/walk.hpp"

namespace fathom::promela {

using IrKind = ir::Expr::Kind;

namespace {

// Shorter queues are moved without a loop.
constexpr std::uint32_t longest_unrolled = 4;

}  // namespace

void Lowering::change_length(const Channel& channel, const Shape& shape, std::int64_t by, ir::Block& out) {
  const ir::Place length = length_of(channel, shape);
  assign(length, arithmetic(IrKind::add, read(length, channel.range), constant(by, channel.range)), out);
}

void Lowering::loop(const ir::Expr* from, const ir::Expr* to, std::int64_t step, const ir::Block& body, ir::Block& out,
                    const ir::Local* counter) {
  ir::Domain domain;
  domain.from = from;
  domain.to = to;
  domain.step = build_.constant(step, build_.number(), from->range);
  ir::Stmt& stmt = build_.stmt(ir::Stmt::Kind::loop_for, from->range);
  stmt.binding = build_.binding(counter, domain);
  stmt.body = body;
  out.push_back(&stmt);
}

void Lowering::send(const Stmt& syntax, ir::Block& out) {
  const Channel channel = this->channel(*syntax.a);
  const std::size_t fields = syntax.arguments.size();
  auto shapes = candidates(channel, fields);
  std::erase_if(shapes, [](const Shape* shape) { return shape->is_rendezvous(); });
  const ShapeBody one = [&](const Shape& shape, ir::Block& block) {
    std::vector<const ir::Expr*> message;
    for (std::size_t k = 0; k < fields && may_be_event(syntax); ++k)
      message.push_back(cut(number(*syntax.arguments[k]), shape.fields[k]));
    message = keep(message, block);
    if (syntax.sorted) {
      insert(channel, shape, syntax, block);
    } else {
      append(channel, shape, syntax, block);
    }
    if (may_be_event(syntax)) follow({&syntax, id_of(channel, shape), message}, block);
  };
  by_shape(channel, shapes, one, out);
}

void Lowering::append(const Channel& channel, const Shape& shape, const Stmt& syntax, ir::Block& out) {
  const ir::Expr* const end = read(length_of(channel, shape), syntax.range);
  for (std::uint32_t k = 0; k < syntax.arguments.size(); ++k)
    assign(field(slot_of(channel, shape, end), k), number(*syntax.arguments[k]), out);
  change_length(channel, shape, 1, out);
}

// A sorted send: before the first message that is larger.
void Lowering::insert(const Channel& channel, const Shape& shape, const Stmt& syntax, ir::Block& out) {
  const SourceRange range = syntax.range;
  std::vector<const ir::Local*> message;
  for (std::size_t k = 0; k < syntax.arguments.size(); ++k) {
    const ir::Local& value = register_of("value", &ir::machine_int());
    assign(at(value), cut(number(*syntax.arguments[k]), shape.fields[k]), out);
    message.push_back(&value);
  }
  const ir::Local& place = register_of("place", &ir::machine_int());
  const ir::Local& counter = register_of("position", build_.number());
  const ir::Expr* const position = read(at(counter), range);
  const ir::Expr* const found = read(at(place), range);
  const ir::Expr* const length = read(length_of(channel, shape), range);
  const ir::Expr* const last = constant(std::int64_t{shape.capacity} - 1, range);
  assign(at(place), constant(0, range), out);

  ir::Stmt& advance = build_.stmt(ir::Stmt::Kind::branch, range);
  const ir::Expr* const is_next =
      both(compare(IrKind::equal, position, found), compare(IrKind::less, position, length));
  ir::Branch goes_on;
  goes_on.condition = both(is_next, negation(is_larger(channel, shape, position, message), range));
  assign(at(place), arithmetic(IrKind::add, position, constant(1, range)), goes_on.body);
  advance.branches.push_back(std::move(goes_on));
  loop(constant(0, range), last, 1, {&advance}, out, &counter);

  ir::Stmt& move = build_.stmt(ir::Stmt::Kind::branch, range);
  ir::Branch behind;
  behind.condition = both(compare(IrKind::greater, position, found), compare(IrKind::less_equal, position, length));
  ir::Stmt& copy = build_.stmt(ir::Stmt::Kind::copy, range);
  copy.place = build_.place(slot_of(channel, shape, position));
  copy.source = build_.place(slot_of(channel, shape, arithmetic(IrKind::subtract, position, constant(1, range))));
  behind.body.push_back(&copy);
  move.branches.push_back(std::move(behind));
  if (shape.capacity > 1) loop(last, constant(1, range), -1, {&move}, out, &counter);

  for (std::uint32_t k = 0; k < message.size(); ++k)
    assign(field(slot_of(channel, shape, found), k), read(at(*message[k]), range), out);
  change_length(channel, shape, 1, out);
}

// Whether the message at a position is larger than the given one; the first field counts most.
const ir::Expr* Lowering::is_larger(const Channel& channel, const Shape& shape, const ir::Expr* position,
                                    const std::vector<const ir::Local*>& message) {
  const ir::Expr* larger = truth(false, channel.range);
  for (auto k = static_cast<std::uint32_t>(message.size()); k-- > 0;) {
    const ir::Expr* const there = read(field(slot_of(channel, shape, position), k), channel.range);
    const ir::Expr* const here = read(at(*message[k]), channel.range);
    const ir::Expr* const undecided = both(compare(IrKind::equal, there, here), larger);
    larger = either(compare(IrKind::greater, there, here), undecided);
  }
  return larger;
}

// Whether a message can overwrite the variable in which its channel lies, or by which it is chosen.
bool Lowering::may_change_its_channel(const Stmt& syntax) {
  bool may = false;
  for_each_expression(*syntax.a, [&](const Expr& part) {
    for (const ExprPtr& argument : syntax.arguments)
      may |= part.kind == Expr::Kind::variable && argument->is_designator() && &root_of(*argument) == part.variable;
  });
  return may;
}

void Lowering::receive(const Stmt& syntax, ir::Block& out) {
  Channel channel = this->channel(*syntax.a);
  const auto hold = [&](const ir::Expr*& value) {
    if (value == nullptr || value->kind == IrKind::constant) return;
    const ir::Local& held = register_of("channel", &ir::machine_int());
    assign(at(held), value, out);
    value = read(at(held), channel.range);
  };
  if (channel.shape == nullptr || may_change_its_channel(syntax)) {
    hold(channel.id);
    hold(channel.position);
  }
  const std::size_t fields = syntax.arguments.size();
  auto shapes = candidates(channel, fields);
  std::erase_if(shapes, [](const Shape* shape) { return shape->is_rendezvous(); });
  const ShapeBody one = [&](const Shape& shape, ir::Block& block) {
    const ir::Expr* const position = find_message(channel, shape, syntax, block);
    std::vector<const ir::Expr*> message;
    for (std::uint32_t k = 0; k < fields && may_be_event(syntax); ++k)
      message.push_back(read(field(slot_of(channel, shape, position), k), syntax.range));
    if (may_be_event(syntax)) message.push_back(id_of(channel, shape));
    message = keep(message, block);
    for (std::uint32_t k = 0; k < syntax.arguments.size(); ++k) {
      const Expr& argument = *syntax.arguments[k];
      if (argument.is_designator())
        store(argument, read(field(slot_of(channel, shape, position), k), syntax.range), block);
    }
    if (!syntax.copy) remove_message(channel, shape, position, block);
    if (message.empty()) return;
    const ir::Expr* const id = message.back();
    message.pop_back();
    follow({&syntax, id, message}, block);
  };
  by_shape(channel, shapes, one, out);
}

// The position of the message a receive takes: the first, or for a random receive the first that matches.
const ir::Expr* Lowering::find_message(const Channel& channel, const Shape& shape, const Stmt& syntax, ir::Block& out) {
  const SourceRange range = syntax.range;
  const bool search = syntax.random && shape.capacity > 1 &&
                      std::ranges::any_of(syntax.arguments, [](const auto& each) { return is_match(*each); });
  if (!search) return constant(0, range);
  const ir::Local& place = register_of("place", &ir::machine_int());
  const ir::Local& counter = register_of("position", build_.number());
  const ir::Expr* const position = read(at(counter), range);
  assign(at(place), constant(-1, range), out);
  ir::Stmt& test = build_.stmt(ir::Stmt::Kind::branch, range);
  ir::Branch found;
  found.condition = both(compare(IrKind::less, read(at(place), range), constant(0, range)),
                         compare(IrKind::less, position, read(length_of(channel, shape), range)));
  found.condition = both(found.condition, matches(channel, shape, syntax.arguments, position));
  assign(at(place), position, found.body);
  test.branches.push_back(std::move(found));
  loop(constant(0, range), constant(std::int64_t{shape.capacity} - 1, range), 1, {&test}, out, &counter);
  return read(at(place), range);
}

void Lowering::remove_message(const Channel& channel, const Shape& shape, const ir::Expr* position, ir::Block& out) {
  const SourceRange range = channel.range;
  const auto move_to = [&](const ir::Expr* to, ir::Block& block) {
    ir::Stmt& copy = build_.stmt(ir::Stmt::Kind::copy, range);
    copy.place = build_.place(slot_of(channel, shape, to));
    const ir::Expr* const from =
        to->kind == IrKind::constant ? constant(to->value + 1, range) : arithmetic(IrKind::add, to, constant(1, range));
    copy.source = build_.place(slot_of(channel, shape, from));
    block.push_back(&copy);
  };
  const bool unrolled = position->kind == IrKind::constant && shape.capacity <= longest_unrolled;
  if (unrolled) {
    for (std::uint32_t k = 0; k + 1 < shape.capacity; ++k) move_to(constant(k, range), out);
    erase(slot_of(channel, shape, constant(std::int64_t{shape.capacity} - 1, range)), out);
    return change_length(channel, shape, -1, out);
  }
  const ir::Local& counter = register_of("position", build_.number());
  ir::Block move;
  move_to(read(at(counter), range), move);
  const ir::Expr* const length = read(length_of(channel, shape), range);
  loop(position, arithmetic(IrKind::subtract, length, constant(2, range)), 1, move, out, &counter);
  erase(slot_of(channel, shape, arithmetic(IrKind::subtract, length, constant(1, range))), out);
  change_length(channel, shape, -1, out);
}

void Lowering::store(const Expr& target, const ir::Expr* value, ir::Block& out) {
  is_dropped(target) ? look_up(target, out) : assign(place_of(target), value, out);
}

}  // namespace fathom::promela
