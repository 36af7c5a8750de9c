// Lowering: rules and start states. A rule inside rulesets is one edge with parameters.
#include <fmt/format.h>

#include "lang/murphi/lowering.hpp"

namespace fathom::murphi {

void Lowering::lower_rule(const RuleItem& item, std::vector<const RuleItem*>& around) {
  Surroundings surroundings;
  surroundings.items = around;
  switch (item.kind) {
    case RuleItem::Kind::simple:
      return lower_simple(item, surroundings);
    case RuleItem::Kind::start:
      return lower_start(item, surroundings);
    case RuleItem::Kind::invariant:
      return lower_property(item, surroundings, ir::Property::Kind::invariant);
    case RuleItem::Kind::assumption:
      return lower_property(item, surroundings, ir::Property::Kind::assumption);
    case RuleItem::Kind::cover:
      return lower_property(item, surroundings, ir::Property::Kind::cover);
    case RuleItem::Kind::liveness:
      return lower_liveness(item, surroundings);
    case RuleItem::Kind::ruleset:
    case RuleItem::Kind::choose:
    case RuleItem::Kind::alias:
      around.push_back(&item);
      for (const auto& inner : item.items) lower_rule(*inner, around);
      around.pop_back();
  }
}

void Lowering::enter(ir::Routine& routine, const char* owner) {
  context_ = {};
  context_.routine = &routine;
  context_.owner = owner;
}

void Lowering::leave() {
  context_ = {};
  context_.routine = &outside_;
}

std::string Lowering::name_of(const RuleItem& item, const char* kind, std::size_t number) {
  return item.name.text.empty() ? fmt::format("{} {}", kind, number) : item.name.text;
}

void Lowering::lower_simple(const RuleItem& item, Surroundings& around) {
  auto edge = std::make_unique<ir::Edge>();
  edge->name = name_of(item, "Rule", ++rules_);
  edge->range = item.range;
  enter(edge->routine, "rule");
  edge->guard = lower_guard(item, around);
  if (item.priority != nullptr) edge->priority = plain_number(*item.priority, "the priority of a rule").value_or(0);
  lower_body(item, around, *edge);
  program_->components.front().edges.push_back(std::move(edge));
}

void Lowering::lower_start(const RuleItem& item, Surroundings& around) {
  auto edge = std::make_unique<ir::Edge>();
  edge->name = name_of(item, "Startstate", ++starts_);
  edge->range = item.range;
  enter(edge->routine, "start state");
  if (!refuse_choose(around, "a start state")) lower_body(item, around, *edge);
  program_->starts.push_back(std::move(edge));
  leave();
}

const ir::Expr* Lowering::lower_guard(const RuleItem& item, Surroundings& around) {
  ir::Block nothing;
  open(around, AliasMode::substitute, nothing);
  pure_ = "a guard";
  const ir::Expr* guard =
      item.guard == nullptr ? build_.constant(true, build_.boolean(), item.range) : condition(*item.guard, "a guard");
  pure_ = nullptr;
  guard = with_conditions(around, ir::Expr::Kind::logical_and, guard);
  close(around);
  const bool always = guard != nullptr && guard->kind == ir::Expr::Kind::constant && guard->value != 0;
  return always ? nullptr : guard;
}

void Lowering::lower_body(const RuleItem& item, Surroundings& around, ir::Edge& edge) {
  open(around, AliasMode::bind, edge.routine.body);
  {
    const ScopeGuard scope(scopes_);
    for (const Declaration& declaration : item.declarations) declare_local(declaration);
    statements(item.body, edge.routine.body);
  }
  close(around);
  edge.parameters = around.parameters;
  if (around.ok) check_instances(edge.parameters, item.range);
  finish(edge.routine, item.range);
  leave();
}

bool Lowering::check_instances(const std::vector<ir::Parameter>& parameters, SourceRange range) {
  constexpr std::uint64_t max_instances = ir::Edge::max_instances;
  std::uint64_t count = 1;
  for (const ir::Parameter& parameter : parameters) {
    const std::uint64_t size = parameter.domain.size();
    if (size == 0) return true;
    const bool too_many = __builtin_mul_overflow(count, size, &count) || count > max_instances;
    if (!too_many) continue;
    error("F153", range, fmt::format("the rulesets around this make more than {} instances", max_instances)).notes = {
        {parameter.local->range, fmt::format("`{}` alone has {} values", parameter.local->name, size)}};
    return false;
  }
  return true;
}

}  // namespace fathom::murphi
