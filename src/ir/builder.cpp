#include "ir/builder.hpp"

#include <bit>

namespace fathom::ir {

Builder::Builder(Program& program, const Type& numbers) : program_(program), number_(&numbers) {
  Type& type = add(Type::Kind::boolean);
  type.name = "boolean";
  type.hi = 1;
  type.value_names = {"false", "true"};
  boolean_ = finish_scalar(type);
}

Type& Builder::add(Type::Kind kind) {
  Type& type = program_.types.emplace_back();
  type.kind = kind;
  return type;
}

const Type* Builder::finish_scalar(Type& type) {
  type.bits = static_cast<std::uint32_t>(std::bit_width(type.cardinality()));
  return &type;
}

const Type* Builder::range(std::int64_t lo, std::int64_t hi) {
  const Type*& known = ranges_[{lo, hi}];
  if (known == nullptr) {
    Type& type = add(Type::Kind::range);
    type.lo = lo;
    type.hi = hi;
    type.zero = number_->zero;
    known = finish_scalar(type);
  }
  return known;
}

const Type* Builder::enumeration(std::vector<std::string> values) {
  Type& type = add(Type::Kind::enumeration);
  type.lo = next_value_;
  type.hi = next_value_ + static_cast<std::int64_t>(values.size()) - 1;
  next_value_ = type.hi + 1;
  type.value_names = std::move(values);
  return finish_scalar(type);
}

const Type* Builder::scalarset(std::uint64_t size) {
  Type& type = add(Type::Kind::scalarset);
  type.lo = next_value_;
  type.hi = next_value_ + static_cast<std::int64_t>(size) - 1;
  next_value_ = type.hi + 1;
  return finish_scalar(type);
}

const Type* Builder::machine(std::uint32_t bits, bool is_signed, std::vector<std::string> value_names,
                             std::string name) {
  const bool shared = value_names.empty();
  if (shared)
    if (const auto found = machines_.find({bits, is_signed}); found != machines_.end()) return found->second;
  Type& type = add(Type::Kind::machine);
  type.bits = bits;
  type.is_signed = is_signed;
  type.value_names = std::move(value_names);
  type.name = std::move(name);
  if (shared) machines_.emplace(std::pair{bits, is_signed}, &type);
  return &type;
}

const Type* Builder::separate(const Type* scalar) {
  return &program_.types.emplace_back(*scalar);
}

const Type* Builder::unite(const std::vector<const Type*>& members) {
  Type& type = add(Type::Kind::unite);
  for (const Type* member : members) {
    if (member->kind == Type::Kind::unite) {
      type.members.insert(type.members.end(), member->members.begin(), member->members.end());
    } else {
      type.members.push_back(member);
    }
  }
  return finish_scalar(type);
}

const Type* Builder::array(const Type* index, const Type* element) {
  const std::uint64_t count = index->cardinality();
  if (count > max_bits || count * element->bits > max_bits) return nullptr;
  Type& type = add(Type::Kind::array);
  type.index = index;
  type.element = element;
  type.stride = element->bits;
  type.bits = static_cast<std::uint32_t>(count * element->bits);
  return &type;
}

const Type* Builder::record(std::vector<Field> fields) {
  std::uint64_t bits = 0;
  for (Field& field : fields) {
    field.offset = static_cast<std::uint32_t>(bits);
    bits += field.type->bits;
    if (bits > max_bits) return nullptr;
  }
  Type& type = add(Type::Kind::record);
  type.fields = std::move(fields);
  type.bits = static_cast<std::uint32_t>(bits);
  return &type;
}

const Type* Builder::multiset(std::uint32_t capacity, const Type* element) {
  const std::uint64_t stride = std::uint64_t{1} + element->bits;
  if (stride * capacity > max_bits) return nullptr;
  Type& type = add(Type::Kind::multiset);
  type.element = element;
  type.capacity = capacity;
  type.stride = static_cast<std::uint32_t>(stride);
  type.bits = static_cast<std::uint32_t>(stride * capacity);
  return &type;
}

const Type* Builder::slots_of(const Type* multiset) {
  const Type*& known = slots_[multiset];
  if (known == nullptr) {
    Type& type = add(Type::Kind::range);
    type.hi = std::int64_t{multiset->capacity} - 1;
    known = finish_scalar(type);
  }
  return known;
}

bool Builder::is_slot_type(const Type* type) const {
  for (const auto& [multiset, slots] : slots_)
    if (slots == type) return true;
  return false;
}

const Type* Builder::named(const Type* type, const std::string& name) {
  if (!type->name.empty()) return type;
  // Anonymous ranges are shared by everybody who writes the same bounds, so the name goes to a copy.
  Type& target = type->kind == Type::Kind::range ? program_.types.emplace_back(*type) : const_cast<Type&>(*type);
  target.name = name;
  return &target;
}

const Variable* Builder::variable(std::string name, const Type* type, SourceRange range) {
  const std::uint64_t end = std::uint64_t{program_.state_bits} + type->bits;
  if (end > max_bits) return nullptr;
  Variable& variable = program_.variables.emplace_back();
  variable.name = std::move(name);
  variable.type = type;
  variable.offset = program_.state_bits;
  variable.range = range;
  program_.state_bits = static_cast<std::uint32_t>(end);
  return &variable;
}

Local& Builder::local(Routine& routine, std::string name, const Type* type, Local::Storage storage, SourceRange range) {
  Local& local = routine.locals.emplace_back();
  local.name = std::move(name);
  local.type = type;
  local.storage = storage;
  local.range = range;
  return local;
}

bool Builder::lay_out(Routine& routine) {
  std::uint64_t frame_bits = 0;
  routine.registers = 0;
  routine.references = 0;
  for (Local& local : routine.locals) {
    switch (local.storage) {
      case Local::Storage::in_register:
        local.slot = routine.registers++;
        break;
      case Local::Storage::reference:
        local.slot = routine.references++;
        break;
      case Local::Storage::frame:
        local.slot = static_cast<std::uint32_t>(frame_bits);
        frame_bits += local.type->bits;
        if (frame_bits > max_bits) return false;
    }
  }
  routine.frame_bits = static_cast<std::uint32_t>(frame_bits);
  return true;
}

SiteId Builder::site(FaultKind kind, SourceRange range, std::string text) {
  program_.sites.push_back({kind, range, std::move(text)});
  return SiteId{static_cast<std::uint32_t>(program_.sites.size() - 1)};
}

Expr& Builder::expr(Expr::Kind kind, const Type* type, SourceRange range) {
  Expr& expr = program_.exprs.emplace_back();
  expr.kind = kind;
  expr.type = type;
  expr.range = range;
  return expr;
}

const Expr* Builder::constant(std::int64_t value, const Type* type, SourceRange range) {
  Expr& result = expr(Expr::Kind::constant, type, range);
  result.value = value;
  return &result;
}

Stmt& Builder::stmt(Stmt::Kind kind, SourceRange range) {
  Stmt& stmt = program_.stmts.emplace_back();
  stmt.kind = kind;
  stmt.range = range;
  return stmt;
}

const Place* Builder::place(Place place) {
  return &program_.places.emplace_back(std::move(place));
}

const Binding* Builder::binding(const Local* local, const Domain& domain) {
  return &program_.bindings.emplace_back(Binding{local, domain});
}

const Call* Builder::call(Call call) {
  return &program_.calls.emplace_back(std::move(call));
}

ParameterDomain domain_of(const Type& type) {
  ParameterDomain domain;
  if (type.kind != Type::Kind::unite) {
    domain.segments.push_back({type.lo, type.hi, 1});
    return domain;
  }
  for (const Type* member : type.members) domain.segments.push_back({member->lo, member->hi, 1});
  return domain;
}

}  // namespace fathom::ir
