#include "lang/promela/dead_values.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <span>

namespace fathom::promela {

namespace {

using Scalars = std::set<Scalar>;

// Nothing for an element of an array.
std::optional<Scalar> scalar_of(const Expr& designator) {
  if (designator.kind == Expr::Kind::variable) return Scalar{designator.variable};
  if (designator.kind == Expr::Kind::element) return std::nullopt;
  auto scalar = scalar_of(*designator.a);
  if (scalar) scalar->push_back(designator.variable);
  return scalar;
}

bool begins_with(const Scalar& whole, const Scalar& part) {
  return whole.size() >= part.size() && std::ranges::equal(part, std::span(whole).first(part.size()));
}

class DeadValues {
 public:
  DeadValues(FlowGraph& graph, const Process& process, const Visibility& seen)
      : graph_(graph), live_(graph.locations.size()) {
    for (const auto& local : process.variables)
      if (is_own(*local, seen) && !seen.unread.all.contains(local.get())) add_candidates({local.get()});
    for (const Variable& counter : graph.counters) add_candidates({&counter});
    if (process.provided) read(*process.provided, always_read_);
    for (const FlowEdge& edge : graph.edges) {
      const bool nothing = edge.statement == nullptr || does_nothing(*edge.statement, seen);
      effects_.push_back(nothing ? Effects{} : effects_of(*edge.statement));
    }
  }

  void run() {
    spread();
    for (std::uint32_t number = 0; number < graph_.edges.size(); ++number) graph_.edges[number].dead = resets(number);
  }

 private:
  struct Effects {
    Scalars reads;
    Scalars writes;  // in any case, after the reads
  };

  void add_candidates(const Scalar& path) {
    const Variable& last = *path.back();
    if (last.is_array || last.channel || last.type.is(Type::Kind::chan)) return;
    if (!last.type.is(Type::Kind::user)) {
      candidates_.insert(path);
      return;
    }
    for (const auto& field : last.type.user->fields) {
      Scalar longer = path;
      longer.push_back(field.get());
      add_candidates(longer);
    }
  }

  // A structure is read as a whole.
  void read(const Expr& expression, Scalars& reads) const {
    if (expression.is_designator()) {
      const auto scalar = scalar_of(expression);
      if (!scalar) return read_indices(expression, reads);
      for (const Scalar& each : candidates_)
        if (begins_with(each, *scalar)) reads.insert(each);
      return;
    }
    for (const Expr* part : {expression.a.get(), expression.b.get(), expression.c.get()})
      if (part != nullptr) read(*part, reads);
    for (const ExprPtr& argument : expression.arguments) read(*argument, reads);
  }

  void read_indices(const Expr& designator, Scalars& reads) const {
    if (designator.kind == Expr::Kind::element) read(*designator.b, reads);
    if (designator.a) read_indices(*designator.a, reads);
  }

  void write(const Expr& target, Effects& effects) const {
    if (!target.is_designator()) return;
    read_indices(target, effects.reads);
    const auto scalar = scalar_of(target);
    if (scalar && candidates_.contains(*scalar)) effects.writes.insert(*scalar);
  }

  [[nodiscard]] Effects effects_of(const Stmt& statement) const {
    Effects effects;
    switch (statement.kind) {
      case Stmt::Kind::assign:
        read(*statement.b, effects.reads);
        write(*statement.a, effects);
        break;
      case Stmt::Kind::increment:
      case Stmt::Kind::decrement:
        read(*statement.a, effects.reads);
        write(*statement.a, effects);
        break;
      case Stmt::Kind::receive:
        read(*statement.a, effects.reads);
        for (const ExprPtr& argument : statement.arguments)
          argument->is_designator() ? write(*argument, effects) : read(*argument, effects.reads);
        break;
      case Stmt::Kind::print:
      case Stmt::Kind::print_mtype:
        break;
      default:
        read_all(statement, effects.reads);
    }
    return effects;
  }

  void read_all(const Stmt& statement, Scalars& reads) const {
    for (const Expr* part : {statement.a.get(), statement.b.get(), statement.c.get()})
      if (part != nullptr) read(*part, reads);
    for (const ExprPtr& argument : statement.arguments) read(*argument, reads);
  }

  // Backwards until nothing changes. `else` reads what the guards beside it read, which are edges of the same place.
  void spread() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t number = graph_.edges.size(); number-- > 0;) changed |= spread_over(number);
    }
  }

  bool spread_over(std::size_t number) {
    const FlowEdge& edge = graph_.edges[number];
    Scalars& before = live_[edge.source];
    const std::size_t size = before.size();
    before.insert(always_read_.begin(), always_read_.end());
    before.insert(effects_[number].reads.begin(), effects_[number].reads.end());
    if (edge.statement != nullptr) {
      const Scalars after = live_[edge.target];
      std::ranges::set_difference(after, effects_[number].writes, std::inserter(before, before.end()));
    }
    return before.size() != size;
  }

  [[nodiscard]] std::vector<Scalar> resets(std::size_t number) const {
    const FlowEdge& edge = graph_.edges[number];
    std::vector<Scalar> result;
    if (edge.statement == nullptr) return result;  // with the process go its variables
    for (const Scalar& scalar : candidates_) {
      const bool may_have_a_value = live_[edge.source].contains(scalar) || effects_[number].writes.contains(scalar) ||
                                    (edge.source == 0 && has_a_value_at_first(scalar));
      if (may_have_a_value && !live_[edge.target].contains(scalar)) result.push_back(scalar);
    }
    // The order of pointers is another one each time.
    std::ranges::sort(result, {}, [](const Scalar& scalar) { return numbers_of(scalar); });
    return result;
  }

  static bool has_a_value_at_first(const Scalar& scalar) {
    return scalar.front()->scope == Variable::Scope::parameter ||
           std::ranges::any_of(scalar, [](const Variable* each) { return each->value || !each->values.empty(); });
  }

  static std::vector<std::uint32_t> numbers_of(const Scalar& scalar) {
    std::vector<std::uint32_t> numbers;
    for (const Variable* each : scalar) numbers.push_back(each->range.begin);
    return numbers;
  }

  FlowGraph& graph_;
  Scalars candidates_;
  Scalars always_read_;
  std::vector<Effects> effects_;
  std::vector<Scalars> live_;  // by location
};

}  // namespace

void find_dead_values(FlowGraph& graph, const Process& process, const Visibility& seen) {
  DeadValues(graph, process, seen).run();
}

}  // namespace fathom::promela
