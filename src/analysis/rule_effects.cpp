#include "analysis/rule_effects.hpp"

#include <algorithm>
#include <utility>

#include "state/bits.h"

namespace fathom {

namespace {

using ir::Expr;
using ir::Stmt;

// What is known of names and places in the routine at hand.
class Knowledge {
 public:
  Knowledge(const LocalUses& uses, const std::vector<Requirement>& facts) : uses_(uses), facts_(facts) {}

  [[nodiscard]] std::optional<StatePart> part(const ir::Place& place, const Environment& environment) const {
    std::optional<StatePart> result;
    if (place.variable != nullptr) {
      result = StatePart{place.variable, {}};
    } else if (const auto found = environment.references.find(place.local); found != environment.references.end()) {
      result = part(*found->second.first, *found->second.second);
    }
    if (!result) return std::nullopt;
    for (const ir::PathStep& step : place.path)
      if (step.kind == ir::PathStep::Kind::field) result->fields.push_back(step.field);
    return result;
  }

  // The values an expression may have; none when that is not known.
  [[nodiscard]] std::vector<std::int64_t> values(const Expr& expr, const Environment& environment) const {
    if (expr.kind == Expr::Kind::constant) return {expr.value};
    if (expr.kind == Expr::Kind::conditional) return values_of_choice(expr, environment);
    if (const std::optional<bool> known = truth(expr, environment)) return {*known ? 1 : 0};
    if (!is_plain_read(expr)) return {};
    if (const auto found = environment.values.find(expr.place->local); expr.place->local != nullptr &&
                                                                       found != environment.values.end() &&
                                                                       !uses_.assigned.contains(expr.place->local))
      return values(*found->second.first, *found->second.second);
    if (const auto read = part(*expr.place, environment)) return value_from_facts(*read);
    return {};
  }

  [[nodiscard]] std::optional<bool> truth(const Expr& expr, const Environment& environment) const {
    const auto side = [&](const Expr* operand) { return truth(*operand, environment); };
    switch (expr.kind) {
      case Expr::Kind::constant:
        return expr.value != 0;
      case Expr::Kind::logical_not:
        if (const auto a = side(expr.a)) return !*a;
        return std::nullopt;
      case Expr::Kind::logical_and:
        if (side(expr.a) == false || side(expr.b) == false) return false;
        return side(expr.a) == true && side(expr.b) == true ? std::optional(true) : std::nullopt;
      case Expr::Kind::logical_or:
        if (side(expr.a) == true || side(expr.b) == true) return true;
        return side(expr.a) == false && side(expr.b) == false ? std::optional(false) : std::nullopt;
      case Expr::Kind::equal:
      case Expr::Kind::not_equal:
        return comparison(expr, environment);
      default:
        return std::nullopt;
    }
  }

 private:
  [[nodiscard]] std::vector<std::int64_t> values_of_choice(const Expr& expr, const Environment& environment) const {
    const std::optional<bool> decided = truth(*expr.a, environment);
    if (decided) return values(*decided ? *expr.b : *expr.c, environment);
    std::vector<std::int64_t> either = values(*expr.b, environment);
    const std::vector<std::int64_t> other = values(*expr.c, environment);
    if (either.empty() || other.empty()) return {};
    either.insert(either.end(), other.begin(), other.end());
    return either;
  }

  [[nodiscard]] std::optional<bool> comparison(const Expr& expr, const Environment& environment) const {
    const auto a = values(*expr.a, environment), b = values(*expr.b, environment);
    if (a.size() != 1 || b.size() != 1) return std::nullopt;
    return (a == b) == (expr.kind == Expr::Kind::equal);
  }

  [[nodiscard]] std::vector<std::int64_t> value_from_facts(const StatePart& read) const {
    for (const Requirement& fact : facts_)
      if (fact.kind == Requirement::Kind::equals && fact.part == read) return {fact.value};
    return {};
  }

  const LocalUses& uses_;
  const std::vector<Requirement>& facts_;
};

// Collects requirements: all that are mentioned, only those that must be met together, or these and the values of one
// part of which one must be there.
class RequirementCollector {
 public:
  enum class Which : std::uint8_t { mentioned, certain, certain_or_alternative };
  RequirementCollector(const LocalUses& uses, Which which)
      : knowledge_(uses, no_facts_),
        certain_(which != Which::mentioned),
        tells_alternatives_(which == Which::certain_or_alternative) {}

  std::vector<Requirement> collect(const Expr& expr, bool wanted) {
    visit(expr, wanted, Environment{});
    return std::move(found_);
  }

