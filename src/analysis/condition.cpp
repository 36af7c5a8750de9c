#include "analysis/condition.hpp"

#include <algorithm>
#include <utility>

#include "ir/builder.hpp"

namespace fathom {

using ir::Expr;
using Kind = ir::Expr::Kind;
using Relation = CellTest::Relation;

namespace {

constexpr std::size_t max_conjuncts = 64;
constexpr std::size_t max_alternatives = 256;

Relation negation(Relation relation) {
  switch (relation) {
    case Relation::equal:
      return Relation::different;
    case Relation::different:
      return Relation::equal;
    case Relation::less:
      return Relation::at_least;
    case Relation::at_most:
      return Relation::greater;
    case Relation::greater:
      return Relation::at_most;
    case Relation::at_least:
      break;
  }
  return Relation::less;
}

// The relation seen from the other side.
Relation mirror(Relation relation) {
  switch (relation) {
    case Relation::less:
      return Relation::greater;
    case Relation::at_most:
      return Relation::at_least;
    case Relation::greater:
      return Relation::less;
    case Relation::at_least:
      return Relation::at_most;
    default:
      return relation;
  }
}

std::optional<Relation> relation_of(Kind kind) {
  switch (kind) {
    case Kind::equal:
      return Relation::equal;
    case Kind::not_equal:
      return Relation::different;
    case Kind::less:
      return Relation::less;
    case Kind::less_equal:
      return Relation::at_most;
    case Kind::greater:
      return Relation::greater;
    case Kind::greater_equal:
      return Relation::at_least;
    default:
      return std::nullopt;
  }
}

std::optional<CellTest> test_of_read(const Expr& read, Relation relation, std::int64_t value, const LocalValues& locals,
                                     const TouchFinder& finder) {
  if (!is_plain_read(read)) return std::nullopt;
  const auto cell = finder.cell(*read.place, locals);
  if (!cell) return std::nullopt;
  const bool faults = read.kind == Kind::read && !read.place->type->is_machine() && !finder.is_defined(*cell);
  return CellTest{*cell, relation, value, faults};
}

// A truth value has one other value than false.
std::optional<CellTest> test_of_truth(const Expr& read, bool wanted, const LocalValues& locals,
                                      const TouchFinder& finder) {
  const ir::Type& type = *read.place->type;
  const bool two_values = type.kind == ir::Type::Kind::boolean || (type.is_machine() && type.bits == 1);
  if (wanted && two_values) return test_of_read(read, Relation::equal, type.value(type.code(1)), locals, finder);
  return test_of_read(read, wanted ? Relation::different : Relation::equal, 0, locals, finder);
}

std::optional<CellTest> test_of(const Expr& expr, bool wanted, const LocalValues& locals, const TouchFinder& finder) {
  if (expr.kind == Kind::logical_not) return test_of(*expr.a, !wanted, locals, finder);
  if (is_plain_read(expr)) return test_of_truth(expr, wanted, locals, finder);
  std::optional<Relation> relation = relation_of(expr.kind);
  if (!relation) return std::nullopt;
  if (!wanted) relation = negation(*relation);
  if (const auto value = finder.constant(*expr.b, locals))
    return test_of_read(*expr.a, *relation, *value, locals, finder);
  if (const auto value = finder.constant(*expr.a, locals))
    return test_of_read(*expr.b, mirror(*relation), *value, locals, finder);
  return std::nullopt;
}

// The values of a quantifier over a whole type.
std::vector<std::int64_t> values_in(const ir::Domain& domain) {
  std::vector<std::int64_t> values;
  if (domain.type == nullptr || domain.type->is_machine()) return values;
  const ir::ParameterDomain all = ir::domain_of(*domain.type);
  if (all.size() > max_conjuncts) return values;
  for (std::uint64_t k = 0; k < all.size(); ++k) values.push_back(all.at(k));
  return values;
}

// Splits a condition where it is a conjunction, or, with `alternatives`, where it is a disjunction.
class Splitter {
 public:
  struct Part {
    const Expr* expr;
    bool wanted;
    LocalValues locals;
    const ir::Routine* routine = nullptr;
    unsigned depth = 0;
  };

  Splitter(const TouchFinder& finder, Calls calls, bool alternatives, const Part& whole)
      : finder_(finder),
        calls_(calls),
        alternatives_(alternatives),
        limit_(alternatives ? max_alternatives : max_conjuncts),
        routine_(whole.routine),
        depth_(whole.depth) {
    split(*whole.expr, whole.wanted, whole.locals);
  }

