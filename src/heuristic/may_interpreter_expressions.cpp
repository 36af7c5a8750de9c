// Conditions, values and places.
#include <bit>

#include "heuristic/may_interpreter.hpp"

namespace fathom {

using ir::Expr;
using Kind = ir::Expr::Kind;

namespace {

bool in_register(const ir::Place& place) {
  return place.local != nullptr && place.local->storage == ir::Local::Storage::in_register;
}

}  // namespace

// ---- Conditions -----------------------------------------------------------------------------------------------------

bool MayInterpreter::holds(const Expr& expr) {
  if (ended_) return false;
  switch (expr.kind) {
    case Kind::logical_not:
      return !holds(*expr.a);
    case Kind::logical_and:
      return holds(*expr.a) && !ended_ && holds(*expr.b);
    case Kind::logical_or:
      return holds(*expr.a) || (!ended_ && holds(*expr.b));
    case Kind::implies:
      return !holds(*expr.a) || (!ended_ && holds(*expr.b));
    case Kind::conditional: {
      const bool chosen = holds(*expr.a);
      return !ended_ && holds(chosen ? *expr.b : *expr.c);
    }
    case Kind::for_all:
    case Kind::exists:
      return holds_quantified(expr);
    case Kind::same:
      return is_same(*expr.place, *expr.other);
    case Kind::different:
      return !is_same(*expr.place, *expr.other);
    case Kind::is_undefined:
      return is_undefined(*expr.place);
    case Kind::timeout:
      return choices_.flip();
    case Kind::slot_filled:
      static_cast<void>(number(*expr.a));
      static_cast<void>(resolve(*expr.place));
      return choices_.flip();
    case Kind::is_member: {
      const ValueSet values = eval(*expr.a);
      if (values.is_number()) return expr.tested->contains(values.lo);
      return choices_.flip();
    }
    default:
      break;
  }
  if (is_comparison(expr.kind)) return holds_comparison(expr);
  if (is_plain_read(expr) && !in_register(*expr.place)) {
    const auto cell = cell_at(resolve(*expr.place));
    if (ended_) return false;
    if (cell && state_[*cell].is_small()) return holds_of_cell(Kind::not_equal, expr, *cell, 0);
  }
  const ValueSet values = number(expr);
  if (ended_) return false;
  const ValueSet zero = ValueSet::of(0);
  const Truth truth = compare(Kind::not_equal, values, zero);
  const bool yes = truth == Truth::unknown ? choices_.flip() : truth == Truth::yes;
  if (truth == Truth::unknown) narrow(expr, yes ? Kind::not_equal : Kind::equal, zero);
  return yes;
}

// A cell of few values against a constant: the codes are told apart one by one.
bool MayInterpreter::holds_of_cell(Kind relation, const Expr& read, std::uint32_t cell, std::int64_t value) {
  const CellSet before = look(cell);
  std::uint64_t yes = 0, no = 0;
  for (std::uint64_t codes = before.codes(); codes != 0; codes &= codes - 1) {
    const std::uint64_t bit = codes & -codes;
    const std::int64_t present = before.type()->decode(static_cast<std::uint64_t>(std::countr_zero(codes)));
    if (present == ir::undefined && read.kind == Kind::read) {
      may_fault_ = true;
      continue;
    }
    const bool both_defined = present != ir::undefined && value != ir::undefined;
    const bool is_so = both_defined ? compare(relation, ValueSet::of(present), ValueSet::of(value)) == Truth::yes
                                    : (present == value) == (relation == Kind::equal);
    (is_so ? yes : no) |= bit;
  }
  if (yes == 0 && no == 0) {
    ended_ = true;
    return false;
  }
  const bool chosen = no == 0 || (yes != 0 && choices_.flip());
  CellSet after = before;
  after.keep_codes(chosen ? yes : no);
  if (after.codes() != before.codes()) assume(cell, after);
  return chosen;
}

bool MayInterpreter::holds_comparison(const Expr& expr) {
  for (const bool first : {true, false}) {
    const Expr& read = first ? *expr.a : *expr.b;
    const Expr& other = first ? *expr.b : *expr.a;
    if (!is_plain_read(read) || in_register(*read.place)) continue;
    if (other.kind != Kind::constant && (is_plain_read(other) && !in_register(*other.place))) continue;
    const auto cell = cell_at(resolve(*read.place));
    if (ended_) return false;
    if (!cell || !state_[*cell].is_small()) continue;
    const ValueSet value = eval(other);
    if (ended_) return false;
    if (!value.is_number() && !value.is_undefined()) continue;
    const Kind relation = first ? expr.kind : mirror(expr.kind);
    return holds_of_cell(relation, read, *cell, value.is_number() ? value.lo : ir::undefined);
  }
  const ValueSet a = eval(*expr.a);
  if (ended_) return false;
  const ValueSet b = eval(*expr.b);
  if (ended_) return false;
  if (a.is_undefined() && b.is_undefined()) return expr.kind == Kind::equal;
  if (a.undefined || b.undefined) return choices_.flip();
  const Truth truth = compare(expr.kind, a, b);
  if (truth != Truth::unknown) return truth == Truth::yes;
  const bool yes = choices_.flip();
  const Kind relation = yes ? expr.kind : negation(expr.kind);
  narrow(*expr.a, relation, b);
  narrow(*expr.b, mirror(relation), a);
  return yes;
}

// What was answered is remembered where it was read from.
void MayInterpreter::narrow(const Expr& expr, Kind relation, const ValueSet& other) {
  if (ended_ || !is_plain_read(expr)) return;
  if (in_register(*expr.place)) {
    ValueSet& values = top().registers[expr.place->local->slot];
    const ValueSet range = ValueSet::all_of(*expr.place->type);
    if (expr.place->type->is_machine() && !values.is_within(range.lo, range.hi)) return;  // it is cut when it is read
    values = narrowed(values, relation, other);
    if (values.is_empty()) ended_ = true;
    return;
  }
  for (const ir::PathStep& step : expr.place->path)
    if (step.kind == ir::PathStep::Kind::slot) return;
  const auto cell = cell_at(resolve(*expr.place));
  if (!cell || ended_) return;
  const ValueSet left = narrowed(look(*cell).values(), relation, other);
  CellSet after = CellSet::of(*look(*cell).type(), left);
  if (after.is_small()) {
    after = look(*cell);
    after.keep_codes(CellSet::of(*after.type(), left).codes());
  }
  assume(*cell, after);
}

bool MayInterpreter::is_undefined(const ir::Place& place) {
  if (in_register(place)) {
    const ValueSet& values = top().registers[place.local->slot];
    if (!values.undefined || !values.has_numbers()) return values.undefined;
    const bool chosen = choices_.flip();
    top().registers[place.local->slot] = chosen ? ValueSet::of(ir::undefined) : ValueSet{values.lo, values.hi, false};
    return chosen;
  }
  const auto cell = cell_at(resolve(place));
  if (ended_) return false;
  if (!cell) return choices_.flip();
  const ValueSet values = look(*cell).values();
  if (!values.undefined || !values.has_numbers()) return values.undefined;
  const bool chosen = choices_.flip();
  CellSet after = look(*cell);
  if (after.is_small())
    after.keep_codes(chosen ? 1 : ~std::uint64_t{1});
  else
    after.set(chosen ? ValueSet::of(ir::undefined) : ValueSet{values.lo, values.hi, false});
  assume(*cell, after);
  return chosen;
}

bool MayInterpreter::is_same(const ir::Place& a, const ir::Place& b) {
  const Address x = resolve(a);
  if (ended_) return false;
  const Address y = resolve(b);
  if (ended_) return false;
  if (x.kind != Address::Kind::exact || y.kind != Address::Kind::exact) return choices_.flip();
  bool surely = true;
  bool never = false;
  numbers_.each_in(x.offset, a.type->bits, [&](std::uint32_t cell) {
    const auto other = numbers_.at(numbers_[cell].offset - x.offset + y.offset);
    if (!other || !numbers_[cell].type->is_scalar()) {
      surely = false;
      return;
    }
    const auto left = look(cell).single_code(), right = look(*other).single_code();
    surely = surely && left && right && left == right;
    never = never || !look(cell).meets(look(*other));
  });
  return surely || (!never && choices_.flip());
}

// ---- Values ---------------------------------------------------------------------------------------------------------

// Where there may be no result, that is a fault; the path goes on with those there are.
ValueSet MayInterpreter::checked(ValueSet values, bool may_fail) {
  may_fault_ = may_fault_ || may_fail;
  if (!values.has_numbers() && !values.undefined) ended_ = true;
  return values;
}

ValueSet MayInterpreter::number(const Expr& expr) {
  ValueSet values = eval(expr);
  if (ended_ || !values.undefined) return values;
  may_fault_ = true;
  values.undefined = false;
  if (!values.has_numbers()) ended_ = true;
  return values;
}

ValueSet MayInterpreter::eval(const Expr& expr) {
  if (ended_) return {};
  switch (expr.kind) {
    case Kind::constant:
      return ValueSet::of(expr.value);
    case Kind::read:
    case Kind::read_or_undefined:
      return eval_read(expr);
    case Kind::undefined_value:
      return ValueSet::of(ir::undefined);
    case Kind::conditional: {
      const bool chosen = holds(*expr.a);
      return ended_ ? ValueSet{} : eval(chosen ? *expr.b : *expr.c);
    }
    case Kind::call:
      return eval_call(*expr.call);
    case Kind::multiset_count: {
      static_cast<void>(resolve(*expr.place));
      may_fault_ = true;  // its predicate is not followed
      return {expr.type->zero, expr.type->zero + expr.place->type->capacity, false};
    }
    case Kind::negate:
    case Kind::complement:
    case Kind::add:
    case Kind::subtract:
    case Kind::multiply:
    case Kind::divide:
    case Kind::modulo:
    case Kind::shift_left:
    case Kind::shift_right:
    case Kind::bit_and:
    case Kind::bit_or:
    case Kind::bit_xor:
      return eval_operation(expr);
    default: {
      const bool yes = holds(expr);
      return ended_ ? ValueSet{} : ValueSet::of(yes ? 1 : 0);
    }
  }
}

ValueSet MayInterpreter::eval_operation(const Expr& expr) {
  const ValueSet a = number(*expr.a);
  if (ended_) return {};
  bool may_fail = false;
  if (expr.b == nullptr) return checked(calculate(expr, a, may_fail), may_fail);
  const ValueSet b = number(*expr.b);
  if (ended_) return {};
  const ValueSet result = calculate(expr, a, b, may_fail);
  return checked(result, may_fail);
}

ValueSet MayInterpreter::eval_read(const Expr& expr) {
  ValueSet values = read(*expr.place);
  if (ended_ || expr.kind == Kind::read_or_undefined || !values.undefined) return values;
  may_fault_ = true;
  values.undefined = false;
  if (!values.has_numbers()) {
    ended_ = true;
    return values;
  }
  // It was defined, then.
  if (const auto cell = in_register(*expr.place) ? std::nullopt : cell_at(resolve(*expr.place)); cell && !ended_) {
    CellSet after = look(*cell);
    if (after.is_small())
      after.keep_codes(~std::uint64_t{1});
    else
      after.set(values);
    assume(*cell, after);
  }
  return values;
}

ValueSet MayInterpreter::read(const ir::Place& place) {
  if (in_register(place)) {
    bool ignored = false;
    const ValueSet& values = top().registers[place.local->slot];
    return place.type->is_machine() ? fitted(values, *place.type, ignored) : values;
  }
  const Address at = resolve(place);
  if (ended_) return {};
  const auto cell = cell_at(at);
  return cell ? look(*cell).values() : ValueSet::all_of(*place.type);
}

std::optional<std::uint32_t> MayInterpreter::cell_at(const Address& at) const {
  return at.kind == Address::Kind::exact ? numbers_.at(at.offset) : std::nullopt;
}

// ---- Places ---------------------------------------------------------------------------------------------------------

MayInterpreter::Address MayInterpreter::resolve(const ir::Place& place) {
  Address at;
  if (place.variable != nullptr) {
    if (!place.variable->hidden) at = {Address::Kind::exact, place.variable->offset, place.variable->type->bits};
  } else if (place.local->storage == ir::Local::Storage::reference) {
    at = top().references[place.local->slot];
  } else if (place.call != nullptr) {
    static_cast<void>(call(*place.call->call));
  }
  for (const ir::PathStep& step : place.path) {
    if (ended_) return at;
    follow(step, at);
  }
  return at;
}

void MayInterpreter::follow(const ir::PathStep& step, Address& at) {
  const ir::Type& container = *step.container;
  if (step.kind == ir::PathStep::Kind::field) {
    if (at.kind == Address::Kind::exact) at.offset += container.fields[step.field].offset;
    return;
  }
  ValueSet index = number(*step.index);
  if (ended_) return;
  if (step.kind == ir::PathStep::Kind::slot) {
    may_fault_ = true;
    at.kind = Address::Kind::unfollowed;
    return;
  }
  bool outside = false;
  index = fitted(index, *container.index, outside);
  if (container.index->is_machine()) outside = false;
  may_fault_ = may_fault_ || outside;
  if (!index.has_numbers()) {
    ended_ = true;
    return;
  }
  if (at.kind != Address::Kind::exact) return;
  const auto count = static_cast<std::uint64_t>(index.hi - index.lo) + 1;
  if (count > max_elements || container.index->kind == ir::Type::Kind::unite) {
    if (index.lo != index.hi) {
      at.kind = Address::Kind::stretch;
      at.bits = container.bits;
      return;
    }
  }
  const std::int64_t chosen = index.lo + choices_.pick(static_cast<std::uint32_t>(count));
  if (count > 1) narrow(*step.index, Kind::equal, ValueSet::of(chosen));
  if (ended_) return;
  at.offset += static_cast<std::uint32_t>((container.index->code(chosen) - 1) * container.stride);
}

void MayInterpreter::store(const ir::Place& place, const CellSet& values) {
  const Address at = resolve(place);
  if (ended_) return;
  if (const auto cell = cell_at(at))
    write(*cell, values);
  else
    spread(at, place.type->bits);
}

// Something was written somewhere: any of these cells may have changed to anything.
void MayInterpreter::spread(const Address& at, std::uint32_t bits) {
  if (at.kind == Address::Kind::unfollowed) return;
  numbers_.each_in(at.offset, at.kind == Address::Kind::stretch ? at.bits : bits, [&](std::uint32_t cell) {
    if (numbers_[cell].type->is_scalar()) write(cell, CellSet::all_of(*numbers_[cell].type, true));
  });
}

void MayInterpreter::assign(const ir::Place& place, const Expr& value) {
  // From cell to cell of one type, codes are copied one by one.
  if (is_plain_read(value) && !in_register(*value.place) && !in_register(place) && value.place->type == place.type) {
    ValueSet values = eval_read(value);
    const auto from = ended_ ? std::nullopt : cell_at(resolve(*value.place));
    if (ended_) return;
    if (from && state_[*from].is_small()) return store(place, look(*from));
    return store(place, CellSet::of(*place.type, values));
  }
  bool outside = false;
  const ValueSet values = fitted(eval(value), *place.type, outside);
  if (ended_) return;
  may_fault_ = may_fault_ || outside;
  if (values.is_empty()) {
    ended_ = true;
  } else if (in_register(place)) {
    top().registers[place.local->slot] = values;
  } else {
    const bool to_machine = values.is_undefined() && place.type->is_machine();
    store(place, CellSet::of(*place.type, to_machine ? ValueSet::of(0) : values));
  }
}

void MayInterpreter::copy(const ir::Place& to, const ir::Place& from) {
  const Address source = resolve(from);
  if (ended_) return;
  const Address target = resolve(to);
  if (ended_) return;
  const bool known = source.kind == Address::Kind::exact && target.kind == Address::Kind::exact;
  if (!known) return spread(target, to.type->bits);
  numbers_.each_in(target.offset, to.type->bits, [&](std::uint32_t cell) {
    if (!numbers_[cell].type->is_scalar()) return;
    const auto other = numbers_.at(numbers_[cell].offset - target.offset + source.offset);
    write(cell, other ? look(*other) : CellSet::all_of(*numbers_[cell].type, true));
  });
}

void MayInterpreter::set_all(const ir::Place& place, bool smallest) {
  if (in_register(place)) {
    const ir::Type& type = *place.type;
    const std::int64_t value = type.is_machine() ? 0 : smallest ? type.value(1) : ir::undefined;
    top().registers[place.local->slot] = ValueSet::of(value);
    return;
  }
  const Address at = resolve(place);
  if (ended_) return;
  if (at.kind != Address::Kind::exact) return spread(at, place.type->bits);
  numbers_.each_in(at.offset, place.type->bits, [&](std::uint32_t cell) {
    const ir::Type& type = *numbers_[cell].type;
    if (type.is_scalar()) write(cell, CellSet::code(type, smallest && !type.is_machine() ? 1 : 0));
  });
}

}  // namespace fathom