 private:
  void visit(const Expr& expr, bool wanted, const Environment& environment) {
    switch (expr.kind) {
      case Expr::Kind::logical_not:
        return visit(*expr.a, !wanted, environment);
      case Expr::Kind::logical_and:
      case Expr::Kind::logical_or:
        return visit_both(*expr.a, wanted, *expr.b, wanted, wanted == (expr.kind == Expr::Kind::logical_and),
                          environment);
      case Expr::Kind::implies:
        return visit_both(*expr.a, !wanted, *expr.b, wanted, !wanted, environment);
      case Expr::Kind::conditional:
        return visit_choice(expr, wanted, environment);
      case Expr::Kind::for_all:
      case Expr::Kind::exists:
        return visit(*expr.a, wanted, environment);
      case Expr::Kind::equal:
      case Expr::Kind::not_equal:
        return compare(expr, wanted == (expr.kind == Expr::Kind::equal), environment);
      case Expr::Kind::call:
        return visit_function(*expr.call, wanted, environment);
      default:
        return visit_other(expr, wanted, environment);
    }
  }

  void visit_both(const Expr& a, bool wanted_a, const Expr& b, bool wanted_b, bool together,
                  const Environment& environment) {
    if (certain_ && !together && !tells_alternatives_) return;
    std::vector<Requirement> before;
    if (certain_ && !together) before = std::exchange(found_, {});
    visit(a, wanted_a, environment);
    visit(b, wanted_b, environment);
    if (certain_ && !together) keep_alternatives(std::move(before));
  }

  void keep_alternatives(std::vector<Requirement> before) {
    const std::vector<Requirement> either = std::exchange(found_, std::move(before));
    const bool are_values_of_one_part = std::ranges::all_of(either, [&](const Requirement& one) {
      return one.kind == Requirement::Kind::equals && one.part == either.front().part;
    });
    if (either.size() < 2 || !are_values_of_one_part) return;
    for (const Requirement& one : either) add(one);
  }

  void visit_choice(const Expr& expr, bool wanted, const Environment& environment) {
    const std::optional<bool> decided = knowledge_.truth(*expr.a, environment);
    if (decided) return visit(*decided ? *expr.b : *expr.c, wanted, environment);
    visit_both(*expr.b, wanted, *expr.c, wanted, false, environment);
  }

  void visit_function(const ir::Call& call, bool wanted, const Environment& environment) {
    if (certain_ || is_running(environment, *call.callee)) return;
    const Environment inner = enter(call, environment);
    for (const Stmt* stmt : call.callee->routine.body)
      if (stmt->kind == Stmt::Kind::give_back && stmt->value != nullptr) visit(*stmt->value, wanted, inner);
  }

  void compare(const Expr& expr, bool equal, const Environment& environment) {
    const auto kind = equal ? Requirement::Kind::equals : Requirement::Kind::differs;
    for (const auto& [read, other] : {std::pair(expr.a, expr.b), std::pair(expr.b, expr.a)}) {
      if (!is_plain_read(*read)) continue;
      const auto part = knowledge_.part(*read->place, environment);
      const auto values = knowledge_.values(*other, environment);
      if (!part) continue;
      if (values.size() == 1)
        add({*part, kind, values.front()});
      else
        add({*part, Requirement::Kind::unknown, 0});
    }
  }

  void visit_other(const Expr& expr, bool wanted, const Environment& environment) {
    if (expr.place != nullptr) {
      const auto part = knowledge_.part(*expr.place, environment);
      const bool truth_value = is_plain_read(expr) && expr.type->kind == ir::Type::Kind::boolean;
      if (part && truth_value)
        add({*part, Requirement::Kind::equals, wanted ? 1 : 0});
      else if (part)
        add({*part, Requirement::Kind::unknown, 0});
    }
    if (certain_) return;
    for (const Expr* operand : {expr.a, expr.b, expr.c})
      if (operand != nullptr) visit_other(*operand, wanted, environment);
  }

  void add(Requirement requirement) {
    if (std::ranges::count(found_, requirement) == 0) found_.push_back(std::move(requirement));
  }

  const std::vector<Requirement> no_facts_;
  Knowledge knowledge_;
  bool certain_;
  bool tells_alternatives_;
  std::vector<Requirement> found_;
};

class EffectCollector {
 public:
  EffectCollector(const LocalUses& uses, const std::vector<Requirement>& facts) : knowledge_(uses, facts) {}

