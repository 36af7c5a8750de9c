// Emitter: expressions and places.
#include <fmt/format.h>

#include <algorithm>

#include "native/emitter.hpp"

namespace fathom {

using ir::Expr;
using ir::Local;
using ir::Place;
using ir::Type;
using Kind = ir::Expr::Kind;

namespace {

std::string in_scope(const std::string& setup, const std::string& result) {
  return setup.empty() ? result : "({ " + setup + result + "; })";
}

const char* arithmetic_prefix(const Type& type) {
  if (type.is_machine()) return "fathom_machine_";
  return type.zero == 0 ? "fathom_" : "fathom_natural_";
}

}  // namespace

std::string fail_text(ir::SiteId site) {
  return fmt::format("FATHOM_FAIL({});", static_cast<std::uint32_t>(site));
}

std::string Emitter::value(const Expr& expr) {
  if (const ValueRange& range = ranges_.of(expr); range.is_constant()) return fmt::format("INT64_C({})", range.lo);
  switch (expr.kind) {
    case Kind::constant:
      return fmt::format("INT64_C({})", expr.value);
    case Kind::read:
      return read(expr);
    case Kind::read_or_undefined:
      return read_or_undefined(*expr.place);
    case Kind::undefined_value:
      return "FATHOM_UNDEFINED";
    case Kind::is_undefined:
      return is_undefined(*expr.place);
    case Kind::same:
    case Kind::different:
      return compare_bits(expr);
    case Kind::negate:
    case Kind::complement:
      return unary(expr);
    case Kind::logical_not:
      return fmt::format("(!({}))", value(*expr.a));
    case Kind::logical_and:
      return conjunction(expr);
    case Kind::logical_or:
      return fmt::format("(({}) || ({}))", value(*expr.a), value(*expr.b));
    case Kind::implies:
      return fmt::format("(!({}) || ({}))", value(*expr.a), value(*expr.b));
    case Kind::conditional:
      return conditional(expr);
    case Kind::for_all:
    case Kind::exists:
      return quantifier(expr);
    case Kind::call:
      return call_value(expr);
    case Kind::is_member:
      return contains(*expr.tested, value(*expr.a));
    case Kind::timeout:
      return "(host->timeout != 0)";
    case Kind::slot_filled:
      return slot_filled(expr);
    case Kind::multiset_count:
      return count(expr);
    default:
      return binary(expr);
  }
}

std::string Emitter::conjunction(const Expr& expr) {
  if (ranges_.of(*expr.a).is_always_true()) return fmt::format("(({}) != 0)", value(*expr.b));
  if (ranges_.of(*expr.b).is_always_true()) return fmt::format("(({}) != 0)", value(*expr.a));
  return fmt::format("(({}) && ({}))", value(*expr.a), value(*expr.b));
}

std::string Emitter::conditional(const Expr& expr) {
  const ValueRange& condition = ranges_.of(*expr.a);
  if (condition.is_always_true()) return value(*expr.b);
  if (condition.is_always_false()) return value(*expr.c);
  return fmt::format("(({}) ? ({}) : ({}))", value(*expr.a), value(*expr.b), value(*expr.c));
}

std::string Emitter::unary(const Expr& expr) {
  const bool negates = expr.kind == Kind::negate;
  if (expr.type->is_machine()) return fmt::format("fathom_wrap({}({}))", negates ? "-" : "~", value(*expr.a));
  return fmt::format("{}({}, {})", negates ? "FATHOM_NEGATE" : "FATHOM_COMPLEMENT", value(*expr.a),
                     static_cast<std::uint32_t>(expr.site));
}

// Both operands are evaluated in order before anything is computed, because either may fault.
std::string Emitter::binary(const Expr& expr) {
  const auto compare = [&](const char* relation) {
    return fmt::format("FATHOM_COMPARE({}, {}, {})", value(*expr.a), relation, value(*expr.b));
  };
  const auto checked = [&](const char* operation) {
    return fmt::format("FATHOM_CHECKED({}{}, {}, {}, {})", arithmetic_prefix(*expr.type), operation, value(*expr.a),
                       value(*expr.b), static_cast<std::uint32_t>(expr.site));
  };
  switch (expr.kind) {
    case Kind::equal:
      return compare("==");
    case Kind::not_equal:
      return compare("!=");
    case Kind::less:
      return compare("<");
    case Kind::less_equal:
      return compare("<=");
    case Kind::greater:
      return compare(">");
    case Kind::greater_equal:
      return compare(">=");
    case Kind::bit_and:
      return checked("bit_and");
    case Kind::bit_or:
      return checked("bit_or");
    case Kind::bit_xor:
      return checked("bit_xor");
    case Kind::add:
      return checked("add");
    case Kind::subtract:
      return checked("subtract");
    case Kind::multiply:
      return checked("multiply");
    case Kind::divide:
      return checked("divide");
    case Kind::modulo:
      return checked("modulo");
    case Kind::shift_left:
      return checked("shift_left");
    default:
      return checked("shift_right");
  }
}

std::string Emitter::code_at(const Place& place) {
  const PlaceText at = this->place(place);
  return in_scope(at.setup, fmt::format("fathom_get({}, {}, {})", at.words, at.bit, place.type->bits));
}

std::string Emitter::read(const Expr& expr) {
  if (expr.site == ir::SiteId::none || expr.place->type->is_machine()) return read_or_undefined(*expr.place);
  const auto site = static_cast<std::uint32_t>(expr.site);
  if (is_register(*expr.place)) return fmt::format("FATHOM_DEFINED(r{}, {})", expr.place->local->slot, site);
  return value_of(*expr.place->type, fmt::format("FATHOM_DEFINED_CODE({}, {})", code_at(*expr.place), site));
}

std::string Emitter::read_or_undefined(const Place& place) {
  if (is_register(place)) return fmt::format("r{}", place.local->slot);
  if (place.type->is_machine()) return value_of(*place.type, code_at(place));
  const std::string code = temporary();
  return fmt::format("({{ const uint64_t {0} = {1}; {0} ? {2} : FATHOM_UNDEFINED; }})", code, code_at(place),
                     value_of(*place.type, code));
}

std::string Emitter::is_undefined(const Place& place) {
  if (place.type->is_machine()) return "0";
  if (is_register(place)) return fmt::format("(r{} == FATHOM_UNDEFINED)", place.local->slot);
  return fmt::format("({} == 0)", code_at(place));
}

std::string Emitter::compare_bits(const Expr& expr) {
  const PlaceText a = place(*expr.place);
  const PlaceText b = place(*expr.other);
  return in_scope(a.setup + b.setup, fmt::format("(fathom_compare({}, {}, {}, {}, {}) {} 0)", a.words, a.bit, b.words,
                                                 b.bit, expr.place->type->bits, expr.kind == Kind::same ? "==" : "!="));
}

PlaceText Emitter::place(const Place& place) {
  PlaceText at;
  if (place.variable != nullptr) {
    at.words = "s";
    at.bit = fmt::format("UINT64_C({})", place.variable->offset);
  } else if (place.local->storage == Local::Storage::reference) {
    at.words = fmt::format("w{}", place.local->slot);
    at.bit = fmt::format("b{}", place.local->slot);
  } else {
    at.words = "f";
    at.bit = fmt::format("UINT64_C({})", place.local->slot);
    if (place.call != nullptr) at.setup = call(*place.call->call, at.words + ", " + at.bit);
    if (is_passed_aggregate(*place.local)) at = {"", fmt::format("p{}", place.local->slot), "UINT64_C(0)"};
  }
  for (const ir::PathStep& step : place.path) follow(step, at);
  return at;
}

// A caller hands over its copy of an aggregate argument, and we use it where it lies.
bool Emitter::is_passed_aggregate(const Local& local) const {
  if (function_ == nullptr || local.type->is_scalar()) return false;
  return std::find(function_->parameters.begin(), function_->parameters.end(), &local) != function_->parameters.end();
}

void Emitter::follow(const ir::PathStep& step, PlaceText& at) {
  const Type& container = *step.container;
  if (step.kind == ir::PathStep::Kind::field) {
    at.bit += fmt::format(" + {}u", container.fields[step.field].offset);
    return;
  }
  const std::string index = temporary();
  if (step.kind == ir::PathStep::Kind::index && container.index->kind != Type::Kind::unite) {
    const ValueRange& range = ranges_.of(*step.index);
    if (range.is_within(container.index->lo, container.index->hi)) {
      if (range.is_constant()) {
        at.bit += fmt::format(" + {}u", static_cast<std::uint64_t>(range.lo - container.index->lo) * container.stride);
        return;
      }
      at.setup += fmt::format("const uint64_t {} = (uint64_t)({}) - {}u; ", index, value(*step.index),
                              static_cast<std::uint64_t>(container.index->lo));
      at.bit += fmt::format(" + {} * {}u", index, container.stride);
      return;
    }
  }
  if (step.kind == ir::PathStep::Kind::index) {
    at.setup += fmt::format("const uint64_t {0} = {1}; if (FATHOM_UNLIKELY(!{0})) {2} ", index,
                            code_of(*container.index, value(*step.index)), fail_text(step.site));
    at.bit += fmt::format(" + ({} - 1) * {}u", index, container.stride);
    return;
  }
  at.setup += fmt::format("const uint64_t {0} = {1}; ", index, value(*step.index));
  at.bit += fmt::format(" + {} * {}u", index, container.stride);
  at.setup += fmt::format("if (FATHOM_UNLIKELY({} >= {}u || !fathom_get({}, {}, 1))) {} ", index, container.capacity,
                          at.words, at.bit, fail_text(step.site));
  at.bit += " + 1";
}

std::string Emitter::slot_filled(const Expr& expr) {
  const std::string slot = temporary();
  const std::string index = value(*expr.a);
  const PlaceText at = place(*expr.place);
  return fmt::format("({{ const uint64_t {0} = {1}; {2}{0} < {3}u && fathom_get({4}, {5} + {0} * {6}u, 1) != 0; }})",
                     slot, index, at.setup, expr.place->type->capacity, at.words, at.bit, expr.place->type->stride);
}

std::string Emitter::count(const Expr& expr) {
  const std::string total = temporary();
  std::string words, bit;
  const std::string loop = open_slots(*expr.place, *expr.binding->local, words, bit);
  return fmt::format("({{ int64_t {0} = INT64_C({3}); {1}{0} += ({2}) != 0; }} {0}; }})", total, loop, value(*expr.a),
                     expr.type->zero);
}

std::string Emitter::quantifier(const Expr& expr) {
  const bool wanted = expr.kind == Kind::exists;
  const std::string body = value(*expr.a);
  const auto values = unrolled_values(expr.binding->domain, body.size());
  if (values.has_value()) {
    std::string out = wanted ? "(0" : "(1";
    for (const std::int64_t v : *values)
      out += fmt::format(" {} ({{ r{} = INT64_C({}); ({}) != 0; }})", wanted ? "||" : "&&", expr.binding->local->slot,
                         v, body);
    return out + ")";
  }
  const std::string found = temporary();
  return fmt::format("({{ int {0} = 0; {1}if ((({2}) != 0) == {3}) {{ {0} = 1; break; }} }} {0} == {3}; }})", found,
                     open_loop(*expr.binding), body, wanted ? 1 : 0);
}

std::string Emitter::call_value(const Expr& expr) {
  const std::string result = temporary();
  return fmt::format("({{ int64_t {0} = FATHOM_UNDEFINED; {1}{0}; }})", result, call(*expr.call, "&" + result));
}

std::string Emitter::call(const ir::Call& call, const std::string& result) {
  const ir::Function& callee = *call.callee;
  std::string out =
      fmt::format("if (FATHOM_UNLIKELY(depth + 1 >= {}u)) {} ", ir::recursion_limit, fail_text(callee.recursion));
  std::string arguments;
  for (std::size_t k = 0; k < call.arguments.size(); ++k)
    arguments += ", " + argument(call.arguments[k], *callee.parameters[k], out);
  if (!result.empty()) arguments += ", " + result;
  return out + fmt::format("fault = function_{}(host, s, depth + 1{}); if (FATHOM_UNLIKELY(fault)) goto fail; ",
                           number(callee), arguments);
}

std::string Emitter::argument(const ir::Argument& argument, const Local& parameter, std::string& setup) {
  const std::string name = temporary();
  if (argument.value != nullptr) {
    setup += fmt::format("const int64_t {0} = {1}; if (FATHOM_UNLIKELY({0} != FATHOM_UNDEFINED && !{2})) {3} ", name,
                         value(*argument.value), contains(*parameter.type, name), fail_text(argument.site));
    return fit(*parameter.type, name);
  }
  const PlaceText at = place(*argument.place);
  setup += at.setup;
  if (parameter.storage == Local::Storage::reference) return at.words + ", " + at.bit;
  setup += fmt::format("uint64_t {0}[{1}] = {{0}}; fathom_copy({0}, 0, {2}, {3}, {4}); ", name,
                       std::max(1U, (parameter.type->bits + 63) / 64), at.words, at.bit, parameter.type->bits);
  return name;
}

}  // namespace fathom
