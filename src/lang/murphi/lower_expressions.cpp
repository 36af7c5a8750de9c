// Lowering: expressions that have a scalar value.
#include <cstdlib>

#include <fmt/format.h>

#include "lang/murphi/lowering.hpp"
#include "lang/murphi/type_rules.hpp"

namespace fathom::murphi {

namespace {

using Kind = ir::Expr::Kind;

Kind kind_of(Expr::Kind kind) {
  switch (kind) {
    case Expr::Kind::negate:
      return Kind::negate;
    case Expr::Kind::complement:
      return Kind::complement;
    case Expr::Kind::logical_not:
      return Kind::logical_not;
    case Expr::Kind::add:
      return Kind::add;
    case Expr::Kind::subtract:
      return Kind::subtract;
    case Expr::Kind::multiply:
      return Kind::multiply;
    case Expr::Kind::divide:
      return Kind::divide;
    case Expr::Kind::modulo:
      return Kind::modulo;
    case Expr::Kind::shift_left:
      return Kind::shift_left;
    case Expr::Kind::shift_right:
      return Kind::shift_right;
    case Expr::Kind::bit_and:
      return Kind::bit_and;
    case Expr::Kind::bit_or:
      return Kind::bit_or;
    case Expr::Kind::bit_xor:
      return Kind::bit_xor;
    case Expr::Kind::equal:
      return Kind::equal;
    case Expr::Kind::not_equal:
      return Kind::not_equal;
    case Expr::Kind::less:
      return Kind::less;
    case Expr::Kind::less_equal:
      return Kind::less_equal;
    case Expr::Kind::greater:
      return Kind::greater;
    case Expr::Kind::greater_equal:
      return Kind::greater_equal;
    case Expr::Kind::logical_and:
      return Kind::logical_and;
    case Expr::Kind::logical_or:
      return Kind::logical_or;
    case Expr::Kind::implies:
      return Kind::implies;
    default:
      return Kind::constant;
  }
}

ir::FaultKind fault_of(Kind kind) {
  switch (kind) {
    case Kind::divide:
    case Kind::modulo:
      return ir::FaultKind::division_by_zero;
    case Kind::shift_left:
    case Kind::shift_right:
      return ir::FaultKind::bad_shift;
    default:
      return ir::FaultKind::overflow;
  }
}

}  // namespace

bool Lowering::is_number(const ir::Type& type) const {
  return type.kind == ir::Type::Kind::range && !build_.is_slot_type(&type);
}

Operand Lowering::scalar(const Expr& syntax) {
  const Operand result = operand(syntax);
  if (!result.ok()) return {};
  if (result.is_undefined) {
    error("F129", syntax.range, "`undefined` is not a value to calculate or compare with").help =
        "test with isundefined(...)";
    return {};
  }
  if (result.type->is_scalar()) return result;
  error("F124", syntax.range,
        fmt::format("a simple value is needed here, and this is {}", describe_type(*result.type)));
  return {};
}

const ir::Expr* Lowering::value(const Expr& syntax) {
  return read(scalar(syntax));
}

const ir::Expr* Lowering::number(const Expr& syntax, const char* use) {
  const ir::Expr* const result = value(syntax);
  if (result == nullptr || is_number(*result->type)) return result;
  error("F120", syntax.range, fmt::format("{} must be a number, and this is {}", use, describe_type(*result->type)));
  return nullptr;
}

const ir::Expr* Lowering::condition(const Expr& syntax, const char* use) {
  const ir::Expr* const result = value(syntax);
  if (result == nullptr || result->type == build_.boolean()) return result;
  error("F121", syntax.range, fmt::format("{} must be a boolean, and this is {}", use, describe_type(*result->type)));
  return nullptr;
}

const ir::Expr* Lowering::compound(const Expr& syntax) {
  switch (syntax.kind) {
    case Expr::Kind::number:
      return literal(syntax);
    case Expr::Kind::string:
      error("F124", syntax.range, "a string is not a value");
      return nullptr;
    case Expr::Kind::negate:
    case Expr::Kind::complement:
    case Expr::Kind::logical_not:
      return unary(syntax);
    case Expr::Kind::logical_and:
    case Expr::Kind::logical_or:
    case Expr::Kind::implies:
      return logic(syntax);
    case Expr::Kind::and_or_bit_and:
    case Expr::Kind::or_or_bit_or:
      return logic_or_bits(syntax);
    case Expr::Kind::less:
    case Expr::Kind::less_equal:
    case Expr::Kind::greater:
    case Expr::Kind::greater_equal:
      return order(syntax);
    case Expr::Kind::equal:
    case Expr::Kind::not_equal:
      return equality(syntax);
    case Expr::Kind::conditional:
      return conditional(syntax);
    case Expr::Kind::for_all:
    case Expr::Kind::exists:
      return quantified(syntax, 0);
    case Expr::Kind::is_undefined:
      return undefined_test(syntax);
    case Expr::Kind::is_member:
      return membership(syntax);
    case Expr::Kind::multiset_count:
      return multiset_count(syntax);
    default:
      return arithmetic(syntax);
  }
}

const ir::Expr* Lowering::literal(const Expr& syntax) {
  const auto held = static_cast<std::int64_t>(syntax.value + static_cast<std::uint64_t>(build_.number()->zero));
  if (held != ir::undefined) return build_.constant(held, build_.number(), syntax.range);
  error("F111", syntax.range, "the largest number is 18446744073709551614");
  return nullptr;
}

const ir::Expr* Lowering::unary(const Expr& syntax) {
  const bool is_not = syntax.kind == Expr::Kind::logical_not;
  const ir::Expr* const a =
      is_not ? condition(*syntax.a, "the operand of `!`")
             : number(*syntax.a, syntax.kind == Expr::Kind::negate ? "the operand of `-`" : "the operand of `~`");
  if (a == nullptr) return nullptr;
  if (!is_not && unsigned_numbers()) return unsigned_unary(syntax, a);
  ir::Expr& expr = build_.expr(kind_of(syntax.kind), is_not ? build_.boolean() : build_.number(), syntax.range);
  expr.a = a;
  if (!is_not) expr.site = build_.site(ir::FaultKind::overflow, syntax.range, quote(syntax.range));
  return fold(expr);
}

const ir::Expr* Lowering::unsigned_unary(const Expr& syntax, const ir::Expr* a) {
  const std::int64_t zero = build_.number()->zero;
  const bool negates = syntax.kind == Expr::Kind::negate;
  if (negates && (a->kind != Kind::constant || a->value == zero))
    return binary(Kind::subtract, build_.number(), build_.constant(zero, build_.number(), syntax.range), a,
                  syntax.range);
  error("F111", syntax.range,
        fmt::format("{} not supported in a model with numbers above 9223372036854775807",
                    negates ? "negative numbers are" : "`~` is"));
  return nullptr;
}

const ir::Expr* Lowering::binary(Kind kind, const ir::Type* type, const ir::Expr* a, const ir::Expr* b,
                                 SourceRange range) {
  ir::Expr& expr = build_.expr(kind, type, range);
  expr.a = a;
  expr.b = b;
  if (type == build_.number()) expr.site = build_.site(fault_of(kind), range, quote(range));
  return fold(expr);
}

const ir::Expr* Lowering::arithmetic(const Expr& syntax) {
  const ir::Expr* const a = number(*syntax.a, "the left operand");
  const ir::Expr* const b = number(*syntax.b, "the right operand");
  if (a == nullptr || b == nullptr) return nullptr;
  const bool shifts = syntax.kind == Expr::Kind::shift_left || syntax.kind == Expr::Kind::shift_right;
  if (shifts && b->kind == ir::Expr::Kind::constant && !unsigned_numbers())
    return shift(kind_of(syntax.kind), a, b->value, syntax.range);
  return binary(kind_of(syntax.kind), build_.number(), a, b, syntax.range);
}

// A negative distance shifts the other way, and 64 bits or more leave nothing. The ir knows neither, so a known
// distance is brought into its range here; nothing is left by a product with 0, which still evaluates the operand.
const ir::Expr* Lowering::shift(Kind kind, const ir::Expr* a, std::int64_t distance, SourceRange range) {
  if (distance <= -64 || distance >= 64)
    return binary(Kind::multiply, &ir::integer(), a, build_.constant(0, &ir::integer(), range), range);
  if (distance < 0) kind = kind == Kind::shift_left ? Kind::shift_right : Kind::shift_left;
  return binary(kind, &ir::integer(), a, build_.constant(std::abs(distance), &ir::integer(), range), range);
}

const ir::Expr* Lowering::logic(const Expr& syntax) {
  const ir::Expr* const a = condition(*syntax.a, "the left operand");
  const ir::Expr* const b = condition(*syntax.b, "the right operand");
  if (a == nullptr || b == nullptr) return nullptr;
  return binary(kind_of(syntax.kind), build_.boolean(), a, b, syntax.range);
}

const ir::Expr* Lowering::logic_or_bits(const Expr& syntax) {
  const bool is_and = syntax.kind == Expr::Kind::and_or_bit_and;
  const ir::Expr* const a = value(*syntax.a);
  const ir::Expr* const b = value(*syntax.b);
  if (a == nullptr || b == nullptr) return nullptr;
  if (a->type == build_.boolean() && b->type == build_.boolean())
    return binary(is_and ? Kind::logical_and : Kind::logical_or, build_.boolean(), a, b, syntax.range);
  if (is_number(*a->type) && is_number(*b->type))
    return binary(is_and ? Kind::bit_and : Kind::bit_or, build_.number(), a, b, syntax.range);
  error("F121", syntax.range,
        fmt::format("the operands of `{}` must be two booleans or two numbers, not {} and {}", is_and ? '&' : '|',
                    describe_type(*a->type), describe_type(*b->type)));
  return nullptr;
}

const ir::Expr* Lowering::order(const Expr& syntax) {
  const ir::Expr* const a = number(*syntax.a, "the left side of the comparison");
  const ir::Expr* const b = number(*syntax.b, "the right side of the comparison");
  if (a == nullptr || b == nullptr) return nullptr;
  return binary(kind_of(syntax.kind), build_.boolean(), a, b, syntax.range);
}

const ir::Expr* Lowering::equality(const Expr& syntax) {
  const Operand a = operand(*syntax.a);
  const Operand b = operand(*syntax.b);
  if (!a.ok() || !b.ok()) return nullptr;
  if (a.is_undefined || b.is_undefined) {
    error("F129", syntax.range, "nothing is equal to `undefined`").help = "test with isundefined(...)";
    return nullptr;
  }
  if (!compatible(*a.type, *b.type)) {
    error("F122", syntax.range,
          fmt::format("{} cannot be compared with {}", describe_type(*a.type), describe_type(*b.type)));
    return nullptr;
  }
  if (!a.type->is_scalar()) return aggregate_equality(syntax, a, b);
  return binary(kind_of(syntax.kind), build_.boolean(), compared(a), compared(b), syntax.range);
}

// CMurphi compares scalarset and union values without asking whether they are defined: an undefined one equals no
// element. For all other types a comparison reads, and an undefined value is a fault.
const ir::Expr* Lowering::compared(const Operand& operand) {
  const bool unchecked = operand.type->kind == ir::Type::Kind::scalarset || operand.type->kind == ir::Type::Kind::unite;
  return !rumur() && unchecked ? read_or_undefined(operand) : read(operand);
}

const ir::Expr* Lowering::aggregate_equality(const Expr& syntax, const Operand& a, const Operand& b) {
  const Kind kind = syntax.kind == Expr::Kind::equal ? Kind::same : Kind::different;
  ir::Expr& expr = build_.expr(kind, build_.boolean(), syntax.range);
  expr.place = a.place;
  expr.other = b.place;
  return &expr;
}

const ir::Expr* Lowering::conditional(const Expr& syntax) {
  const ir::Expr* const a = condition(*syntax.a, "the condition of `?`");
  const ir::Expr* const b = value(*syntax.b);
  const ir::Expr* const c = value(*syntax.c);
  if (a == nullptr || b == nullptr || c == nullptr) return nullptr;
  const bool numbers = is_number(*b->type) && is_number(*c->type);
  const ir::Type* type = numbers ? build_.number() : nullptr;
  if (compatible(*b->type, *c->type)) {
    if (within(*b->type, *c->type)) type = c->type;
    if (within(*c->type, *b->type)) type = b->type;
  }
  if (type == nullptr) {
    error("F128", syntax.range,
          fmt::format("the two results of `?` do not go together: {} and {}", describe_type(*b->type),
                      describe_type(*c->type)));
    return nullptr;
  }
  ir::Expr& expr = build_.expr(Kind::conditional, type, syntax.range);
  expr.a = a;
  expr.b = b;
  expr.c = c;
  return fold(expr);
}

// Several quantifiers in one forall nest, the first outermost.
const ir::Expr* Lowering::quantified(const Expr& syntax, std::size_t k) {
  if (k == syntax.quantifiers.size())
    return condition(*syntax.a, syntax.kind == Expr::Kind::for_all ? "what `forall` says" : "what `exists` says");
  const Quantifier& quantifier = syntax.quantifiers[k];
  const ScopeGuard scope(scopes_);
  const ir::Type* type = nullptr;
  const std::optional<ir::Domain> range = domain(quantifier, type);
  const ir::Local& local = counter(quantifier.name, type);
  const ir::Expr* const inner = quantified(syntax, k + 1);
  if (!range || inner == nullptr) return nullptr;
  const Kind kind = syntax.kind == Expr::Kind::for_all ? Kind::for_all : Kind::exists;
  ir::Expr& expr = build_.expr(kind, build_.boolean(), syntax.range);
  expr.binding = build_.binding(&local, *range);
  expr.a = inner;
  return &expr;
}

const ir::Expr* Lowering::undefined_test(const Expr& syntax) {
  const Operand tested = designator(*syntax.a, "the argument of isundefined");
  if (!tested.ok()) return nullptr;
  if (!tested.type->is_scalar()) {
    error("F130", syntax.a->range,
          fmt::format("isundefined needs a simple variable, and this is {}", describe_type(*tested.type)));
    return nullptr;
  }
  ir::Expr& expr = build_.expr(Kind::is_undefined, build_.boolean(), syntax.range);
  expr.place = tested.place;
  return &expr;
}

const ir::Expr* Lowering::membership(const Expr& syntax) {
  const ir::Expr* const a = value(*syntax.a);
  const ir::Type* const type = scalar_type(*syntax.type, "the type in ismember");
  if (a == nullptr || type == nullptr) return nullptr;
  if (!compatible(*a->type, *type)) {
    error("F122", syntax.range,
          fmt::format("{} never has a value of {}", describe_type(*a->type), describe_type(*type)));
    return nullptr;
  }
  ir::Expr& expr = build_.expr(Kind::is_member, build_.boolean(), syntax.range);
  expr.a = a;
  expr.tested = type;
  return fold(expr);
}

}  // namespace fathom::murphi
