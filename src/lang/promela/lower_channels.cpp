// Which channels there are, what numbers they have and where their messages lie.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "lang/promela/expressions.hpp"
#include "lang/promela/lowering.hpp"

namespace fathom::promela {

using IrKind = ir::Expr::Kind;

// A channel variable that nothing is ever written to is a name for its channel and needs no place in a state.
bool Lowering::is_fixed(const Variable& variable) const {
  return variable.channel != nullptr && variable.scope != Variable::Scope::field && !uses_.written.contains(&variable);
}

// Nobody but its variable knows such a channel, so it lies alone, under its own name.
bool Lowering::is_private(const Variable& variable) const {
  return is_fixed(variable) && !uses_.given_away.contains(&variable);
}

void Lowering::declare_channels() {
  for (const auto& global : model_.globals) count_channels(nullptr, *global, *global, global->name);
  for (const Slot& slot : slots_)
    for (const auto& local : slot.process->variables)
      count_channels(&slot, *local, *local, fmt::format("{}.{}", slot.name, local->name));
  std::uint32_t next = 1;
  for (Shape& shape : shapes_) {
    shape.first = next;
    next += shape.count;
    allocate(shape);
  }
  if (next > 256) {
    diagnostics_.error("F505", {file_, 0, 0},
                       fmt::format("the model has {} channels, at most 255 are possible", next - 1));
    failed_ = true;
  }
}

void Lowering::count_channels(const Slot* slot, const Variable& root, const Variable& part, const std::string& name) {
  const bool alone = is_private(root);
  for (std::uint32_t k = 0; k < part.length; ++k) {
    if (part.channel) {
      Shape& shape = alone && k > 0 ? shapes_.back() : shape_of(*part.channel, alone);
      if (shape.owners.empty() || shape.owners.back() != name) shape.owners.push_back(name);
      channels_[{slot, &root}].push_back({&shape, shape.count++});
    }
    if (!part.type.is(Type::Kind::user)) continue;
    for (const auto& field : part.type.user->fields) count_channels(slot, root, *field, name + "." + field->name);
  }
}

Lowering::Shape& Lowering::shape_of(const ChannelInit& syntax, bool alone) {
  for (Shape& shape : shapes_)
    if (!alone && !shape.is_private && shape.capacity == syntax.capacity && shape.fields == syntax.slots) return shape;
  Shape& shape = shapes_.emplace_back();
  shape.is_private = alone;
  shape.capacity = syntax.capacity;
  shape.fields = syntax.slots;
  return shape;
}

const ir::Type* Lowering::channel_type(const Shape& shape) {
  std::vector<ir::Field> fields;
  for (std::size_t k = 0; k < shape.fields.size(); ++k)
    fields.push_back({std::to_string(k), build_.separate(scalar_type(shape.fields[k]))});
  const SourceRange range{file_, 0, 0};
  const ir::Type* const message = build_.record(std::move(fields));
  const ir::Type* const messages = message == nullptr ? nullptr : array_of(shape.capacity, message, range);
  if (messages == nullptr) return nullptr;
  const auto width = static_cast<std::uint32_t>(std::bit_width(shape.capacity));
  return build_.record({{"length", build_.separate(build_.machine(width, false))}, {"message", messages}});
}

void Lowering::allocate(Shape& shape) {
  if (shape.is_rendezvous()) return;
  const SourceRange range{file_, 0, 0};
  const ir::Type* const type = channel_type(shape);
  const bool single = shape.is_private && shape.count == 1;
  const ir::Type* const all = single || type == nullptr ? type : array_of(shape.count, type, range);
  if (all == nullptr) return fail_on_size(range, "its channels");
  shape.storage = variable(shape.owners.size() == 1 ? shape.owners.front() : shape.owners.front() + "...", all, range);
}

const std::vector<Lowering::Instance>& Lowering::instances_of(const Variable& variable) const {
  return channels_.at({variable.scope == Variable::Scope::global ? nullptr : slot_, &variable});
}

Lowering::Channel Lowering::channel(const Expr& syntax) {
  Channel result;
  result.range = syntax.range;
  result.text = quote(syntax.range);
  const Variable& root = root_of(syntax);
  if (is_fixed(root)) result.shape = instances_of(root).front().shape;
  if (is_private(root) && syntax.kind == Expr::Kind::element) result.position = number(*syntax.b);
  if (result.position == nullptr || result.shape->is_rendezvous()) result.id = number(syntax);
  return result;
}

// The number of a channel of a variable that is never written: a constant, or the first of an array plus the index.
const ir::Expr* Lowering::fixed_channel(const Expr& syntax) {
  const std::vector<Instance>& instances = instances_of(root_of(syntax));
  const std::uint32_t first = instances.front().id();
  if (syntax.kind != Expr::Kind::element) return constant(first, syntax.range);
  const ir::Expr* const index = number(*syntax.b);
  const auto length = static_cast<std::int64_t>(instances.size());
  const bool is_constant = index->kind == IrKind::constant;
  if (is_constant && index->value >= 0 && index->value < length) return constant(first + index->value, syntax.range);
  const ir::Expr* const inside = both(compare(IrKind::greater_equal, index, constant(0, syntax.range)),
                                      compare(IrKind::less, index, constant(length, syntax.range)));
  const ir::SiteId site = build_.site(ir::FaultKind::bad_channel, syntax.range, quote(syntax.range));
  return choose(inside, arithmetic(IrKind::add, index, constant(first, syntax.range)), fault(site));
}

// The shapes an operation on the channel may meet, as far as the number of their fields fits.
std::vector<const Lowering::Shape*> Lowering::candidates(const Channel& channel, std::size_t fields) const {
  return candidates(channel, [fields](std::size_t carried) { return carried == fields; });
}

std::vector<const Lowering::Shape*> Lowering::candidates(const Channel& channel, const Fits& fits) const {
  std::vector<const Shape*> result;
  for (const Shape& shape : shapes_) {
    if (channel.shape != nullptr ? channel.shape != &shape : shape.is_private) continue;
    if (fits(shape.fields.size())) result.push_back(&shape);
  }
  return result;
}

const ir::Expr* Lowering::is_of_shape(const Channel& channel, const Shape& shape) {
  const ir::Expr* const first = constant(shape.first, channel.range);
  if (shape.count == 1) return compare(IrKind::equal, channel.id, first);
  const ir::Expr* const last = constant(shape.first + shape.count - 1, channel.range);
  return both(compare(IrKind::greater_equal, channel.id, first), compare(IrKind::less_equal, channel.id, last));
}

const ir::Expr* Lowering::id_of(const Channel& channel, const Shape& shape) {
  if (channel.id != nullptr) return channel.id;
  return arithmetic(IrKind::add, channel.position, constant(shape.first, channel.range));
}

ir::Place Lowering::channel_place(const Channel& channel, const Shape& shape) {
  const ir::Place all = at(*shape.storage);
  if (all.type->kind == ir::Type::Kind::record) return all;
  if (channel.position != nullptr)
    return element(all, channel.position, build_.site(ir::FaultKind::bad_index, channel.range, channel.text));
  const bool is_constant = channel.id->kind == IrKind::constant;
  const ir::Expr* const position = is_constant
                                       ? constant(channel.id->value - shape.first, channel.range)
                                       : arithmetic(IrKind::subtract, channel.id, constant(shape.first, channel.range));
  return element(all, position, build_.site(ir::FaultKind::bad_channel, channel.range, channel.text));
}

ir::Place Lowering::length_of(const Channel& channel, const Shape& shape) {
  return field(channel_place(channel, shape), 0);
}

ir::Place Lowering::slot_of(const Channel& channel, const Shape& shape, const ir::Expr* position) {
  return element(field(channel_place(channel, shape), 1), position, write_site_);
}

const ir::Expr* Lowering::bad_channel(const Channel& channel) {
  return fault(build_.site(ir::FaultKind::bad_channel, channel.range, channel.text));
}

// What can be received from STDIN.
void Lowering::fill_input(ir::Block& out) {
  const auto input = std::ranges::find(model_.globals, "STDIN", [](const auto& global) { return global->name; });
  if (options_.input.empty() || input == model_.globals.end()) return;
  const Instance& instance = instances_of(**input).front();
  Channel channel;
  channel.range = (*input)->range;
  channel.text = (*input)->name;
  channel.id = constant(instance.id(), channel.range);
  for (std::size_t k = 0; k < options_.input.size(); ++k) {
    const ir::Expr* const position = constant(static_cast<std::int64_t>(k), channel.range);
    const auto character = static_cast<unsigned char>(options_.input[k]);
    assign(field(slot_of(channel, *instance.shape, position), 0), constant(character, channel.range), out);
  }
  change_length(channel, *instance.shape, static_cast<std::int64_t>(options_.input.size()), out);
}

// What the condition says for the shape the channel has. Where that is not known before the run, one place can serve
// alone only if it is stored: then a number of another shape is out of its bounds.
const ir::Expr* Lowering::by_shape(const Channel& channel, const std::vector<const Shape*>& shapes,
                                   const ShapeCondition& condition) {
  if (channel.shape != nullptr && shapes.size() == 1) return condition(*shapes.front());
  if (shapes.size() == 1 && !shapes.front()->is_rendezvous()) return condition(*shapes.front());
  const ir::Expr* result = nullptr;
  for (const Shape* shape : shapes) {
    const ir::Expr* const here = condition(*shape);
    if (result == nullptr) {
      result = here->type == build_.boolean() ? as_condition(bad_channel(channel)) : bad_channel(channel);
    }
    result = choose(is_of_shape(channel, *shape), here, result);
  }
  return result != nullptr ? result : bad_channel(channel);
}

void Lowering::by_shape(const Channel& channel, const std::vector<const Shape*>& shapes, const ShapeBody& body,
                        ir::Block& out) {
  if (shapes.size() == 1) return body(*shapes.front(), out);
  ir::Stmt& stmt = build_.stmt(ir::Stmt::Kind::branch, channel.range);
  for (const Shape* shape : shapes) {
    ir::Branch branch;
    branch.condition = is_of_shape(channel, *shape);
    body(*shape, branch.body);
    stmt.branches.push_back(std::move(branch));
  }
  out.push_back(&stmt);
}

}  // namespace fathom::promela
