#include "model/explain.hpp"

#include <algorithm>

#include "ir/instance.hpp"
#include "model/interpreter.hpp"
#include "state/bits.h"

namespace fathom {

using ir::Expr;
using Kind = ir::Expr::Kind;

namespace {

class Explainer {
 public:
  Explainer(const ir::Program& program, StateView state)
      : program_(program), state_(state.begin(), state.end()), run_(program) {}

  Explanation explain(const ir::Property& property) {
    load_failing_instance(property);
    return explain(*property.condition);
  }

  Explanation explain(const ir::Edge& edge, std::uint32_t parameters) {
    load(edge.parameters, edge.routine, parameters);
    return explain(*edge.guard);
  }

 private:
  Explanation explain(const Expr& condition) {
    const Expr& culprit = narrow(condition);
    result_.conjunct = culprit.range;
    collect(culprit);
    return std::move(result_);
  }

  void load_failing_instance(const ir::Property& property) {
    std::uint64_t count = 1;
    for (const ir::Parameter& parameter : property.parameters) count *= parameter.domain.size();
    for (std::uint64_t k = 0; k < count; ++k) {
      const std::vector<std::int64_t> values = load(property.parameters, property.routine, k);
      if (run_.holds(*property.condition)) continue;
      for (std::size_t p = 0; p < values.size(); ++p) bind(*property.parameters[p].local, values[p]);
      return;
    }
  }

  std::vector<std::int64_t> load(const std::vector<ir::Parameter>& parameters, const ir::Routine& routine,
                                 std::uint64_t k) {
    std::vector<std::int64_t> values = ir::parameter_values(parameters, k);
    run_.enter(routine, state_.data());
    for (std::size_t p = 0; p < values.size(); ++p) run_.set_register(*parameters[p].local, values[p]);
    return values;
  }

  void bind(const ir::Local& local, std::int64_t value) {
    run_.set_register(local, value);
    result_.bindings.emplace_back(local.name, show(*local.type, value));
  }

  // The smallest part that is false and makes the whole false: through conjunctions and universal quantifiers. An
  // implication is kept whole, because its left side is the context in which the right side fails.
  const Expr& narrow(const Expr& condition) {
    if (condition.kind == Kind::logical_and) return narrow(run_.holds(*condition.a) ? *condition.b : *condition.a);
    if (condition.kind == Kind::for_all && bind_witness(condition, false)) return narrow(*condition.a);
    if (condition.kind == Kind::logical_not && condition.a->kind == Kind::exists) bind_witness(*condition.a, true);
    return condition;
  }

  bool bind_witness(const Expr& quantified, bool wanted) {
    const ir::Type* type = quantified.binding->domain.type;
    if (type == nullptr) return false;
    for (std::uint64_t code = 1; code <= type->cardinality(); ++code) {
      run_.set_register(*quantified.binding->local, type->value(code));
      if (run_.holds(*quantified.a) != wanted) continue;
      bind(*quantified.binding->local, type->value(code));
      return true;
    }
    return false;
  }

  // The variables an expression mentions, with their values. Inside a quantifier its variable has no value, so we stop.
  void collect(const Expr& expr) {
    if (expr.kind == Kind::for_all || expr.kind == Kind::exists || expr.kind == Kind::multiset_count) {
      if (!is_bound(expr)) return;
    }
    for (const Expr* part : {expr.a, expr.b, expr.c})
      if (part != nullptr) collect(*part);
    if (expr.call != nullptr)
      for (const ir::Argument& argument : expr.call->arguments)
        if (argument.value != nullptr) collect(*argument.value);
    const bool reads =
        expr.kind == Kind::read || expr.kind == Kind::read_or_undefined || expr.kind == Kind::is_undefined;
    if (reads && expr.place->variable != nullptr) note(*expr.place);
  }

  [[nodiscard]] bool is_bound(const Expr& quantified) const {
    return quantified.binding != nullptr && std::ranges::any_of(result_.bindings, [&](const auto& b) {
             return b.first == quantified.binding->local->name;
           });
  }

  void note(const ir::Place& place) {
    const std::string name(program_.sources->text(place.range));
    if (std::ranges::any_of(result_.values, [&](const auto& known) { return known.first == name; })) return;
    const std::int64_t value = run_.read(place);
    if (!run_.failed()) result_.values.emplace_back(name, show(*place.type, value));
  }

  const ir::Program& program_;
  StateBuffer state_;
  Interpreter run_;
  Explanation result_;
};

}  // namespace

Explanation explain(const ir::Program& program, const ir::Property& property, StateView state) {
  return Explainer(program, state).explain(property);
}

Explanation explain(const ir::Program& program, InstanceId step, StateView state) {
  const std::vector<const ir::Edge*> edges = program.edges();
  const ir::Edge& edge = *edges[edge_of(step)];
  if (edge.guard == nullptr) return {edge.range, {}, {}};
  return Explainer(program, state).explain(edge, parameters_of(step));
}

bool stands_before(const ir::Program& program, InstanceId step, StateView state) {
  std::uint32_t before = 0;
  for (const ir::Component& component : program.components) {
    const std::uint32_t number = edge_of(step) - before;
    if (number < component.edges.size()) {
      const ir::Variable* const at = component.location;
      return at == nullptr ||
             fathom_get(state.data(), at->offset, at->type->bits) == component.edges[number]->source + 1;
    }
    before += static_cast<std::uint32_t>(component.edges.size());
  }
  return false;
}

}  // namespace fathom
