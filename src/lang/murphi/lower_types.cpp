// Lowering: type expressions.
#include <fmt/format.h>

#include "lang/murphi/lowering.hpp"
#include "lang/murphi/type_rules.hpp"

namespace fathom::murphi {

namespace {

// Larger sets of values cannot be numbered without overflow and are surely a mistake.
constexpr std::int64_t max_size = std::int64_t{1} << 32;

}  // namespace

const ir::Type* Lowering::type_of(const TypeExpr& syntax) {
  if (syntax.kind == TypeExpr::Kind::name) return named_type(syntax.name);
  const auto known = types_.find(&syntax);
  if (known == types_.end()) return types_[&syntax] = build_type(syntax);
  if (known->second != nullptr) declare_values(syntax);
  return known->second;
}

// The values of an enumeration belong to the scope in which the type is written. A type in a quantifier is met again
// for every rule of a ruleset, each time in a new scope.
void Lowering::declare_values(const TypeExpr& syntax) {
  if (syntax.kind == TypeExpr::Kind::enumeration) enumeration_type(syntax);
  for (const TypePtr& member : syntax.members)
    if (member->kind != TypeExpr::Kind::name) type_of(*member);
}

const ir::Type* Lowering::build_type(const TypeExpr& syntax) {
  switch (syntax.kind) {
    case TypeExpr::Kind::name:
      return named_type(syntax.name);
    case TypeExpr::Kind::range:
      return range_type(syntax);
    case TypeExpr::Kind::enumeration:
      return enumeration_type(syntax);
    case TypeExpr::Kind::scalarset:
      return scalarset_type(syntax);
    case TypeExpr::Kind::unite:
      return union_type(syntax);
    case TypeExpr::Kind::array:
      return array_type(syntax);
    case TypeExpr::Kind::record:
      return record_type(syntax);
    case TypeExpr::Kind::multiset:
      return multiset_type(syntax);
    case TypeExpr::Kind::real:
      error("F119", syntax.range, "real numbers are not supported yet");
      return nullptr;
  }
  return nullptr;
}

const ir::Type* Lowering::named_type(const Name& name) {
  const Symbol* const symbol = scopes_.find(name.text);
  if (symbol == nullptr) {
    Diagnostic& diagnostic = error("F101", name.range, fmt::format("there is no type `{}`", name.text));
    const std::string guess = closest(name.text, scopes_.names(Symbol::Kind::type));
    if (!guess.empty()) diagnostic.help = fmt::format("did you mean `{}`?", guess);
    return nullptr;
  }
  if (symbol->kind == Symbol::Kind::type) return symbol->type;
  error("F106", name.range, fmt::format("`{}` is not a type", name.text)).notes = {
      {symbol->range, fmt::format("`{}` is declared here", name.text)}};
  return nullptr;
}

const ir::Type* Lowering::range_type(const TypeExpr& syntax) {
  const std::optional<std::int64_t> low = constant_number(*syntax.low, "the lower bound of a range");
  const std::optional<std::int64_t> high = constant_number(*syntax.high, "the upper bound of a range");
  if (!low || !high) return nullptr;
  if (*low > *high) {
    const ir::Type& number = *build_.number();
    error("F112", syntax.range, fmt::format("the range {}..{} is empty", show(number, *low), show(number, *high)));
    return nullptr;
  }
  return build_.range(*low, *high);
}

const ir::Type* Lowering::enumeration_type(const TypeExpr& syntax) {
  const auto known = types_.find(&syntax);
  const ir::Type* type = known != types_.end() ? known->second : nullptr;
  if (type == nullptr) {
    std::vector<std::string> names;
    for (const Name& name : syntax.values) names.push_back(name.text);
    if (names.empty()) {
      error("F113", syntax.range, "an enumeration needs at least one value");
      return nullptr;
    }
    type = build_.enumeration(std::move(names));
  }
  std::int64_t number = type->lo;
  for (const Name& name : syntax.values) {
    Symbol symbol;
    symbol.kind = Symbol::Kind::value;
    symbol.type = type;
    symbol.value = build_.constant(number++, type, name.range);
    declare(name, symbol);
  }
  return type;
}

const ir::Type* Lowering::scalarset_type(const TypeExpr& syntax) {
  const std::optional<std::int64_t> size = plain_number(*syntax.low, "the size of a scalarset");
  if (!size) return nullptr;
  if (*size < 1 || *size > max_size) {
    error("F113", syntax.low->range, fmt::format("a scalarset cannot have {} values", *size));
    return nullptr;
  }
  return build_.scalarset(static_cast<std::uint64_t>(*size));
}

const ir::Type* Lowering::union_type(const TypeExpr& syntax) {
  std::vector<const ir::Type*> members;
  std::set<const ir::Type*> seen;
  bool ok = true;
  for (const TypePtr& member : syntax.members) {
    const ir::Type* const type = type_of(*member);
    if (type == nullptr) {
      ok = false;
      continue;
    }
    if (!type->is_scalar() || type->kind == ir::Type::Kind::range) {
      error("F114", member->range, fmt::format("{} cannot be a member of a union", describe_type(*type))).help =
          "members are scalarsets, enumerations and other unions";
      ok = false;
      continue;
    }
    const std::vector<const ir::Type*> parts =
        type->kind == ir::Type::Kind::unite ? type->members : std::vector<const ir::Type*>{type};
    for (const ir::Type* part : parts)
      if (seen.insert(part).second) members.push_back(part);
  }
  return ok && !members.empty() ? build_.unite(members) : nullptr;
}

const ir::Type* Lowering::scalar_type(const TypeExpr& syntax, const char* use) {
  const ir::Type* const type = type_of(syntax);
  if (type == nullptr || type->is_scalar()) return type;
  error("F115", syntax.range, fmt::format("{} must be a simple type, and this is {}", use, describe_type(*type)));
  return nullptr;
}

const ir::Type* Lowering::sized(const ir::Type* type, SourceRange range) {
  if (type == nullptr) error("F117", range, fmt::format("this type needs more than {} bits", ir::Builder::max_bits));
  return type;
}

const ir::Type* Lowering::array_type(const TypeExpr& syntax) {
  const ir::Type* const index = scalar_type(*syntax.index, "the index of an array");
  const ir::Type* const element = type_of(*syntax.element);
  if (index == nullptr || element == nullptr) return nullptr;
  return sized(build_.array(index, element), syntax.range);
}

const ir::Type* Lowering::record_type(const TypeExpr& syntax) {
  std::vector<ir::Field> fields;
  std::map<std::string, SourceRange> seen;
  bool ok = true;
  for (const Declaration& declaration : syntax.fields) {
    const Name& name = declaration.name;
    const auto [earlier, fresh] = seen.emplace(name.text, name.range);
    if (!fresh) {
      error("F107", name.range, fmt::format("the record has two fields `{}`", name.text)).notes = {
          {earlier->second, "the first one is here"}};
      ok = false;
      continue;
    }
    fields.push_back({name.text, type_of(*declaration.type)});
    ok = ok && fields.back().type != nullptr;
  }
  return ok ? sized(build_.record(std::move(fields)), syntax.range) : nullptr;
}

const ir::Type* Lowering::multiset_type(const TypeExpr& syntax) {
  const std::optional<std::int64_t> capacity = plain_number(*syntax.low, "the size of a multiset");
  const ir::Type* const element = type_of(*syntax.element);
  if (!capacity || element == nullptr) return nullptr;
  if (*capacity < 1 || *capacity > static_cast<std::int64_t>(ir::Builder::max_bits)) {
    error("F113", syntax.low->range, fmt::format("a multiset cannot have room for {} elements", *capacity));
    return nullptr;
  }
  return sized(build_.multiset(static_cast<std::uint32_t>(*capacity), element), syntax.range);
}

}  // namespace fathom::murphi
