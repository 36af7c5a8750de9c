// Types: every scalar is a machine integer, arrays and structures are made of them.
#include <fmt/format.h>

#include "lang/promela/lowering.hpp"

namespace fathom::promela {

const ir::Type* Lowering::scalar_type(const Type& type) {
  switch (type.kind) {
    case Type::Kind::short_int:
      return build_.machine(16, true);
    case Type::Kind::int_:
      return build_.machine(32, true);
    case Type::Kind::mtype: {
      if (type.set == nullptr) return build_.machine(8, false);
      const ir::Type*& known = mtypes_[type.set];
      if (known == nullptr) {
        std::vector<std::string> names;
        for (const auto& constant : type.set->constants) names.push_back(constant->name);
        known = build_.machine(8, false, std::move(names), type.set->name.empty() ? "mtype" : type.set->name);
      }
      return known;
    }
    default:
      return build_.machine(type.bits, false);
  }
}

const ir::Type* Lowering::array_of(std::uint32_t length, const ir::Type* element, SourceRange range) {
  if (element == nullptr) return nullptr;
  const ir::Type* const result = build_.array(build_.range(0, std::int64_t{length} - 1), element);
  if (result == nullptr) fail_on_size(range, "this array");
  return result;
}

const ir::Type* Lowering::type_of(const Variable& variable) {
  const ir::Type* const type = variable.type.is(Type::Kind::user) ? record_type(*variable.type.user)
                                                                  : build_.separate(scalar_type(variable.type));
  return variable.is_array ? array_of(variable.length, type, variable.range) : type;
}

const ir::Type* Lowering::record_type(const Typedef& syntax) {
  const ir::Type*& known = records_[&syntax];
  if (known != nullptr) return known;
  std::vector<ir::Field> fields;
  for (const auto& field : syntax.fields) {
    const ir::Type* const type = type_of(*field);
    if (type == nullptr) return nullptr;
    fields.push_back({field->name, type});
  }
  known = build_.record(std::move(fields));
  if (known == nullptr) {
    fail_on_size(syntax.range, fmt::format("`{}`", syntax.name));
  } else {
    known = build_.named(known, syntax.name);
  }
  return records_[&syntax];
}

}  // namespace fathom::promela
