#include "model/guard_parts.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace fathom {

using ir::Expr;
using ir::Place;
using Kind = ir::Expr::Kind;

namespace {

template <class Visit>
void each_place(const Expr& expr, const Visit& visit) {
  for (const Place* const place : {expr.place, expr.other})
    if (place != nullptr) visit(*place);
}

template <class Visit>
void each_part(const Expr& expr, const Visit& visit) {
  for (const Expr* const part : {expr.a, expr.b, expr.c})
    if (part != nullptr) visit(*part);
  each_place(expr, [&](const Place& place) {
    for (const ir::PathStep& step : place.path)
      if (step.index != nullptr) visit(*step.index);
  });
  if (expr.binding == nullptr) return;
  for (const Expr* const bound : {expr.binding->domain.from, expr.binding->domain.to, expr.binding->domain.step})
    if (bound != nullptr) visit(*bound);
}

bool has_calls(const Expr& expr) {
  bool found = expr.call != nullptr;
  each_place(expr, [&](const Place& place) { found = found || place.call != nullptr; });
  each_part(expr, [&](const Expr& part) { found = found || has_calls(part); });
  return found;
}

// How many of the outermost parameters of a rule decide what an expression yields, and whether it fails.
class Deciding {
 public:
  explicit Deciding(std::size_t all) : all_(all) {}

  struct Counts {
    std::size_t value = 0;
    std::size_t failure = 0;  // of reading it
  };
  void name(const ir::Local& local, Counts counts) { known_[&local] = counts; }

  // Functions may print and count, so every instance has to call them.
  [[nodiscard]] std::size_t value(const Expr& expr) const {
    std::size_t count = expr.call == nullptr ? 0 : all_;
    each_part(expr, [&](const Expr& part) { count = std::max(count, value(part)); });
    each_place(expr, [&](const Place& place) {
      if (place.variable == nullptr) count = std::max(count, counts(*place.local).value);
    });
    return count;
  }

  // A read fails by where it reads; a part that is not always evaluated fails by what decides that, too.
  [[nodiscard]] std::size_t failure(const Expr& expr) const {
    if (ir::is_plain_read(expr)) return ir::is_register(*expr.place) ? counts(*expr.place->local).failure : value(expr);
    if (!ir::is_comparison(expr.kind) && expr.kind != Kind::logical_not) return value(expr);
    std::size_t count = 0;
    each_part(expr, [&](const Expr& part) { count = std::max(count, failure(part)); });
    return count;
  }

 private:
  // A register that has no name here is bound by a quantifier inside the expression.
  [[nodiscard]] Counts counts(const ir::Local& local) const {
    if (local.storage != ir::Local::Storage::in_register) return {all_, all_};
    const auto found = known_.find(&local);
    return found == known_.end() ? Counts{} : found->second;
  }

  std::size_t all_;
  std::map<const ir::Local*, Counts> known_;
};

// What a function returns that does nothing else; null if there is more to it.
const Expr* only_returns(const ir::Function& function) {
  const ir::Block& body = function.routine.body;
  if (function.user_code || body.size() != 1 || body.front()->kind != ir::Stmt::Kind::give_back) return nullptr;
  const Expr* const value = body.front()->value;
  const bool is_plain = value != nullptr && function.result->kind == ir::Type::Kind::boolean && !has_calls(*value);
  return is_plain ? value : nullptr;
}

}  // namespace

class GuardParts::Builder {
 public:
  Builder(const ir::Edge& edge, std::vector<Group>& groups) : groups_(groups), all_(edge.parameters.size()) {
    Deciding deciding(all_);
    for (std::size_t k = 0; k < all_; ++k) deciding.name(*edge.parameters[k].local, {.value = k + 1});
    if (edge.guard != nullptr) add(*edge.guard, nullptr, deciding);
  }

 private:
  void add(const Expr& condition, const ir::Call* call, const Deciding& deciding) {
    if (condition.kind == Kind::logical_and) {
      add(*condition.a, call, deciding);
      return add(*condition.b, call, deciding);
    }
    if (condition.kind == Kind::call)
      if (const Expr* const result = only_returns(*condition.call->callee))
        return add_call(*condition.call, *result, deciding);
    if (groups_.empty() || groups_.back().call != call) groups_.push_back({call, {}});
    groups_.back().parts.push_back({&condition, std::max(failing_before_, deciding.value(condition))});
    failing_before_ = std::max(failing_before_, deciding.failure(condition));
  }

  void add_call(const ir::Call& call, const Expr& result, const Deciding& outside) {
    Deciding inside(all_);
    for (std::size_t k = 0; k < call.arguments.size(); ++k) {
      const Expr* const value = call.arguments[k].value;
      const ir::Local& parameter = *call.callee->parameters[k];
      Deciding::Counts counts{all_, all_};
      if (value != nullptr) counts = {outside.value(*value), outside.failure(*value)};
      inside.name(parameter, counts);
      const bool fits = value != nullptr && (value->type == parameter.type || is_constant(value));
      failing_before_ = std::max(failing_before_, fits ? counts.failure : counts.value);
    }
    add(result, &call, inside);
  }

  std::vector<Group>& groups_;
  std::size_t all_;
  // The parts so far did not fail. So many parameters decide this: as long as they have the same values, these parts
  // may turn false but do not fail.
  std::size_t failing_before_ = 0;
};

GuardParts::GuardParts(const ir::Edge& edge) {
  Builder(edge, groups_);
}

std::optional<std::size_t> GuardParts::first_false(const std::vector<Part>& parts, Interpreter& run) {
  for (const Part& part : parts) {
    const bool holds = run.eval(*part.condition) != 0;
    if (run.faulted()) return std::nullopt;
    if (!holds || run.blocked()) return part.parameters;
  }
  return std::nullopt;
}

std::optional<std::size_t> GuardParts::false_within(Interpreter& run) const {
  for (const Group& group : groups_) {
    if (group.call != nullptr && !run.begin_call(*group.call)) return std::nullopt;
    const std::optional<std::size_t> found = first_false(group.parts, run);
    if (group.call != nullptr) run.end_call();
    if (found || run.faulted()) return found;
  }
  return std::nullopt;
}

}  // namespace fathom