  std::vector<Part> parts;

 private:
  void split(const Expr& expr, bool wanted, const LocalValues& locals) {
    if (const Expr* const rest = what_is_left(expr, locals)) return split(*rest, wanted, locals);
    // Whether `wanted` asks for both sides of an `and`, or for one of them.
    const bool splits_and = wanted != alternatives_;
    switch (expr.kind) {
      case Kind::logical_not:
        return split(*expr.a, !wanted, locals);
      case Kind::logical_and:
      case Kind::logical_or:
        if ((expr.kind == Kind::logical_and) != splits_and) break;
        split(*expr.a, wanted, locals);
        return split(*expr.b, wanted, locals);
      case Kind::implies:
        if (splits_and) break;
        split(*expr.a, !wanted, locals);
        return split(*expr.b, wanted, locals);
      case Kind::for_all:
      case Kind::exists:
        if ((expr.kind == Kind::for_all) == splits_and && write_out(expr, wanted, locals)) return;
        break;
      case Kind::call:
        if (calls_ == Calls::open && look_into(*expr.call, wanted, locals)) return;
        break;
      default:
        break;
    }
    parts.push_back({&expr, wanted, locals, routine_, depth_});
  }

  // The operand that decides where the others are constants; null if there is none.
  [[nodiscard]] const Expr* what_is_left(const Expr& expr, const LocalValues& locals) const {
    const bool is_or = expr.kind == Kind::logical_or;
    if (!is_or && expr.kind != Kind::logical_and && expr.kind != Kind::implies && expr.kind != Kind::conditional)
      return nullptr;
    const auto first = finder_.constant(*expr.a, locals);
    if (expr.kind == Kind::conditional) return !first ? nullptr : *first != 0 ? expr.b : expr.c;
    if (first) return (*first != 0) == is_or ? nullptr : expr.b;
    if (expr.kind == Kind::implies) return nullptr;
    const auto second = finder_.constant(*expr.b, locals);
    return second && (*second != 0) != is_or ? expr.a : nullptr;
  }

  // A function that returns an expression stands for it where its arguments are known.
  bool look_into(const ir::Call& call, bool wanted, const LocalValues& locals) {
    const ir::Block& body = call.callee->routine.body;
    const bool returns = body.size() == 1 && body.front()->kind == ir::Stmt::Kind::give_back && !call.callee->user_code;
    if (!returns || body.front()->value == nullptr || depth_ == max_depth) return false;
    LocalValues inner;
    for (std::size_t k = 0; k < call.arguments.size(); ++k) {
      const ir::Local& parameter = *call.callee->parameters[k];
      const auto value =
          call.arguments[k].value == nullptr ? std::nullopt : finder_.constant(*call.arguments[k].value, locals);
      if (!value || parameter.storage != ir::Local::Storage::in_register || !parameter.type->contains(*value))
        return false;
      inner[&parameter] = parameter.type->fit(*value);
    }
    const ir::Routine* const outer = std::exchange(routine_, &call.callee->routine);
    ++depth_;
    split(*body.front()->value, wanted, inner);
    --depth_;
    routine_ = outer;
    return true;
  }

  bool write_out(const Expr& quantifier, bool wanted, LocalValues locals) {
    const std::vector<std::int64_t> values = values_in(quantifier.binding->domain);
    if (values.empty() || values.size() * (parts.size() + 1) > limit_) return false;
    for (const std::int64_t value : values) {
      locals[quantifier.binding->local] = value;
      split(*quantifier.a, wanted, locals);
    }
    return true;
  }

  static constexpr unsigned max_depth = 4;

