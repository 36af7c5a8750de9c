#include "analysis/value_bounds.hpp"

#include <algorithm>
#include <set>

#include "analysis/bounds_walk.hpp"

namespace fathom {

namespace {

using ir::Expr;
using Time = std::uint64_t;

// Which variables code mentions and writes, functions that it calls included.
class Mentions {
 public:
  std::set<const ir::Variable*> all, written;

  void add(const ir::Block& block) {
    for (const ir::Stmt* stmt : block) add(*stmt);
  }
  void add(const Expr* expr) {
    if (expr == nullptr) return;
    for (const Expr* part : {expr->a, expr->b, expr->c}) add(part);
    for (const ir::Place* place : {expr->place, expr->other}) add(place);
    add(expr->binding);
    add(expr->call);
  }

 private:
  void add(const ir::Stmt& stmt) {
    add(stmt.place);
    add(stmt.source);
    add(stmt.value);
    add(stmt.binding);
    add(stmt.call);
    if (stmt.place != nullptr && stmt.place->variable != nullptr) written.insert(stmt.place->variable);
    for (const ir::Branch& branch : stmt.branches) {
      add(branch.condition);
      add(branch.body);
    }
    add(stmt.body);
  }
  void add(const ir::Place* place) {
    if (place == nullptr) return;
    if (place->variable != nullptr) all.insert(place->variable);
    add(place->call);
    for (const ir::PathStep& step : place->path) add(step.index);
  }
  void add(const ir::Binding* binding) {
    if (binding == nullptr) return;
    for (const Expr* part : {binding->domain.from, binding->domain.to, binding->domain.step}) add(part);
  }
  void add(const ir::Call* call) {
    if (call == nullptr) return;
    for (const ir::Argument& argument : call->arguments) {
      add(argument.value);
      add(argument.place);
    }
    if (functions_.insert(call->callee).second) add(call->callee->routine.body);
  }

  std::set<const ir::Function*> functions_;
};

// A component that an edge moves, and from where; nothing: that is not known before.
struct Movement {
  std::uint32_t component = 0;
  std::optional<std::uint32_t> from;
};

struct EdgeFacts {
  const ir::Edge* edge = nullptr;
  std::vector<Movement> movements;
  std::vector<std::uint32_t> reads;  // cells
  Time seen = 0;                     // when it was executed last
};

// The location that a conjunction requires of a component.
std::optional<std::uint32_t> required_location(const Expr* guard, const ir::Variable* location) {
  if (guard == nullptr || location == nullptr) return std::nullopt;
  if (guard->kind == Expr::Kind::logical_and) {
    const auto found = required_location(guard->a, location);
    return found ? found : required_location(guard->b, location);
  }
  const bool compares = guard->kind == Expr::Kind::equal && guard->b->kind == Expr::Kind::constant &&
                        (guard->a->kind == Expr::Kind::read || guard->a->kind == Expr::Kind::read_or_undefined);
  if (!compares || guard->a->place->variable != location || !location->type->contains(guard->b->value))
    return std::nullopt;
  return static_cast<std::uint32_t>(location->type->code(guard->b->value) - 1);
}

class ValueBounds {
 public:
  explicit ValueBounds(const ir::Program& program)
      : program_(program),
        cells_(program),
        global_(cells_.size(), Interval::only(0)),
        changes_(cells_.size(), 0),
        changed_(cells_.size(), 1),
        owner_(cells_.size(), no_owner),
        walk_(cells_, {[this](std::uint32_t cell, Interval value, Bounds& now) { stored(cell, value, now); },
                       [this](const ir::Variable& variable, std::optional<std::uint32_t> location, Bounds& now) {
                         moved(variable, location, now);
                       }}) {}

  std::optional<std::map<const ir::Type*, Interval>> run() {
    collect_facts();
    find_owners();
    find_thresholds();
    start();
    while (walk_.understood() && execute_edges()) {
    }
    if (!walk_.understood()) return std::nullopt;
    std::map<const ir::Type*, Interval> result;
    for (std::uint32_t cell = 0; cell < cells_.size(); ++cell) {
      if (!cells_.type(cell).is_machine()) continue;
      Interval& bounds = result.try_emplace(&cells_.type(cell), Interval::only(0)).first->second;
      bounds = bounds.joined(global_[cell]);
    }
    return result;
  }

 private:
  static constexpr std::uint32_t no_owner = ~std::uint32_t{0};
  // A bound that has changed this often goes on in leaps.
  static constexpr std::uint32_t patience = 12;

  // The bounds of the cells a component owns, at one of its locations.
  struct Arrival {
    std::vector<Interval> values;  // empty: it never comes here
    std::vector<std::uint32_t> changes;
    Time changed = 0;
  };

