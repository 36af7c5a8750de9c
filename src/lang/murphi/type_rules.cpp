#include "lang/murphi/type_rules.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace fathom::murphi {

namespace {

using ir::Type;
using TypeKind = Type::Kind;

bool same_fields(const Type& a, const Type& b) {
  return std::ranges::equal(a.fields, b.fields, [](const ir::Field& x, const ir::Field& y) {
    return x.name == y.name && same_structure(*x.type, *y.type);
  });
}

bool share_a_member(const Type& a, const Type& b) {
  if (a.kind == TypeKind::unite)
    return std::ranges::any_of(a.members, [&](const Type* member) { return share_a_member(*member, b); });
  if (b.kind == TypeKind::unite) return share_a_member(b, a);
  return &a == &b;
}

}  // namespace

bool same_structure(const Type& a, const Type& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind || a.bits != b.bits) return false;
  switch (a.kind) {
    case TypeKind::range:
      return a.lo == b.lo && a.hi == b.hi && a.zero == b.zero;
    case TypeKind::unite:
      return a.members == b.members;
    case TypeKind::array:
      return same_structure(*a.index, *b.index) && same_structure(*a.element, *b.element);
    case TypeKind::multiset:
      return a.capacity == b.capacity && same_structure(*a.element, *b.element);
    case TypeKind::record:
      return same_fields(a, b);
    default:
      return false;
  }
}

bool compatible(const Type& a, const Type& b) {
  if (!a.is_scalar() || !b.is_scalar()) return same_structure(a, b);
  if (a.kind == TypeKind::range && b.kind == TypeKind::range) return a.zero == b.zero;
  return share_a_member(a, b);
}

bool within(const Type& inner, const Type& outer) {
  if (inner.kind == TypeKind::unite)
    return std::ranges::all_of(inner.members, [&](const Type* member) { return within(*member, outer); });
  if (outer.kind == TypeKind::unite)
    return std::ranges::any_of(outer.members, [&](const Type* member) { return within(inner, *member); });
  return outer.contains(inner.lo) && outer.contains(inner.hi);
}

std::string describe_type(const Type& type) {
  if (&type == &ir::integer() || &type == &ir::natural()) return "a number";
  static constexpr const char* kinds[] = {"boolean", "range", "enumeration", "scalarset",
                                          "union",   "array", "record",      "multiset"};
  const char* const kind = kinds[static_cast<std::size_t>(type.kind)];
  if (type.kind == TypeKind::boolean) return "a boolean";
  if (type.kind == TypeKind::range && type.name.empty())
    return fmt::format("the range {}..{}", show(type, type.lo), show(type, type.hi));
  if (type.kind == TypeKind::enumeration && type.name.empty())
    return fmt::format("the enumeration {{{}}}", fmt::join(type.value_names, ", "));
  if (!type.name.empty()) return fmt::format("the {} `{}`", kind, type.name);
  return fmt::format("{} {}", type.kind == TypeKind::array ? "an" : "a", kind);
}

}  // namespace fathom::murphi