  std::vector<Effect> collect(const ir::Block& body) {
    Environment environment;
    block(body, environment);
    return std::move(found_);
  }

 private:
  static constexpr unsigned max_statements = 20'000;  // calls can multiply

  void block(const ir::Block& body, Environment& environment) {
    for (const Stmt* stmt : body)
      if (++statements_ < max_statements) statement(*stmt, environment);
  }

  void statement(const Stmt& stmt, Environment& environment) {
    switch (stmt.kind) {
      case Stmt::Kind::assign:
        return add(*stmt.place, environment, knowledge_.values(*stmt.value, environment));
      case Stmt::Kind::branch:
        return branch(stmt, environment);
      case Stmt::Kind::loop_while:
      case Stmt::Kind::loop_for:
        return block(stmt.body, environment);
      case Stmt::Kind::call: {
        if (is_running(environment, *stmt.call->callee)) return;
        Environment inner = enter(*stmt.call, environment);
        return block(stmt.call->callee->routine.body, inner);
      }
      case Stmt::Kind::bind:
        environment.references[stmt.local] = {stmt.place, &environment};
        return;
      case Stmt::Kind::undefine:
        return add(*stmt.place, environment, {ir::undefined});
      case Stmt::Kind::copy:
      case Stmt::Kind::clear:
      case Stmt::Kind::multiset_add:
      case Stmt::Kind::multiset_remove:
      case Stmt::Kind::multiset_remove_if:
        return add(*stmt.place, environment, {});
      default:
        return;
    }
  }

  // Branches that the arguments of the call rule out are left alone.
  void branch(const Stmt& stmt, Environment& environment) {
    for (const ir::Branch& branch : stmt.branches) {
      const auto taken =
          branch.condition == nullptr ? std::optional(true) : knowledge_.truth(*branch.condition, environment);
      if (taken != false) block(branch.body, environment);
      if (taken == true) return;
    }
  }

  void add(const ir::Place& place, const Environment& environment, std::vector<std::int64_t> values) {
    if (const auto part = knowledge_.part(place, environment)) found_.push_back({*part, std::move(values)});
  }

  Knowledge knowledge_;
  std::vector<Effect> found_;
  unsigned statements_ = 0;
};

bool holds_value(const ir::Type& type, std::uint32_t offset, std::span<const std::uint32_t> fields,
                 std::span<const std::uint64_t> state, std::int64_t value) {
  if (type.is_scalar()) {
    const std::uint64_t code = fathom_get(state.data(), offset, type.bits);
    return code == 0 ? value == ir::undefined : type.value(code) == value;
  }
  if (type.kind == ir::Type::Kind::record) {
    if (fields.empty()) return false;
    const ir::Field& field = type.fields[fields.front()];
    return holds_value(*field.type, offset + field.offset, fields.subspan(1), state, value);
  }
  const bool slots = type.kind == ir::Type::Kind::multiset;
  const std::uint64_t count = slots ? type.capacity : type.index->cardinality();
  for (std::uint64_t k = 0; k < count; ++k)
    if (holds_value(*type.element, offset + static_cast<std::uint32_t>(k) * type.stride + (slots ? 1 : 0), fields,
                    state, value))
      return true;
  return false;
}

}  // namespace

bool StatePart::overlaps(const StatePart& other) const {
  const std::size_t shared = std::min(fields.size(), other.fields.size());
  return variable == other.variable && std::equal(fields.begin(), fields.begin() + shared, other.fields.begin());
}

bool StatePart::has_value(std::span<const std::uint64_t> state, std::int64_t value) const {
  return holds_value(*variable->type, variable->offset, fields, state, value);
}

std::vector<Requirement> RuleEffects::requirements(const Expr& expr, bool wanted) const {
  return RequirementCollector(uses_, RequirementCollector::Which::mentioned).collect(expr, wanted);
}

std::vector<Requirement> RuleEffects::sure_requirements(const Expr& expr, bool wanted) const {
  return RequirementCollector(uses_, RequirementCollector::Which::certain).collect(expr, wanted);
}

std::vector<Requirement> RuleEffects::sure_alternatives(const Expr& expr, bool wanted) const {
  return RequirementCollector(uses_, RequirementCollector::Which::certain_or_alternative).collect(expr, wanted);
}

std::vector<Effect> RuleEffects::effects(const ir::Edge& edge) const {
  std::vector<Requirement> facts;
  if (edge.guard != nullptr) facts = sure_requirements(*edge.guard, true);
  return EffectCollector(uses_, facts).collect(edge.routine.body);
}

}  // namespace fathom
