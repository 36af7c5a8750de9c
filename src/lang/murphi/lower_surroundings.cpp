// Lowering: rulesets, chooses and aliases around a rule or property.
#include <fmt/format.h>

#include "lang/murphi/lowering.hpp"

namespace fathom::murphi {

// Opens one scope per construct; close() takes them back.
void Lowering::open(Surroundings& around, AliasMode mode, ir::Block& out) {
  around.next = 0;
  for (const RuleItem* item : around.items) {
    scopes_.open();
    if (item->kind == RuleItem::Kind::ruleset) open_ruleset(*item, around);
    if (item->kind == RuleItem::Kind::choose) open_choose(*item, around);
    if (item->kind == RuleItem::Kind::alias) aliases(item->aliases, mode, out);
  }
}

void Lowering::close(const Surroundings& around) {
  for (std::size_t k = 0; k < around.items.size(); ++k) scopes_.close();
}

void Lowering::open_ruleset(const RuleItem& item, Surroundings& around) {
  for (const Quantifier& quantifier : item.quantifiers) {
    const ir::Type* type = nullptr;
    std::optional<ir::ParameterDomain> domain = parameter_domain(quantifier, type);
    around.ok = around.ok && domain.has_value();
    if (!reopen_parameter(quantifier, around))
      add_parameter(quantifier, type, domain.value_or(ir::ParameterDomain{}), around);
  }
}

// Every slot is an instance, and the guard asks first whether it is filled.
void Lowering::open_choose(const RuleItem& item, Surroundings& around) {
  for (const Quantifier& quantifier : item.quantifiers) {
    if (reopen_parameter(quantifier, around)) continue;
    const Operand set = multiset_operand(quantifier);
    around.ok = around.ok && set.ok();
    const ir::Type* const slots = set.ok() ? build_.slots_of(set.type) : nullptr;
    add_parameter(quantifier, slots, slots == nullptr ? ir::ParameterDomain{} : ir::domain_of(*slots), around);
    if (!set.ok()) continue;
    Operand slot;
    slot.type = slots;
    slot.place = around.symbols.back().place;
    slot.range = quantifier.name.range;
    ir::Expr& filled = build_.expr(ir::Expr::Kind::slot_filled, build_.boolean(), quantifier.range);
    filled.place = set.place;
    filled.a = read(slot);
    around.conditions.push_back(&filled);
  }
}

bool Lowering::reopen_parameter(const Quantifier& syntax, Surroundings& around) {
  const std::size_t k = around.next++;
  if (k >= around.symbols.size()) return false;
  declare(syntax.name, around.symbols[k]);
  return true;
}

void Lowering::add_parameter(const Quantifier& syntax, const ir::Type* type, ir::ParameterDomain domain,
                             Surroundings& around) {
  const ir::Local& local = counter(syntax.name, type);
  Symbol symbol;
  symbol.kind = Symbol::Kind::place;
  symbol.type = type;
  symbol.place = place_of(local);
  around.symbols.push_back(symbol);
  around.parameters.push_back({&local, std::move(domain)});
}

std::optional<ir::ParameterDomain> Lowering::parameter_domain(const Quantifier& syntax, const ir::Type*& type) {
  const std::optional<ir::Domain> range = domain(syntax, type);
  if (!range) return std::nullopt;
  if (range->type != nullptr) return ir::domain_of(*range->type);
  for (const ir::Expr* bound : {range->from, range->to, range->step}) {
    if (bound == nullptr || bound->kind == ir::Expr::Kind::constant) continue;
    error("F152", bound->range,
          fmt::format("the values of a ruleset must be constant, and `{}` is not", quote(bound->range)));
    return std::nullopt;
  }
  return ir::ParameterDomain{{{range->from->value, range->to->value, range->step ? range->step->value : 1}}};
}

const ir::Expr* Lowering::with_conditions(const Surroundings& around, ir::Expr::Kind connective,
                                          const ir::Expr* condition) {
  for (std::size_t k = around.conditions.size(); k-- > 0 && condition != nullptr;)
    condition = binary(connective, build_.boolean(), around.conditions[k], condition, condition->range);
  return condition;
}

bool Lowering::refuse_choose(const Surroundings& around, const char* what) {
  for (const RuleItem* item : around.items) {
    if (item->kind != RuleItem::Kind::choose) continue;
    error("F163", item->range, fmt::format("{} cannot stand inside `choose`", what));
    return true;
  }
  return false;
}

}  // namespace fathom::murphi
