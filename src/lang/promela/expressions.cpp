#include "lang/promela/expressions.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::promela {

namespace {

using Kind = Expr::Kind;

std::int32_t wrap(std::int64_t value) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
}

std::optional<std::int32_t> fold_unary(Kind kind, std::int64_t a) {
  switch (kind) {
    case Kind::negate:
      return wrap(-a);
    case Kind::logical_not:
      return a == 0;
    case Kind::complement:
      return wrap(~a);
    default:
      return std::nullopt;
  }
}

std::optional<std::int32_t> fold_binary(Kind kind, std::int64_t a, std::int64_t b) {
  const bool shiftable = b >= 0 && b < 32;
  switch (kind) {
    case Kind::add:
      return wrap(a + b);
    case Kind::subtract:
      return wrap(a - b);
    case Kind::multiply:
      return wrap(a * b);
    case Kind::divide:
      return b == 0 ? std::nullopt : std::optional(wrap(a / b));
    case Kind::modulo:
      return b == 0 ? std::nullopt : std::optional(wrap(a % b));
    case Kind::shift_left:
      return shiftable ? std::optional(wrap(a * (std::int64_t{1} << b))) : std::nullopt;
    case Kind::shift_right:
      return shiftable ? std::optional(wrap(a >> b)) : std::nullopt;
    case Kind::bit_and:
      return wrap(a & b);
    case Kind::bit_or:
      return wrap(a | b);
    case Kind::bit_xor:
      return wrap(a ^ b);
    case Kind::equal:
      return a == b;
    case Kind::not_equal:
      return a != b;
    case Kind::less:
      return a < b;
    case Kind::less_equal:
      return a <= b;
    case Kind::greater:
      return a > b;
    case Kind::greater_equal:
      return a >= b;
    case Kind::logical_and:
      return a != 0 && b != 0;
    case Kind::logical_or:
      return a != 0 || b != 0;
    default:
      return std::nullopt;
  }
}

void append_scalars(const Type& type, std::vector<Type>& out, const Variable** array_field) {
  if (!type.is(Type::Kind::user)) return out.push_back(type);
  for (const auto& field : type.user->fields) {
    if (field->is_array && field->type.is(Type::Kind::user)) {
      if (array_field != nullptr) *array_field = field.get();
      continue;
    }
    for (std::uint32_t i = 0; i < field->length; ++i) append_scalars(field->type, out, array_field);
  }
}

void append_scalars(ExprPtr designator, std::vector<ExprPtr>& out) {
  if (!designator->type.is(Type::Kind::user)) return out.push_back(std::move(designator));
  const SourceRange range = designator->range;
  for (const auto& field : designator->type.user->fields) {
    if (field->is_array && field->type.is(Type::Kind::user)) continue;
    for (std::uint32_t i = 0; i < field->length; ++i) {
      auto part = make_field(clone(*designator), *field, range);
      if (field->is_array) {
        ExprPtr index = make_number(static_cast<std::int32_t>(i), range, part->origin);
        part = make_element(std::move(part), std::move(index), range);
      }
      append_scalars(std::move(part), out);
    }
  }
}

}  // namespace

std::optional<std::int32_t> fold(const Expr& expression) {
  if (expression.is_constant()) return expression.value;
  if (expression.kind == Kind::conditional) {
    const auto test = fold(*expression.a);
    return test ? fold(*test != 0 ? *expression.b : *expression.c) : std::nullopt;
  }
  if (!expression.a || expression.is_designator()) return std::nullopt;
  const auto a = fold(*expression.a);
  if (!a) return std::nullopt;
  if (!expression.b) return fold_unary(expression.kind, *a);
  const auto b = fold(*expression.b);
  return b ? fold_binary(expression.kind, *a, *b) : std::nullopt;
}

Type basic_type(Type::Kind kind) {
  Type type;
  type.kind = kind;
  switch (kind) {
    case Type::Kind::bit:
    case Type::Kind::boolean:
      type.bits = 1;
      break;
    case Type::Kind::short_int:
      type.bits = 16;
      break;
    case Type::Kind::int_:
      type.bits = 32;
      break;
    default:
      type.bits = 8;
  }
  return type;
}

