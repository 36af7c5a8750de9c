#include "heuristic/formula_compiler.hpp"

#include <algorithm>

#include "heuristic/value_set.hpp"
#include "ir/builder.hpp"

namespace fathom {

using ir::Expr;
using Kind = ir::Expr::Kind;
using Ref = EstimateCode::Ref;
using Relation = EstimateCode::Relation;

namespace {

constexpr std::uint64_t max_values = 256;

// Of numbers a difference tells something; of names it does not.
bool is_numeric(const ir::Type& type) {
  return type.kind == ir::Type::Kind::range || (type.is_machine() && type.value_names.empty());
}

bool holds(Kind kind, std::int64_t a, std::int64_t b) {
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

}  // namespace

// ---- Conditions -----------------------------------------------------------------------------------------------------

void FormulaCompiler::require(const Expr& expr, bool wanted, Scope& scope, Terms& terms) {
  if (!require_parts(expr, wanted, scope, terms)) terms.push_back(leaf(expr, wanted, scope));
}

// Whether it is a conjunction as it is wanted: then its parts are added.
bool FormulaCompiler::require_parts(const Expr& expr, bool wanted, Scope& scope, Terms& terms) {
  switch (expr.kind) {
    case Kind::logical_not:
      require(*expr.a, !wanted, scope, terms);
      return true;
    case Kind::logical_and:
    case Kind::logical_or:
      if ((expr.kind == Kind::logical_and) != wanted) return false;
      require(*expr.a, wanted, scope, terms);
      require(*expr.b, wanted, scope, terms);
      return true;
    case Kind::implies:
      if (wanted) return false;
      require(*expr.a, true, scope, terms);
      require(*expr.b, false, scope, terms);
      return true;
    case Kind::for_all:
    case Kind::exists:
      if ((expr.kind == Kind::for_all) != wanted) return false;
      return for_each_value(*expr.binding, scope, [&] { require(*expr.a, wanted, scope, terms); });
    default:
      return false;
  }
}

Ref FormulaCompiler::distance(const Expr& expr, bool wanted, Scope& scope) {
  Terms terms;
  require(expr, wanted, scope, terms);
  return all_of(terms);
}

// One distance for each cell, and for everything else that has to be so.
Ref FormulaCompiler::all_of(const Terms& terms) {
  Ref result = code_.constant(0);
  if (style_.combine != Combine::divided) {
    for (const Term& term : terms)
      result = style_.combine == Combine::sum ? code_.sum(result, term.distance) : code_.larger(result, term.distance);
    return result;
  }
  std::map<std::uint32_t, Ref> of_cell;
  for (const Term& term : terms) {
    if (!term.cell) continue;
    const auto [found, fresh] = of_cell.try_emplace(*term.cell, term.distance);
    if (!fresh) found->second = code_.larger(found->second, term.distance);
  }
  for (const auto& [cell, distance] : of_cell) result = code_.sum(result, distance);
  for (const Term& term : terms)
    if (!term.cell) result = code_.larger(result, term.distance);
  return result;
}

// What is wanted here is a disjunction: its nearest part.
Ref FormulaCompiler::any_of(const Expr& expr, bool wanted, Scope& scope) {
  if (expr.kind == Kind::for_all || expr.kind == Kind::exists) {
    Ref nearest = code_.constant(EstimateCode::never);
    const bool told = for_each_value(*expr.binding, scope,
                                     [&] { nearest = code_.smaller(nearest, distance(*expr.a, wanted, scope)); });
    return told ? nearest : unknown().distance;
  }
  if (expr.kind == Kind::conditional) {
    Terms yes, no;
    require(*expr.a, true, scope, yes);
    require(*expr.b, wanted, scope, yes);
    require(*expr.a, false, scope, no);
    require(*expr.c, wanted, scope, no);
    return code_.smaller(all_of(yes), all_of(no));
  }
  const bool first = expr.kind == Kind::implies ? !wanted : wanted;
  return code_.smaller(distance(*expr.a, first, scope), distance(*expr.b, wanted, scope));
}

Term FormulaCompiler::leaf(const Expr& expr, bool wanted, Scope& scope) {
  switch (expr.kind) {
    case Kind::logical_and:
    case Kind::logical_or:
    case Kind::implies:
    case Kind::for_all:
    case Kind::exists:
    case Kind::conditional:
      return {any_of(expr, wanted, scope)};
    default:
      break;
  }
  if (is_comparison(expr.kind)) return comparison(expr, wanted, scope).value_or(unknown());
  return truth(expr, wanted, scope).value_or(unknown());
}

// ---- Leaves ---------------------------------------------------------------------------------------------------------

std::optional<std::uint32_t> FormulaCompiler::cell_at(const ir::Place& place, Scope& scope) {
  if (place.local != nullptr && place.local->storage == ir::Local::Storage::in_register) return std::nullopt;
  const auto at = address(place, scope);
  if (!at || !code_.is_constant(*at) || code_.value_of(*at) == ir::undefined) return std::nullopt;
  return cells_.at(static_cast<std::uint32_t>(code_.value_of(*at)));
}

// Numbers are better told by their difference, unless nothing may be over-estimated.
bool FormulaCompiler::goes_by_steps(std::uint32_t cell) const {
  if (style_.only != nullptr && !style_.only->test(cell)) return false;
  return steps_.follows(cell) && (style_.lower_bound || style_.only != nullptr || !is_numeric(*cells_[cell].type));
}

Term FormulaCompiler::cell_term(std::uint32_t cell, const std::vector<bool>& wanted) {
  std::vector<std::int64_t> table;
  for (const std::uint32_t steps : steps_.distances(cell, wanted))
    table.push_back(steps == ValueSteps::never ? EstimateCode::never : std::int64_t{steps});
  return {code_.look_up(cells_[cell].offset, cells_[cell].type->bits, std::move(table)), cell};
}

// A comparison of a cell with a constant. Where reading an undefined cell is a fault, that is what we look for as well.
std::optional<Term> FormulaCompiler::cell_comparison(const Expr& expr, bool wanted, Scope& scope) {
  const Kind relation = wanted ? expr.kind : negation(expr.kind);
  for (const bool first : {true, false}) {
    const Expr& read = first ? *expr.a : *expr.b;
    const auto cell = is_plain_read(read) ? cell_at(*read.place, scope) : std::nullopt;
    const auto other = value(first ? *expr.b : *expr.a, scope);
    if (!cell || !goes_by_steps(*cell) || !other || !code_.is_constant(*other)) continue;
    const ir::Type& type = *cells_[*cell].type;
    std::vector<bool> codes(steps_.codes(*cell));
    for (std::size_t code = 0; code < codes.size(); ++code) {
      const std::int64_t present = type.decode(code), constant = code_.value_of(*other);
      const bool faults = present == ir::undefined && read.kind == Kind::read;
      codes[code] =
          faults ? style_.lower_bound : holds(relation, first ? present : constant, first ? constant : present);
    }
    return cell_term(*cell, codes);
  }
  return std::nullopt;
}

std::optional<Term> FormulaCompiler::comparison(const Expr& expr, bool wanted, Scope& scope) {
  if (const auto term = cell_comparison(expr, wanted, scope)) return term;
  auto a = value(*expr.a, scope), b = value(*expr.b, scope);
  if (!a || !b) return std::nullopt;
  if (style_.only != nullptr && !(code_.is_constant(*a) && code_.is_constant(*b))) return std::nullopt;
  Kind relation = wanted ? expr.kind : negation(expr.kind);
  if (relation == Kind::greater || relation == Kind::greater_equal) {
    std::swap(a, b);
    relation = relation == Kind::greater ? Kind::less : Kind::less_equal;
  }
  const bool numeric = is_numeric(*expr.a->type) && is_numeric(*expr.b->type);
  const Relation how = relation == Kind::equal       ? (numeric ? Relation::near : Relation::same)
                       : relation == Kind::not_equal ? Relation::different
                       : relation == Kind::less      ? Relation::less
                                                     : Relation::at_most;
  const Ref distance = code_.distance(how, *a, *b);
  // Of constants nothing will ever change.
  if (code_.is_constant(distance)) return Term{code_.constant(code_.value_of(distance) == 0 ? 0 : EstimateCode::never)};
  return Term{style_.lower_bound ? code_.smaller(distance, code_.constant(1)) : distance};
}

// Something that is true if it is not 0.
std::optional<Term> FormulaCompiler::truth(const Expr& expr, bool wanted, Scope& scope) {
  const bool asks_of_cell = is_plain_read(expr) || expr.kind == Kind::is_undefined;
  const auto cell = asks_of_cell ? cell_at(*expr.place, scope) : std::nullopt;
  if (cell && goes_by_steps(*cell)) {
    const ir::Type& type = *cells_[*cell].type;
    std::vector<bool> codes(steps_.codes(*cell));
    for (std::size_t code = 0; code < codes.size(); ++code) {
      const std::int64_t present = type.decode(code);
      if (expr.kind == Kind::is_undefined)
        codes[code] = (present == ir::undefined) == wanted;
      else
        codes[code] = present == ir::undefined ? style_.lower_bound : (present != 0) == wanted;
    }
    return cell_term(*cell, codes);
  }
  const auto present = value(expr, scope);
  if (!present) return std::nullopt;
  if (code_.is_constant(*present)) {
    const std::int64_t known = code_.value_of(*present);
    if (known == ir::undefined) return unknown();
    return Term{code_.constant((known != 0) == wanted ? 0 : EstimateCode::never)};
  }
  if (style_.only != nullptr) return std::nullopt;
  const Ref zero = code_.constant(0);
  if (wanted) return Term{code_.distance(Relation::different, *present, zero)};
  const Ref distance = code_.distance(is_numeric(*expr.type) ? Relation::near : Relation::same, *present, zero);
  return Term{style_.lower_bound ? code_.smaller(distance, code_.constant(1)) : distance};
}

// ---- Values ---------------------------------------------------------------------------------------------------------

std::optional<std::vector<std::int64_t>> FormulaCompiler::values_of(const ir::Domain& domain, Scope& scope) {
  std::vector<std::int64_t> values;
  if (domain.type != nullptr) {
    if (domain.type->is_machine()) return std::nullopt;
    const ir::ParameterDomain all = ir::domain_of(*domain.type);
    truncated_ = truncated_ || all.size() > max_values;
    for (std::uint64_t k = 0; k < std::min(all.size(), max_values); ++k) values.push_back(all.at(k));
    return values;
  }
  const auto from = value(*domain.from, scope), to = value(*domain.to, scope);
  const auto step = domain.step == nullptr ? code_.constant(1) : value(*domain.step, scope);
  for (const auto& end : {from, to, step})
    if (!end || !code_.is_constant(*end) || code_.value_of(*end) == ir::undefined) return std::nullopt;
  const std::int64_t by = code_.value_of(*step), last = code_.value_of(*to);
  if (by == 0) return std::nullopt;
  for (std::int64_t at = code_.value_of(*from); by > 0 ? at <= last : at >= last;) {
    truncated_ = truncated_ || values.size() == max_values;
    if (values.size() == max_values) break;
    values.push_back(at);
    if (__builtin_add_overflow(at, by, &at)) break;
  }
  return values;
}

std::optional<Ref> FormulaCompiler::address(const ir::Place& place, Scope& scope) {
  if (place.call != nullptr) return std::nullopt;
  Ref at = 0;
  if (place.variable != nullptr) {
    at = code_.constant(place.variable->offset);
  } else {
    const auto found = scope.addresses.find(place.local);
    if (found == scope.addresses.end()) return std::nullopt;
    at = found->second;
  }
  std::int64_t offset = 0;  // of fields: added up while the address is constant
  for (const ir::PathStep& step : place.path) {
    if (step.kind == ir::PathStep::Kind::slot) return std::nullopt;
    if (step.kind == ir::PathStep::Kind::field) {
      offset += step.container->fields[step.field].offset;
      continue;
    }
    const auto index = value(*step.index, scope);
    if (!index) return std::nullopt;
    at = code_.element(at, *index, *step.container);
  }
  if (offset == 0) return at;
  if (code_.is_constant(at) && code_.value_of(at) == ir::undefined) return at;
  return code_.shifted(at, offset);
}

std::optional<Ref> FormulaCompiler::read(const ir::Place& place, Scope& scope) {
  if (place.local != nullptr && place.local->storage == ir::Local::Storage::in_register) {
    const auto found = scope.values.find(place.local);
    if (found == scope.values.end()) return std::nullopt;
    return code_.fit(found->second, *place.type);
  }
  const auto at = address(place, scope);
  if (!at) return std::nullopt;
  return code_.read(*at, *place.type);
}

// The interpreter knows the registers of a routine, but not what its references stand for here.
std::optional<Ref> FormulaCompiler::interpreted(const Expr& expr, Scope& scope) {
  if (scope.routine == nullptr || scope.routine->references > 0 || expr.kind == Kind::timeout) return std::nullopt;
  std::vector<std::pair<const ir::Local*, Ref>> locals;
  for (const auto& [local, ref] : scope.values)
    if (local->storage == ir::Local::Storage::in_register) locals.emplace_back(local, ref);
  return code_.interpret(expr, *scope.routine, std::move(locals));
}

std::optional<Ref> FormulaCompiler::value(const Expr& expr, Scope& scope) {
  switch (expr.kind) {
    case Kind::constant:
      return code_.constant(expr.value);
    case Kind::read:
    case Kind::read_or_undefined:
      return read(*expr.place, scope);
    case Kind::undefined_value:
      return code_.constant(ir::undefined);
    case Kind::negate:
    case Kind::complement:
    case Kind::logical_not: {
      const auto a = value(*expr.a, scope);
      if (!a) return std::nullopt;
      return code_.unary(expr, *a);
    }
    case Kind::conditional: {
      const auto a = value(*expr.a, scope), b = value(*expr.b, scope), c = value(*expr.c, scope);
      if (!a || !b || !c) return std::nullopt;
      return code_.choose(*a, *b, *c);
    }
    case Kind::is_undefined:
    case Kind::same:
    case Kind::different:
    case Kind::for_all:
    case Kind::exists:
    case Kind::call:
    case Kind::is_member:
    case Kind::timeout:
    case Kind::slot_filled:
    case Kind::multiset_count:
      return interpreted(expr, scope);
    default: {
      const auto a = value(*expr.a, scope), b = value(*expr.b, scope);
      if (!a || !b) return std::nullopt;
      return code_.binary(expr, *a, *b);
    }
  }
}

}  // namespace fathom
