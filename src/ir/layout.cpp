#include "ir/layout.hpp"

#include <algorithm>
#include <map>

namespace fathom::ir {

namespace {

// Types come after those they are made of.
void lay_out(Type& type) {
  switch (type.kind) {
    case Type::Kind::array:
      type.stride = type.element->bits;
      type.bits = static_cast<std::uint32_t>(type.index->cardinality() * type.stride);
      return;
    case Type::Kind::multiset:
      type.stride = type.element->bits + 1;
      type.bits = type.capacity * type.stride;
      return;
    case Type::Kind::record:
      type.bits = 0;
      for (Field& field : type.fields) {
        field.offset = type.bits;
        type.bits += field.type->bits;
      }
      return;
    default:
      return;
  }
}

using Sizes = std::map<const Type*, const Type*>;

// Machine types by those that stand in their places in the other program.
void pair_scalars(const Type& type, const Type& other, Sizes& pairs) {
  if (type.kind != other.kind) return;
  if (type.is_machine()) pairs[&type] = &other;
  if (type.kind == Type::Kind::array || type.kind == Type::Kind::multiset)
    pair_scalars(*type.element, *other.element, pairs);
  for (std::size_t k = 0; k < std::min(type.fields.size(), other.fields.size()); ++k)
    pair_scalars(*type.fields[k].type, *other.fields[k].type, pairs);
}

}  // namespace

void lay_out(Program& program) {
  for (Type& type : program.types) lay_out(type);
  program.state_bits = 0;
  for (Variable& variable : program.variables) {
    variable.offset = program.state_bits;
    program.state_bits += variable.type->bits;
  }
}

void lay_out_like(Program& program, const Program& other) {
  Sizes pairs;
  for (std::size_t k = 0; k < std::min(program.variables.size(), other.variables.size()); ++k)
    pair_scalars(*program.variables[k].type, *other.variables[k].type, pairs);
  for (Type& type : program.types) {
    const auto found = pairs.find(&type);
    if (found == pairs.end()) continue;
    type.bits = found->second->bits;
    type.is_signed = found->second->is_signed;
    type.lo = found->second->lo;
    type.hi = found->second->hi;
  }
  lay_out(program);
}

}  // namespace fathom::ir
