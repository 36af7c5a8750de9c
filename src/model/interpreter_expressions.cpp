// Interpreter: expressions and places.
#include <fmt/format.h>

#include <optional>

#include "model/arithmetic.hpp"
#include "model/interpreter.hpp"
#include "model/interpreter_domains.hpp"
#include "state/bits.h"

namespace fathom {

using ir::Expr;
using ir::Place;
using ir::Type;
using Kind = ir::Expr::Kind;

std::int64_t Interpreter::eval(const Expr& expr) {
  switch (expr.kind) {
    case Kind::constant:
      return expr.value;
    case Kind::read: {
      const std::int64_t value = read(*expr.place);
      if (value == ir::undefined) fail(expr.site, "");
      return value;
    }
    case Kind::read_or_undefined:
      return read(*expr.place);
    case Kind::undefined_value:
      return ir::undefined;
    case Kind::is_undefined:
      return read(*expr.place) == ir::undefined;
    case Kind::same:
      return same_bits(*expr.place, *expr.other);
    case Kind::different:
      return !same_bits(*expr.place, *expr.other);
    case Kind::negate:
    case Kind::complement:
    case Kind::logical_not:
      return eval_unary(expr);
    case Kind::logical_and:
      return eval(*expr.a) != 0 && !failed() && eval(*expr.b) != 0;
    case Kind::logical_or:
      return eval(*expr.a) != 0 || (!failed() && eval(*expr.b) != 0);
    case Kind::implies:
      return eval(*expr.a) == 0 || (!failed() && eval(*expr.b) != 0);
    case Kind::conditional: {
      const bool chosen = eval(*expr.a) != 0;
      return failed() ? 0 : eval(chosen ? *expr.b : *expr.c);
    }
    case Kind::for_all:
    case Kind::exists:
      return eval_quantifier(expr);
    case Kind::call: {
      std::int64_t value = 0;
      call(*expr.call, &value, nullptr);
      return value;
    }
    case Kind::is_member:
      return expr.tested->contains(eval(*expr.a));
    case Kind::timeout:
      return timeout;
    case Kind::slot_filled: {
      const std::int64_t slot = eval(*expr.a);
      Reference at;
      if (failed() || !resolve(*expr.place, at)) return 0;
      const Type& set = *expr.place->type;
      return slot >= 0 && slot < set.capacity &&
             fathom_get(at.words, at.bit + std::uint64_t(slot) * set.stride, 1) != 0;
    }
    case Kind::multiset_count:
      return eval_count(expr);
    default:
      return eval_binary(expr);
  }
}

std::int64_t Interpreter::eval_unary(const Expr& expr) {
  const std::int64_t a = eval(*expr.a);
  if (expr.kind == Kind::logical_not) return a == 0;
  if (expr.type->is_machine()) return ir::machine_int().fit(expr.kind == Kind::negate ? -a : ~a);
  if (expr.kind == Kind::negate) return a == ir::undefined ? 0 : -a;  // that operand has already faulted
  if (~a == ir::undefined) fail(expr.site, "");
  return ~a;
}

std::int64_t Interpreter::eval_binary(const Expr& expr) {
  const std::int64_t a = eval(*expr.a);
  if (failed()) return 0;
  const std::int64_t b = eval(*expr.b);
  if (failed()) return 0;
  switch (expr.kind) {
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
    default:
      return eval_arithmetic(expr, a, b);
  }
}

std::int64_t Interpreter::eval_arithmetic(const Expr& expr, std::int64_t a, std::int64_t b) {
  const std::optional<std::int64_t> result = calculate(expr, a, b);
  if (!result) fail(expr.site, fmt::format("with operands {} and {}", show(*expr.a->type, a), show(*expr.b->type, b)));
  return result.value_or(0);
}

std::int64_t Interpreter::eval_quantifier(const Expr& expr) {
  Range range;
  if (!range_of(expr.binding->domain, range)) return 0;
  const bool wanted = expr.kind == Kind::exists;
  bool found = false;
  each_value(range, [&](std::int64_t value) {
    set_register(*expr.binding->local, value);
    found = (eval(*expr.a) != 0) == wanted;
    return !found && !failed();
  });
  return found == wanted;
}

std::int64_t Interpreter::eval_count(const Expr& expr) {
  std::int64_t count = expr.type->zero;
  each_filled_slot(*expr.place, *expr.binding->local, [&](std::uint64_t) { count += eval(*expr.a) != 0; });
  return count;
}

bool Interpreter::same_bits(const Place& a, const Place& b) {
  Reference x, y;
  return resolve(a, x) && resolve(b, y) && fathom_compare(x.words, x.bit, y.words, y.bit, a.type->bits) == 0;
}

std::int64_t Interpreter::read(const Place& place) {
  if (place.local != nullptr && place.local->storage == ir::Local::Storage::in_register)
    return place.type->fit(top().registers[place.local->slot]);
  Reference at;
  if (!resolve(place, at)) return 0;
  return place.type->decode(fathom_get(at.words, at.bit, place.type->bits));
}

bool Interpreter::resolve(const Place& place, Reference& out) {
  if (place.variable != nullptr) {
    out = {state_, place.variable->offset};
  } else if (place.local->storage == ir::Local::Storage::reference) {
    out = top().references[place.local->slot];
  } else {
    out = {top().frame.data(), place.local->slot};
    if (place.call != nullptr && !call(*place.call->call, nullptr, &out)) return false;
  }
  for (const ir::PathStep& step : place.path)
    if (!follow(step, out)) return false;
  return true;
}

bool Interpreter::follow(const ir::PathStep& step, Reference& at) {
  const Type& container = *step.container;
  if (step.kind == ir::PathStep::Kind::field) {
    at.bit += container.fields[step.field].offset;
    return true;
  }
  const std::int64_t index = eval(*step.index);
  if (failed()) return false;
  if (step.kind == ir::PathStep::Kind::index) {
    if (!container.index->contains(index)) {
      fail(step.site,
           fmt::format("index {} is outside {}", show(*step.index->type, index), describe(*container.index)));
      return false;
    }
    at.bit += (container.index->code(index) - 1) * container.stride;
    return true;
  }
  const bool filled = index >= 0 && index < container.capacity &&
                      fathom_get(at.words, at.bit + std::uint64_t(index) * container.stride, 1) != 0;
  if (!filled) {
    fail(step.site, fmt::format("slot {} holds no element", index));
    return false;
  }
  at.bit += std::uint64_t(index) * container.stride + 1;
  return true;
}

}  // namespace fathom
