// Lowering: invariants, assumptions, covers and liveness properties.
#include <fmt/format.h>

#include "ir/instance.hpp"
#include "lang/murphi/fragment.hpp"
#include "lang/murphi/lowering.hpp"

namespace fathom::murphi {

namespace {

using PropertyKind = ir::Property::Kind;

// Liveness is checked instance by instance, each with a set of states of its own.
constexpr std::uint64_t max_live_instances = std::uint64_t{1} << 12;

const char* title(PropertyKind kind) {
  switch (kind) {
    case PropertyKind::invariant:
      return "Invariant";
    case PropertyKind::assumption:
      return "Assumption";
    case PropertyKind::cover:
      return "Cover";
    case PropertyKind::liveness:
      return "Liveness";
    case PropertyKind::valid_end:
      return "Valid end";
    case PropertyKind::atom:
      return "Atom";
  }
  return "";
}

}  // namespace

ir::Property& Lowering::add_property(PropertyKind kind, std::string name, SourceRange range) {
  ir::Property& property = *program_->properties.emplace_back(std::make_unique<ir::Property>());
  property.kind = kind;
  property.name = std::move(name);
  property.range = range;
  return property;
}

const ir::Expr* Lowering::property_condition(const RuleItem& item, Surroundings& around, ir::Expr::Kind connective) {
  ir::Block nothing;
  open(around, AliasMode::substitute, nothing);
  pure_ = "a property";
  const ir::Expr* const stated = condition(*item.guard, "a property");
  pure_ = nullptr;
  const ir::Expr* const result = with_conditions(around, connective, stated);
  close(around);
  return result;
}

void Lowering::lower_property(const RuleItem& item, Surroundings& around, PropertyKind kind) {
  ir::Property& property = add_property(kind, name_of(item, title(kind), ++property_numbers_[kind]), item.range);
  enter(property.routine, "property");
  // About a chosen element nothing is claimed while its slot is empty, and nothing is covered.
  const auto connective = kind == PropertyKind::cover ? ir::Expr::Kind::logical_and : ir::Expr::Kind::implies;
  property.condition = property_condition(item, around, connective);
  property.parameters = around.parameters;
  if (kind == PropertyKind::invariant && property.condition != nullptr)
    property.antecedent = antecedent_of(*property.condition);
  if (around.ok) check_instances(property.parameters, item.range);
  finish(property.routine, item.range);
  leave();
}

void Lowering::lower_atom(const OutsideCondition& atom) {
  const SourceRange range = atom.range;
  const ExprPtr syntax = parse_fragment(sources_, range, options_.dialect, diagnostics_);
  if (syntax == nullptr) return;
  ir::Property& property = add_property(PropertyKind::atom, quote(range), range);
  enter(property.routine, "property");
  pure_ = "a property of runs";
  scopes_.open();
  for (const OutsideCondition::Name& name : atom.names) declare_outside(name, range);
  property.condition = condition(*syntax, "an atom of a property of runs");
  scopes_.close();
  pure_ = nullptr;
  finish(property.routine, range);
  leave();
}

void Lowering::declare_outside(const OutsideCondition::Name& name, SourceRange range) {
  Symbol symbol;
  symbol.kind = Symbol::Kind::value;
  symbol.range = range;
  const Symbol* const type = name.type.empty() ? nullptr : scopes_.find(name.type);
  symbol.type = type == nullptr ? build_.number() : type->type;
  const std::int64_t value = type == nullptr ? name.value + build_.number()->zero
                                             : symbol.type->value(static_cast<std::uint64_t>(name.value) + 1);
  symbol.value = build_.constant(value, symbol.type, range);
  scopes_.declare(name.name, symbol);
}

// forall i do a -> (b -> c) end says something as soon as  exists i do a & b end.
const ir::Expr* Lowering::antecedent_of(const ir::Expr& condition) {
  if (condition.kind == ir::Expr::Kind::implies) {
    const ir::Expr* const inner = antecedent_of(*condition.b);
    return inner == nullptr
               ? condition.a
               : binary(ir::Expr::Kind::logical_and, build_.boolean(), condition.a, inner, condition.range);
  }
  if (condition.kind != ir::Expr::Kind::for_all) return nullptr;
  const ir::Expr* const inner = antecedent_of(*condition.a);
  if (inner == nullptr) return nullptr;
  ir::Expr& some = build_.expr(ir::Expr::Kind::exists, build_.boolean(), condition.range);
  some.binding = condition.binding;
  some.a = inner;
  return &some;
}

// A liveness property in rulesets becomes one property per combination of parameter values.
void Lowering::lower_liveness(const RuleItem& item, Surroundings& around) {
  const std::string name = name_of(item, title(PropertyKind::liveness), ++property_numbers_[PropertyKind::liveness]);
  if (refuse_choose(around, "a liveness property")) return;
  enter(build_.draft(), "property");
  property_condition(item, around, ir::Expr::Kind::implies);
  if (around.ok && check_instances(around.parameters, item.range)) {
    std::uint64_t count = 1;
    for (const ir::Parameter& parameter : around.parameters) count *= parameter.domain.size();
    if (count > max_live_instances) {
      error("F154", item.range,
            fmt::format("the rulesets around this liveness property make {} instances, more than {}", count,
                        max_live_instances));
      count = 0;
    }
    for (std::uint64_t k = 0; k < count; ++k)
      lower_live_instance(item, around, name, ir::parameter_values(around.parameters, k));
  }
  leave();
}

void Lowering::lower_live_instance(const RuleItem& item, Surroundings& around, const std::string& name,
                                   const std::vector<std::int64_t>& values) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    const ir::Local& local = *around.parameters[k].local;
    Symbol& symbol = around.symbols[k];
    symbol.kind = Symbol::Kind::value;
    symbol.value = build_.constant(values[k], local.type, local.range);
    symbol.varies = true;
  }
  const std::string suffix = ir::show_parameters(around.parameters, values);
  ir::Property& property =
      add_property(PropertyKind::liveness, suffix.empty() ? name : name + ", " + suffix, item.range);
  enter(property.routine, "property");
  property.condition = property_condition(item, around, ir::Expr::Kind::implies);
  finish(property.routine, item.range);
}

}  // namespace fathom::murphi
