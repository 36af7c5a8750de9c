#include "heuristic/estimate_code.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/arithmetic.hpp"
#include "state/bits.h"

namespace fathom {

using Ref = EstimateCode::Ref;
using Kind = ir::Expr::Kind;

namespace {

template <class T>
std::int64_t as_payload(const T* pointer) {
  return reinterpret_cast<std::int64_t>(pointer);
}

template <class T>
const T& from_payload(std::int64_t payload) {
  return *reinterpret_cast<const T*>(payload);
}

std::int64_t compare(Kind kind, std::int64_t a, std::int64_t b) {
  switch (kind) {
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
    default:
      return a >= b;
  }
}

// The logical operators here are strict: a side that would not be evaluated is, but its value does not count.
std::int64_t compute_binary(const ir::Expr& expr, std::int64_t a, std::int64_t b) {
  switch (expr.kind) {
    case Kind::logical_and:
      return a == 0 ? 0 : a == ir::undefined || b == ir::undefined ? ir::undefined : b != 0;
    case Kind::logical_or:
      return a == ir::undefined ? a : a != 0 ? 1 : b == ir::undefined ? b : b != 0;
    case Kind::implies:
      return a == ir::undefined ? a : a == 0 ? 1 : b == ir::undefined ? b : b != 0;
    default:
      break;
  }
  if (a == ir::undefined || b == ir::undefined) return ir::undefined;
  return calculate(expr, a, b).value_or(ir::undefined);
}

std::int64_t compute_unary(const ir::Expr& expr, std::int64_t a) {
  if (a == ir::undefined) return a;
  if (expr.kind == Kind::logical_not) return a == 0;
  const std::int64_t result = expr.kind == Kind::negate ? -a : ~a;
  return expr.type->is_machine() ? ir::machine_int().fit(result) : result;
}

// Saturates at `never`.
std::int64_t difference(std::int64_t larger, std::int64_t smaller) {
  std::int64_t result = 0;
  if (__builtin_sub_overflow(larger, smaller, &result)) return EstimateCode::never - 1;
  return std::min(result, EstimateCode::never - 1);
}

}  // namespace

Ref EstimateCode::fresh(std::int64_t value, bool constant) {
  numbers_.push_back(value);
  constant_.push_back(constant);
  return static_cast<Ref>(numbers_.size() - 1);
}

Ref EstimateCode::constant(std::int64_t value) {
  const auto found = constants_.find(value);
  if (found != constants_.end()) return found->second;
  return constants_[value] = fresh(value, true);
}

Ref EstimateCode::add(Op op, std::uint8_t bits, Ref a, Ref b, std::int64_t payload) {
  const Key key{op, bits, a, b, payload};
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second;
  const Ref to = fresh(0, false);
  code_.push_back({op, bits, to, a, b, payload});
  return known_[key] = to;
}

// An operation on constants is done once and for all.
Ref EstimateCode::fold(Op op, Ref a, Ref b, std::int64_t payload) {
  if (constant_[a] && constant_[b]) return constant(compute({op, 0, 0, a, b, payload}, nullptr));
  return add(op, 0, a, b, payload);
}

Ref EstimateCode::read(Ref address, const ir::Type& type) {
  if (!constant_[address]) return add(Op::read_any, 0, address, 0, as_payload(&type));
  if (numbers_[address] == ir::undefined) return address;
  const bool plain = type.kind != ir::Type::Kind::unite && !type.is_machine();
  if (!plain) return add(Op::read_any, 0, address, 0, as_payload(&type));
  return add(Op::read_number, static_cast<std::uint8_t>(type.bits), static_cast<Ref>(numbers_[address]), 0,
             type.lo - 1);
}

Ref EstimateCode::element(Ref address, Ref index, const ir::Type& array) {
  return fold(Op::element, address, index, as_payload(&array));
}

Ref EstimateCode::shifted(Ref address, std::int64_t bits) {
  return fold(Op::shifted, address, address, bits);
}

Ref EstimateCode::look_up(std::uint32_t offset, std::uint32_t bits, std::vector<std::int64_t> table) {
  if (std::ranges::adjacent_find(table, std::not_equal_to<>()) == table.end()) return constant(table.front());
  const auto [found, fresh] = table_numbers_.try_emplace(table, static_cast<std::int64_t>(tables_.size()));
  if (fresh) tables_.push_back(std::move(table));
  return add(Op::look_up, static_cast<std::uint8_t>(bits), offset, 0, found->second);
}

Ref EstimateCode::unary(const ir::Expr& expr, Ref a) {
  return fold(Op::unary, a, a, as_payload(&expr));
}

Ref EstimateCode::binary(const ir::Expr& expr, Ref a, Ref b) {
  if (is_comparison(expr.kind)) return fold(Op::compare, a, b, static_cast<std::int64_t>(expr.kind));
  return fold(Op::binary, a, b, as_payload(&expr));
}

Ref EstimateCode::fit(Ref a, const ir::Type& type) {
  return type.is_machine() ? fold(Op::fit, a, a, as_payload(&type)) : a;
}

Ref EstimateCode::choose(Ref condition, Ref yes, Ref no) {
  if (!constant_[condition]) return add(Op::choose, 0, condition, yes, no);
  return numbers_[condition] == ir::undefined ? condition : numbers_[condition] != 0 ? yes : no;
}

Ref EstimateCode::interpret(const ir::Expr& expr, const ir::Routine& routine,
                            std::vector<std::pair<const ir::Local*, Ref>> locals) {
  questions_.push_back({&expr, &routine, std::move(locals)});
  return add(Op::interpret, 0, 0, 0, static_cast<std::int64_t>(questions_.size() - 1));
}

Ref EstimateCode::distance(Relation relation, Ref a, Ref b) {
  constexpr Op ops[] = {Op::near, Op::same, Op::different, Op::less, Op::at_most};
  return fold(ops[static_cast<std::size_t>(relation)], a, b, 0);
}

Ref EstimateCode::sum(Ref a, Ref b) {
  if (constant_[a]) std::swap(a, b);
  if (constant_[b] && numbers_[b] == 0) return a;
  if (constant_[b] && numbers_[b] == never) return b;
  return fold(Op::sum, a, b, 0);
}

Ref EstimateCode::larger(Ref a, Ref b) {
  if (constant_[a]) std::swap(a, b);
  if (a == b || (constant_[b] && numbers_[b] == 0)) return a;
  if (constant_[b] && numbers_[b] == never) return b;
  return fold(Op::larger, a, b, 0);
}

Ref EstimateCode::smaller(Ref a, Ref b) {
  if (constant_[a]) std::swap(a, b);
  if (a == b || (constant_[b] && numbers_[b] == never)) return a;
  if (constant_[b] && numbers_[b] == 0) return b;
  return fold(Op::smaller, a, b, 0);
}

Ref EstimateCode::divided(Ref a, std::int64_t by) {
  return by == 1 ? a : fold(Op::divided, a, a, by);
}

// A function that is called in the expression may write, so it gets a state of its own.
std::int64_t EstimateCode::ask(const Question& question, const std::uint64_t* state) {
  std::copy_n(state, own_state_.size(), own_state_.begin());
  interpreter_.enter(*question.routine, own_state_.data());
  for (const auto& [local, ref] : question.locals) interpreter_.set_register(*local, numbers_[ref]);
  const std::int64_t value = interpreter_.eval(*question.expr);
  return interpreter_.failed() ? ir::undefined : value;
}

std::int64_t EstimateCode::compute_value(const Instruction& step, const std::uint64_t* state) {
  const std::int64_t a = numbers_[step.a], b = numbers_[step.b];
  switch (step.op) {
    case Op::read_any: {
      const auto& type = from_payload<ir::Type>(step.payload);
      if (a == ir::undefined) return a;
      return type.decode(fathom_get(state, static_cast<std::uint64_t>(a), type.bits));
    }
    case Op::element: {
      const auto& array = from_payload<ir::Type>(step.payload);
      if (a == ir::undefined || b == ir::undefined || !array.index->contains(b)) return ir::undefined;
      return a + static_cast<std::int64_t>((array.index->code(b) - 1) * array.stride);
    }
    case Op::shifted:
      return a == ir::undefined ? a : a + step.payload;
    case Op::unary:
      return compute_unary(from_payload<ir::Expr>(step.payload), a);
    case Op::binary:
      return compute_binary(from_payload<ir::Expr>(step.payload), a, b);
    case Op::compare:
      return compare(static_cast<Kind>(step.payload), a, b);
    case Op::fit:
      return a == ir::undefined ? a : from_payload<ir::Type>(step.payload).fit(a);
    case Op::choose:
      return a == ir::undefined ? a : a != 0 ? b : numbers_[static_cast<Ref>(step.payload)];
    default:
      return ask(questions_[static_cast<std::size_t>(step.payload)], state);
  }
}

inline std::int64_t EstimateCode::compute(const Instruction& step, const std::uint64_t* state) {
  const auto number = [&](Ref ref) { return numbers_[ref]; };
  const auto lacks_value = [&] { return number(step.a) == ir::undefined || number(step.b) == ir::undefined; };
  switch (step.op) {
    case Op::read_number: {
      const std::uint64_t code = fathom_get(state, step.a, step.bits);
      return code == 0 ? ir::undefined : static_cast<std::int64_t>(code) + step.payload;
    }
    case Op::look_up:
      return tables_[static_cast<std::size_t>(step.payload)][fathom_get(state, step.a, step.bits)];
    case Op::near:
      if (lacks_value()) return of_undefined_;
      return number(step.a) < number(step.b) ? difference(number(step.b), number(step.a))
                                             : difference(number(step.a), number(step.b));
    case Op::same:
      return lacks_value() ? of_undefined_ : number(step.a) != number(step.b) ? 1 : 0;
    case Op::different:
      return lacks_value() ? of_undefined_ : number(step.a) == number(step.b) ? 1 : 0;
    case Op::less:
      if (lacks_value()) return of_undefined_;
      return number(step.a) < number(step.b) ? 0 : std::min(difference(number(step.a), number(step.b)) + 1, never - 1);
    case Op::at_most:
      if (lacks_value()) return of_undefined_;
      return number(step.a) <= number(step.b) ? 0 : difference(number(step.a), number(step.b));
    case Op::sum:
      return std::min(number(step.a) + number(step.b), never);
    case Op::larger:
      return std::max(number(step.a), number(step.b));
    case Op::smaller:
      return std::min(number(step.a), number(step.b));
    case Op::divided:
      return number(step.a) >= never ? never : (number(step.a) + step.payload - 1) / step.payload;
    default:
      return compute_value(step, state);
  }
}

// Everything but an offset or a constant that an instruction holds is a reference.
template <class Questions, class Visit>
void EstimateCode::each_operand(Instruction& step, Questions& questions, Visit visit) {
  if (step.op == Op::read_number || step.op == Op::look_up) return;
  if (step.op == Op::interpret) {
    for (auto& [local, ref] : questions[static_cast<std::size_t>(step.payload)].locals) visit(ref);
    return;
  }
  visit(step.a);
  visit(step.b);
  if (step.op != Op::choose) return;
  Ref no = static_cast<Ref>(step.payload);
  visit(no);
  step.payload = no;
}

void EstimateCode::finish(Ref result) {
  std::vector<bool> live(numbers_.size());
  live[result] = true;
  for (auto step = code_.rbegin(); step != code_.rend(); ++step)
    if (live[step->to]) each_operand(*step, questions_, [&](Ref ref) { live[ref] = true; });
  std::vector<Ref> renamed(numbers_.size());
  std::vector<std::int64_t> numbers;
  for (Ref ref = 0; ref < live.size(); ++ref) {
    if (!live[ref]) continue;
    renamed[ref] = static_cast<Ref>(numbers.size());
    numbers.push_back(numbers_[ref]);
  }
  std::erase_if(code_, [&](const Instruction& step) { return !live[step.to]; });
  for (Instruction& step : code_) {
    each_operand(step, questions_, [&](Ref& ref) { ref = renamed[ref]; });
    step.to = renamed[step.to];
  }
  numbers_ = std::move(numbers);
  result_ = renamed[result];
  known_.clear();
  constants_.clear();
}

std::int64_t EstimateCode::interpreted(const std::uint64_t* state) {
  for (const Instruction& step : code_) numbers_[step.to] = compute(step, state);
  return numbers_[result_];
}

void EstimateCode::look_for_native_code() {
  if (compiled_ != nullptr) {
    native_ = compiled_->function();
  } else if (!code_.empty() && compile_when_ && compile_when_()) {
    compiled_ = std::make_unique<CompiledEstimate>(as_c());
  }
}

std::int64_t EstimateCode::ask_for(void* code, std::uint32_t step, const std::uint64_t* state) {
  auto& self = *static_cast<EstimateCode*>(code);
  return self.compute(self.code_[step], state);
}

std::string EstimateCode::c_statement(std::uint32_t number_of_step) const {
  Instruction step = code_[number_of_step];
  const std::string value = c_value(step);
  if (!value.empty()) return fmt::format("  const int64_t v{} = {};\n", step.to, value);
  std::string text;
  each_operand(step, questions_, [&](Ref ref) { text += fmt::format("  n[{0}] = v{0};\n", ref); });
  return text + fmt::format("  const int64_t v{} = ask(code, {}, s);\n", step.to, number_of_step);
}

}  // namespace fathom