std::string to_string(const Type& type) {
  switch (type.kind) {
    case Type::Kind::bit:
      return "bit";
    case Type::Kind::boolean:
      return "bool";
    case Type::Kind::byte:
      return "byte";
    case Type::Kind::short_int:
      return "short";
    case Type::Kind::int_:
      return "int";
    case Type::Kind::unsigned_int:
      return fmt::format("unsigned : {}", type.bits);
    case Type::Kind::mtype:
      return type.set == nullptr || type.set->name.empty() ? "mtype" : "mtype:" + type.set->name;
    case Type::Kind::chan:
      return "chan";
    case Type::Kind::pid:
      return "pid";
    case Type::Kind::user:
      return type.user->name;
  }
  return {};
}

ExprPtr make_number(std::int32_t value, SourceRange range, OriginId origin) {
  auto result = std::make_unique<Expr>();
  result->kind = Kind::number;
  result->value = value;
  result->range = range;
  result->origin = origin;
  return result;
}

ExprPtr make_variable(const Variable& variable, SourceRange range, OriginId origin) {
  auto result = std::make_unique<Expr>();
  result->kind = Kind::variable;
  result->variable = &variable;
  result->type = variable.type;
  result->range = range;
  result->origin = origin;
  return result;
}

ExprPtr make_element(ExprPtr array, ExprPtr index, SourceRange range) {
  auto result = std::make_unique<Expr>();
  result->kind = Kind::element;
  result->type = array->type;
  result->range = range;
  result->origin = array->origin;
  result->height = 1 + std::max(array->height, index->height);
  result->a = std::move(array);
  result->b = std::move(index);
  return result;
}

ExprPtr make_field(ExprPtr record, const Variable& field, SourceRange range) {
  auto result = std::make_unique<Expr>();
  result->kind = Kind::field;
  result->variable = &field;
  result->type = field.type;
  result->range = range;
  result->origin = record->origin;
  result->height = 1 + record->height;
  result->a = std::move(record);
  return result;
}

ExprPtr clone(const Expr& expression) {
  auto result = std::make_unique<Expr>();
  result->kind = expression.kind;
  result->range = expression.range;
  result->origin = expression.origin;
  result->type = expression.type;
  result->value = expression.value;
  result->random = expression.random;
  result->parenthesised = expression.parenthesised;
  result->has_probe = expression.has_probe;
  result->height = expression.height;
  result->text = expression.text;
  result->code = expression.code;
  result->constant = expression.constant;
  result->variable = expression.variable;
  result->process = expression.process;
  result->label = expression.label;
  if (expression.a) result->a = clone(*expression.a);
  if (expression.b) result->b = clone(*expression.b);
  if (expression.c) result->c = clone(*expression.c);
  for (const ExprPtr& argument : expression.arguments) result->arguments.push_back(clone(*argument));
  return result;
}

const Variable& declaration_of(const Expr& designator) {
  return designator.kind == Kind::element ? declaration_of(*designator.a) : *designator.variable;
}

bool is_whole_array(const Expr& designator) {
  return designator.kind != Kind::element && designator.variable->is_array;
}

const Variable& root_of(const Expr& designator) {
  return designator.kind == Kind::variable ? *designator.variable : root_of(*designator.a);
}

std::vector<Type> scalars_of(const Type& type, const Variable** array_field) {
  std::vector<Type> result;
  append_scalars(type, result, array_field);
  return result;
}

std::vector<ExprPtr> scalars_of(ExprPtr designator) {
  std::vector<ExprPtr> result;
  append_scalars(std::move(designator), result);
  return result;
}

std::vector<Type> parameter_slots(const Process& process) {
  std::vector<Type> result;
  for (const Variable* parameter : process.parameters) append_scalars(parameter->type, result, nullptr);
  return result;
}

}  // namespace fathom::promela