  void collect_facts() {
    for (std::uint32_t number = 0; number < program_.components.size(); ++number)
      for (const auto& edge : program_.components[number].edges) collect_facts(number, *edge);
  }

  void collect_facts(std::uint32_t number, const ir::Edge& edge) {
    EdgeFacts facts;
    facts.edge = &edge;
    Mentions mentions;
    mentions.add(edge.guard);
    mentions.add(edge.routine.body);
    facts.movements.push_back({number, edge.source});
    for (std::uint32_t other = 0; other < program_.components.size(); ++other) {
      const ir::Variable* const location = program_.components[other].location;
      if (other != number && location != nullptr && mentions.written.contains(location))
        facts.movements.push_back({other, required_location(edge.guard, location)});
    }
    for (const ir::Variable* variable : mentions.all) {
      const ValueCells::Part part = cells_.of(*variable);
      for (std::uint32_t cell = part.first; cell < part.end; ++cell) facts.reads.push_back(cell);
    }
    for (const ir::Variable* variable : mentions.written) {
      std::set<std::uint32_t> movers;
      for (const Movement& movement : facts.movements) movers.insert(movement.component);
      const auto [entry, fresh] = movers_.try_emplace(variable, movers);
      if (!fresh) std::erase_if(entry->second, [&](std::uint32_t each) { return !movers.contains(each); });
    }
    edges_.push_back(std::move(facts));
  }

  // A component owns what is only written by steps in which it moves.
  void find_owners() {
    owned_.resize(program_.components.size());
    for (const auto& [variable, movers] : movers_) {
      if (movers.empty() || variable->hidden) continue;
      const std::uint32_t owner = *movers.rbegin();
      const ValueCells::Part part = cells_.of(*variable);
      for (std::uint32_t cell = part.first; cell < part.end; ++cell) {
        if (!cells_.type(cell).is_machine()) continue;
        owner_[cell] = owner;
        owned_[owner].push_back(cell);
      }
    }
    for (const ir::Component& component : program_.components)
      arrivals_.emplace_back(std::max<std::size_t>(1, component.locations.size()));
  }

  void find_thresholds() {
    for (const Expr& expr : program_.exprs)
      if (expr.kind == Expr::Kind::constant)
        for (const std::int64_t near : {expr.value - 1, expr.value, expr.value + 1}) thresholds_.insert(near);
  }

  void start() {
    for (const auto& edge : program_.starts) {
      ++clock_;
      moving_ = nullptr;
      walk_.enter(edge->routine, edge->parameters, std::vector<Interval>(cells_.size(), Interval::only(0)));
      walk_.execute(edge->routine.body);
      if (!walk_.understood()) return;
      for (std::uint32_t number = 0; number < program_.components.size(); ++number)
        if (program_.components[number].present_at_start) arrive(number, 0, walk_.now());
    }
  }

  bool execute_edges() {
    bool any = false;
    for (EdgeFacts& facts : edges_) {
      if (!walk_.understood() || !is_due(facts)) continue;
      any = true;
      facts.seen = ++clock_;
      execute(facts);
    }
    return any;
  }

  [[nodiscard]] const Arrival* departure(const Movement& movement) const {
    return movement.from ? &arrivals_[movement.component][*movement.from] : nullptr;
  }

  // Whether something has changed since it was executed. An edge whose location is never reached is not executed.
  [[nodiscard]] bool is_due(const EdgeFacts& facts) const {
    bool due = facts.seen == 0;
    for (const Movement& movement : facts.movements) {
      const Arrival* const from = departure(movement);
      if (from == nullptr) continue;
      if (from->changed == 0) return false;
      due = due || from->changed >= facts.seen;
    }
    return due || std::ranges::any_of(facts.reads, [&](std::uint32_t cell) { return changed_[cell] >= facts.seen; });
  }

  void execute(const EdgeFacts& facts) {
    std::vector<Interval> before = global_;
    for (const Movement& movement : facts.movements)
      if (const Arrival* const from = departure(movement))
        for (std::size_t k = 0; k < from->values.size(); ++k) before[owned_[movement.component][k]] = from->values[k];
    moving_ = &facts;
    arrived_.clear();
    postponed_.clear();
    const ir::Edge& edge = *facts.edge;
    walk_.enter(edge.routine, edge.parameters, std::move(before));
    if (edge.guard != nullptr) walk_.assume(*edge.guard, true);
    walk_.execute(edge.routine.body);
    if (!walk_.now().reachable) return;
    arrive(facts.movements.front().component, edge.target, walk_.now());
    for (const auto& [component, location] : postponed_) arrive(component, location, walk_.now());
    for (const std::uint32_t component : walk_.now().unsettled) stay(facts, component);
  }

