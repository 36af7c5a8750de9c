#include "state/leaves.hpp"

#include <algorithm>
#include <charconv>

#include "state/bits.h"

namespace fathom {

namespace {

bool exists(const Leaf& leaf, Leaves::State state) {
  return std::all_of(leaf.occupancy.begin(), leaf.occupancy.end(),
                     [&](std::uint32_t bit) { return fathom_get(state.data(), bit, 1) != 0; });
}

std::int64_t value_of(const Leaf& leaf, Leaves::State state) {
  // A type with no value at all packs to nothing, and can only be undefined.
  if (leaf.type->bits == 0) return ir::undefined;
  return leaf.type->decode(fathom_get(state.data(), leaf.offset, leaf.type->bits));
}

}  // namespace

Leaves::Leaves(const ir::Program& program) {
  for (const ir::Variable& variable : program.variables) add(variable.name, *variable.type, variable.offset, {});
}

void Leaves::add(std::string name, const ir::Type& type, std::uint32_t offset, std::vector<std::uint32_t> occupancy) {
  switch (type.kind) {
    case ir::Type::Kind::array:
      return add_elements(name, type, offset, occupancy);
    case ir::Type::Kind::multiset:
      return add_slots(name, type, offset, occupancy);
    case ir::Type::Kind::record:
      for (const ir::Field& field : type.fields) {
        add(name + "." + field.name, *field.type, offset + field.offset, occupancy);
      }
      return;
    default:
      leaves_.push_back({std::move(name), &type, offset, std::move(occupancy)});
  }
}

void Leaves::add_elements(const std::string& name, const ir::Type& type, std::uint32_t offset,
                          const std::vector<std::uint32_t>& occupancy) {
  for (std::uint64_t code = 1; code <= type.index->cardinality(); ++code) {
    const std::string index = ir::show(*type.index, type.index->value(code));
    const auto position = static_cast<std::uint32_t>(code - 1);
    add(name + "[" + index + "]", *type.element, offset + position * type.stride, occupancy);
  }
}

void Leaves::add_slots(const std::string& name, const ir::Type& type, std::uint32_t offset,
                       const std::vector<std::uint32_t>& occupancy) {
  for (std::uint32_t slot = 0; slot < type.capacity; ++slot) {
    const std::uint32_t start = offset + slot * type.stride;
    std::vector<std::uint32_t> bits = occupancy;
    bits.push_back(start);
    add(name + "{" + std::to_string(slot) + "}", *type.element, start + 1, std::move(bits));
  }
}

std::optional<std::string> Leaves::show(const Leaf& leaf, State state) {
  if (!exists(leaf, state)) return std::nullopt;
  return ir::show(*leaf.type, value_of(leaf, state));
}

Leaves::Values Leaves::values(State state) const {
  Values result;
  for (const Leaf& leaf : leaves_) {
    if (std::optional<std::string> value = show(leaf, state)) result.emplace_back(leaf.name, std::move(*value));
  }
  return result;
}

namespace {

// The code of a value that is shown so; nothing if there is none. Large types are numbers, which need no search.
std::optional<std::uint64_t> code_of(const ir::Type& type, const std::string& shown) {
  if (shown == ir::show(type, ir::undefined)) return type.is_machine() ? std::nullopt : std::optional(std::uint64_t{0});
  constexpr std::uint64_t few = 4096;
  if (type.cardinality() <= few)
    for (std::uint64_t code = type.is_machine() ? 0 : 1; code <= type.cardinality(); ++code)
      if (ir::show(type, type.value(code)) == shown) return code;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(shown.data(), shown.data() + shown.size(), number);
  if (error != std::errc{} || end != shown.data() + shown.size()) return std::nullopt;
  const std::int64_t value = number + type.zero;
  return type.contains(value) && ir::show(type, value) == shown ? std::optional(type.code(value)) : std::nullopt;
}

}  // namespace

bool Leaves::write(const std::string& name, const std::string& value, std::span<std::uint64_t> state) const {
  const auto leaf = std::ranges::find(leaves_, name, &Leaf::name);
  if (leaf == leaves_.end()) return false;
  const std::optional<std::uint64_t> code = code_of(*leaf->type, value);
  if (!code) return false;
  if (leaf->type->bits > 0) fathom_set(state.data(), leaf->offset, leaf->type->bits, *code);
  for (const std::uint32_t bit : leaf->occupancy) fathom_set(state.data(), bit, 1, 1);
  return true;
}

std::vector<LeafChange> Leaves::diff(State before, State after) const {
  std::vector<LeafChange> changes;
  for (const Leaf& leaf : leaves_) {
    const bool existed = exists(leaf, before);
    if (existed == exists(leaf, after) && (!existed || value_of(leaf, before) == value_of(leaf, after))) continue;
    changes.push_back({leaf.name, show(leaf, before), show(leaf, after)});
  }
  return changes;
}

}  // namespace fathom
