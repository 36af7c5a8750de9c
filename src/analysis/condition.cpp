#include "analysis/condition.hpp"

#include <algorithm>

#include "ir/builder.hpp"

namespace fathom {

using ir::Expr;
using Kind = ir::Expr::Kind;
using Relation = CellTest::Relation;

namespace {

constexpr std::size_t max_conjuncts = 64;
constexpr std::size_t max_alternatives = 256;

bool is_plain_read(const Expr& expr) {
  return expr.kind == Kind::read || expr.kind == Kind::read_or_undefined;
}

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
std::vector<std::int64_t> values_of(const ir::Domain& domain) {
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
  };

  Splitter(bool alternatives, std::size_t limit) : alternatives_(alternatives), limit_(limit) {}

  void split(const Expr& expr, bool wanted, const LocalValues& locals) {
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
      default:
        break;
    }
    parts.push_back({&expr, wanted, locals});
  }

  std::vector<Part> parts;

 private:
  bool write_out(const Expr& quantifier, bool wanted, LocalValues locals) {
    const std::vector<std::int64_t> values = values_of(quantifier.binding->domain);
    if (values.empty() || values.size() * (parts.size() + 1) > limit_) return false;
    for (const std::int64_t value : values) {
      locals[quantifier.binding->local] = value;
      split(*quantifier.a, wanted, locals);
    }
    return true;
  }

  bool alternatives_;
  std::size_t limit_;
};

BitSet everything_read(const Touches& touches, std::size_t cells) {
  BitSet reads = touches.reads;
  for (std::size_t cell = 0; touches.unfollowed && cell < cells; ++cell) reads.set(cell);
  return reads;
}

Conjunct conjunct(Splitter::Part&& part, const TouchFinder& finder) {
  Conjunct result;
  result.expr = part.expr;
  result.wanted = part.wanted;
  result.test = test_of(*part.expr, part.wanted, part.locals, finder);
  result.reads = everything_read(finder.of(*part.expr, part.locals), finder.cells().size());
  result.may_fault = finder.may_fault(*part.expr, part.locals);
  result.timeout = part.wanted && part.expr->kind == Kind::timeout;
  result.locals = std::move(part.locals);
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

Condition conjuncts_of(const Expr& expr, bool wanted, const LocalValues& locals, const TouchFinder& finder) {
  Splitter splitter(false, max_conjuncts);
  splitter.split(expr, wanted, locals);
  Condition result;
  for (Splitter::Part& part : splitter.parts) result.push_back(conjunct(std::move(part), finder));
  return result;
}

std::vector<Condition> alternatives_of(const Expr& expr, bool wanted, const LocalValues& locals,
                                       const TouchFinder& finder) {
  Splitter splitter(true, max_alternatives);
  splitter.split(expr, wanted, locals);
  std::vector<Condition> result;
  for (const Splitter::Part& part : splitter.parts)
    result.push_back(conjuncts_of(*part.expr, part.wanted, part.locals, finder));
  return result;
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