  const TouchFinder& finder_;
  Calls calls_;
  bool alternatives_;
  std::size_t limit_;
  const ir::Routine* routine_;
  unsigned depth_;
};

BitSet everything_read(const Touches& touches, std::size_t cells) {
  BitSet reads = touches.reads;
  for (std::size_t cell = 0; touches.unfollowed && cell < cells; ++cell) reads.set(cell);
  return reads;
}

Splitter::Part part_of(const Conjunct& conjunct) {
  return {conjunct.expr, conjunct.wanted, conjunct.locals, conjunct.routine, conjunct.depth};
}

Condition conjuncts_in(const Splitter::Part& whole, const TouchFinder& finder, Calls calls);

std::vector<Condition> alternatives_in(const Splitter::Part& whole, const TouchFinder& finder, Calls calls) {
  const Splitter splitter(finder, calls, true, whole);
  std::vector<Condition> result;
  for (const Splitter::Part& part : splitter.parts) result.push_back(conjuncts_in(part, finder, calls));
  return result;
}

void find_parts(const TouchFinder& finder, Calls calls, Conjunct& conjunct) {
  if (Splitter(finder, calls, true, part_of(conjunct)).parts.size() < 2) return;
  conjunct.other_reads.clear();
  for (const Condition& alternative : alternatives_in(part_of(conjunct), finder, calls))
    for (const Conjunct& each : alternative) {
      conjunct.other_reads |= each.other_reads;
      if (each.test) conjunct.parts.push_back(*each.test);
      conjunct.parts.insert(conjunct.parts.end(), each.parts.begin(), each.parts.end());
    }
}

Conjunct conjunct(Splitter::Part&& part, const TouchFinder& finder, Calls calls) {
  Conjunct result;
  result.expr = part.expr;
  result.wanted = part.wanted;
  result.test = test_of(*part.expr, part.wanted, part.locals, finder);
  result.reads = everything_read(finder.of(*part.expr, part.locals), finder.cells().size());
  result.may_fault = finder.may_fault(*part.expr, part.locals);
  result.timeout = part.wanted && part.expr->kind == Kind::timeout;
  result.routine = part.routine;
  result.depth = part.depth;
  result.locals = std::move(part.locals);
  result.other_reads = result.reads;
  if (result.may_fault) return result;  // what keeps a test true may keep a fault from being found
  if (result.test)
    result.other_reads.reset(result.test->cell);
  else
    find_parts(finder, calls, result);
  return result;
}

Condition conjuncts_in(const Splitter::Part& whole, const TouchFinder& finder, Calls calls) {
  Splitter splitter(finder, calls, false, whole);
  Condition result;
  for (Splitter::Part& part : splitter.parts) result.push_back(conjunct(std::move(part), finder, calls));
  return result;
}

}  // namespace

bool CellTest::accepts(std::int64_t present) const {
  if (present == ir::undefined && faults_if_undefined) return true;
  switch (relation) {
    case Relation::equal:
      return present == value;
    case Relation::different:
      return present != value;
    case Relation::less:
      return present < value;
    case Relation::at_most:
      return present <= value;
    case Relation::greater:
      return present > value;
    case Relation::at_least:
      break;
  }
  return present >= value;
}

bool CellTest::can_be_made_true_by(const Written& what) const {
  if (what.anything) return true;
  const bool both = relation == Relation::equal || relation == Relation::different;
  if (what.more && (both || relation == Relation::greater || relation == Relation::at_least)) return true;
  if (what.less && (both || relation == Relation::less || relation == Relation::at_most)) return true;
  return std::ranges::any_of(what.values, [&](std::int64_t written) { return accepts(written); });
}

bool CellTest::can_be_made_false_by(const Written& what) const {
  if (what.anything) return true;
  const bool both = relation == Relation::equal || relation == Relation::different;
  if (what.more && (both || relation == Relation::less || relation == Relation::at_most)) return true;
  if (what.less && (both || relation == Relation::greater || relation == Relation::at_least)) return true;
  return !std::ranges::all_of(what.values, [&](std::int64_t written) { return accepts(written); });
}

Condition conjuncts_of(const Expr& expr, bool wanted, const LocalValues& locals, const TouchFinder& finder,
                       Calls calls) {
  return conjuncts_in({&expr, wanted, locals}, finder, calls);
}

std::vector<Condition> alternatives_of(const Expr& expr, bool wanted, const LocalValues& locals,
                                       const TouchFinder& finder, Calls calls) {
  return alternatives_in({&expr, wanted, locals}, finder, calls);
}

std::vector<Condition> alternatives_of(const Conjunct& conjunct, const TouchFinder& finder, Calls calls) {
  return alternatives_in(part_of(conjunct), finder, calls);
}

std::vector<std::pair<std::uint32_t, std::int64_t>> facts_of(const Condition& condition) {
  std::vector<std::pair<std::uint32_t, std::int64_t>> facts;
  for (const Conjunct& conjunct : condition) {
    if (conjunct.test && conjunct.test->relation == Relation::equal)
      facts.emplace_back(conjunct.test->cell, conjunct.test->value);
    if (conjunct.may_fault) break;
  }
  return facts;
}

}  // namespace fathom