  // A component whose variables were written, and which may still be where it was.
  void stay(const EdgeFacts& facts, std::uint32_t component) {
    for (const Movement& movement : facts.movements) {
      if (movement.component != component) continue;
      if (movement.from)
        arrive(component, *movement.from, walk_.now());
      else
        arrive_anywhere(component, walk_.now());
    }
  }

  void stored(std::uint32_t cell, Interval value, Bounds& now) {
    if (!cells_.type(cell).is_machine()) return;
    if (widened(global_[cell], value, changes_[cell], cells_.type(cell))) changed_[cell] = clock_;
    const std::uint32_t owner = owner_[cell];
    if (moving_ == nullptr || owner == no_owner || owner == moving_->movements.front().component) return;
    if (std::ranges::any_of(postponed_, [&](const auto& each) { return each.first == owner; })) return;
    now.unsettled.insert(owner);
    for (const auto& [component, location] : arrived_)
      if (component == owner) arrive(component, location, now);
  }

  // A process that takes part in the step is looked at when the step is over, one that is created at once.
  void moved(const ir::Variable& variable, std::optional<std::uint32_t> location, Bounds& now) {
    const auto found = std::ranges::find(program_.components, &variable, &ir::Component::location);
    if (found == program_.components.end() || moving_ == nullptr) return;
    const auto component = static_cast<std::uint32_t>(found - program_.components.begin());
    now.unsettled.erase(component);
    if (!location) return arrive_anywhere(component, now);
    const bool takes_part =
        std::ranges::find(moving_->edge->participants, component) != moving_->edge->participants.end();
    (takes_part ? postponed_ : arrived_).emplace_back(component, *location);
    if (!takes_part) arrive(component, *location, now);
  }

  void arrive_anywhere(std::uint32_t component, const Bounds& now) {
    for (std::uint32_t k = 0; k < arrivals_[component].size(); ++k) {
      arrived_.emplace_back(component, k);
      arrive(component, k, now);
    }
  }

  void arrive(std::uint32_t component, std::uint32_t location, const Bounds& now) {
    Arrival& at = arrivals_[component][location];
    const std::vector<std::uint32_t>& owned = owned_[component];
    const bool first = at.changed == 0;
    bool changes = first;
    if (first) at.changes.assign(owned.size(), 0);
    for (std::size_t k = 0; k < owned.size(); ++k) {
      const Interval value = now.cells[owned[k]];
      if (first)
        at.values.push_back(value);
      else
        changes |= widened(at.values[k], value, at.changes[k], cells_.type(owned[k]));
    }
    if (changes) at.changed = clock_;
  }

  // Adds values to those that are known; whether there was something new.
  bool widened(Interval& known, Interval value, std::uint32_t& changes, const ir::Type& type) const {
    if (value.empty() || value.is_within(known)) return false;
    const Interval all = values_of(type);
    const Interval sum = known.joined(value);
    const bool leaps = ++changes > patience;
    if (leaps && sum.lo < known.lo) {
      const auto above = thresholds_.upper_bound(sum.lo);
      known.lo = above == thresholds_.begin() ? all.lo : std::max(all.lo, *std::prev(above));
    }
    if (leaps && sum.hi > known.hi) {
      const auto next = thresholds_.lower_bound(sum.hi);
      known.hi = next == thresholds_.end() ? all.hi : std::min(all.hi, *next);
    }
    known = known.joined(sum);
    return true;
  }

  const ir::Program& program_;
  const ValueCells cells_;
  std::vector<EdgeFacts> edges_;
  std::map<const ir::Variable*, std::set<std::uint32_t>> movers_;  // components that move whenever it is written
  std::set<std::int64_t> thresholds_;
  // Of each cell: bounds in all states, how often and when they changed, who owns it.
  std::vector<Interval> global_;
  std::vector<std::uint32_t> changes_;
  std::vector<Time> changed_;
  std::vector<std::uint32_t> owner_;
  std::vector<std::vector<std::uint32_t>> owned_;  // cells, by components
  std::vector<std::vector<Arrival>> arrivals_;     // by components and locations
  Time clock_ = 1;
  // While an edge is executed: it, and the components that it has moved so far.
  const EdgeFacts* moving_ = nullptr;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> arrived_, postponed_;
  BoundsWalk walk_;
};

bool has_machine_integers(const ir::Program& program) {
  return std::ranges::any_of(program.types, [](const ir::Type& type) { return type.is_machine(); });
}

}  // namespace

std::optional<std::map<const ir::Type*, Interval>> value_bounds(const ir::Program& program) {
  if (!has_machine_integers(program)) return std::nullopt;
  return ValueBounds(program).run();
}

}  // namespace fathom
