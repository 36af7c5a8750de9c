#include "property/mu/equations.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "property/ltl/formula.hpp"
#include "property/mu/runs.hpp"

namespace fathom::mu {

namespace {

using Kind = Formula::Kind;
using Op = Equations::Op;
using Node = Equations::Node;
using Nodes = std::vector<Node>;

constexpr std::size_t max_parts = 1'000'000;

Op dual(Op op, bool wanted) {
  if (!wanted) return op;
  switch (op) {
    case Op::conjunction:
      return Op::disjunction;
    case Op::disjunction:
      return Op::conjunction;
    case Op::diamond:
      return Op::box;
    case Op::box:
      return Op::diamond;
    default:
      return op;
  }
}

class Builder {
 public:
  Equations run(const Formula& formula) {
    add({.op = Op::falsity, .is_static = true});
    add({.op = Op::truth, .is_static = true});
    result_.root = build(formula, false);
    rank_fixpoints();
    return std::move(result_);
  }

 private:
  // A fixpoint, with the one it stands in.
  struct Fixpoint {
    Node node;
    bool least;
    std::optional<std::size_t> around;
  };

  struct Variable {
    std::string name;
    Node node;
  };

  Node add(Equations::Part part) {
    if (result_.parts.size() == max_parts) throw ltl::LimitError("its system of equations is too large");
    result_.parts.push_back(std::move(part));
    return static_cast<Node>(result_.parts.size() - 1);
  }

  Node constant(bool value) { return value ? Equations::truth : Equations::falsity; }

  Node literal(std::uint32_t atom, bool negated) {
    return add({.op = Op::literal, .negated = negated, .is_static = true, .label = atom});
  }

  Node join(Op op, Nodes parts) {
    const Node unit = constant(op == Op::conjunction);
    const Node zero = constant(op == Op::disjunction);
    if (std::ranges::count(parts, zero) > 0) return zero;
    std::erase(parts, unit);
    if (parts.empty()) return unit;
    if (parts.size() == 1) return parts.front();
    const bool is_static = std::ranges::all_of(parts, [&](Node part) { return result_.parts[part].is_static; });
    return add({.op = op, .is_static = is_static, .parts = std::move(parts)});
  }

  Node modal(Op op, const ActionPtr& set, Node then) {
    const auto known = std::ranges::find(result_.actions, set);
    const auto label = static_cast<std::uint32_t>(known - result_.actions.begin());
    if (known == result_.actions.end()) result_.actions.push_back(set);
    return add({.op = op, .label = label, .parts = {then}});
  }

  Node any_step(Op op, Node then) { return modal(op, any_, then); }

  // A fixpoint whose body is still to come; close_fixpoint() gives it one.
  Node open_fixpoint(bool least) {
    const Node node = add_ranked();
    fixpoints_.push_back({node, least, around_.empty() ? std::nullopt : std::optional(around_.back())});
    around_.push_back(fixpoints_.size() - 1);
    return node;
  }
  Node close_fixpoint(Node node, Node body) {
    set_body(node, body);
    around_.pop_back();
    return node;
  }

  // The node becomes its body, where that has no priority of its own: one vertex less for each state.
  void set_body(Node node, Node body) {
    Equations::Part& part = result_.parts[node];
    const Equations::Part& inner = result_.parts[body];
    const bool is_own = inner.is_static || inner.parts.empty() || (body < ranked_.size() && ranked_[body]);
    part.op = is_own ? Op::disjunction : inner.op;
    part.label = is_own ? 0 : inner.label;
    part.parts = is_own ? Nodes{body} : Nodes(inner.parts);
  }

  // A node with a priority.
  Node add_ranked(std::uint32_t priority = 0) {
    const Node node = add({.op = Op::disjunction, .priority = priority});
    ranked_.resize(node);
    ranked_.push_back(true);
    return node;
  }

  Node build(const Formula& formula, bool negated) {
    switch (formula.kind) {
      case Kind::truth:
        return constant(!negated);
      case Kind::falsity:
        return constant(negated);
      case Kind::atom:
        return literal(formula.atoms.front(), negated);
      case Kind::variable:
        return std::find_if(variables_.rbegin(), variables_.rend(),
                            [&](const Variable& known) { return known.name == formula.name; })
            ->node;
      case Kind::negation:
        return build(*formula.a, !negated);
      case Kind::conjunction:
        return pair(Op::conjunction, formula, false, false, negated);
      case Kind::disjunction:
        return pair(Op::disjunction, formula, false, false, negated);
      case Kind::implication:
        return pair(Op::disjunction, formula, true, false, negated);
      case Kind::equivalence:
        return join(dual(Op::conjunction, negated), {pair(Op::disjunction, formula, true, false, negated),
                                                     pair(Op::disjunction, formula, false, true, negated)});
      case Kind::diamond:
      case Kind::box:
        return after(*formula.steps, formula.kind == Kind::box ? negated : !negated, build(*formula.a, negated));
      case Kind::least:
      case Kind::greatest:
        return fixpoint(formula, negated);
      case Kind::path:
        return path(formula, negated);
      case Kind::runs:
        return runs(formula, negated);
      case Kind::for_all:
      case Kind::exists:
        break;  // a resolved formula has none
    }
    return Equations::falsity;
  }

  Node pair(Op op, const Formula& formula, bool not_a, bool not_b, bool negated) {
    const Node a = build(*formula.a, not_a != negated);
    return join(dual(op, negated), {a, build(*formula.b, not_b != negated)});
  }

  Node fixpoint(const Formula& formula, bool negated) {
    const Node node = open_fixpoint((formula.kind == Kind::least) != negated);
    variables_.push_back({formula.name, node});
    const Node body = build(*formula.a, negated);
    variables_.pop_back();
    return close_fixpoint(node, body);
  }

  // After some, or after all, sequences of such steps.
  Node after(const Regular& steps, bool some, Node then) {
    switch (steps.kind) {
      case Regular::Kind::action:
        return modal(some ? Op::diamond : Op::box, steps.action, then);
      case Regular::Kind::sequence:
        return after(*steps.a, some, after(*steps.b, some, then));
      case Regular::Kind::choice: {
        const Node a = after(*steps.a, some, then);
        return join(some ? Op::disjunction : Op::conjunction, {a, after(*steps.b, some, then)});
      }
      case Regular::Kind::star:
        return repeated(*steps.a, some, then);
      case Regular::Kind::plus:
        return after(*steps.a, some, repeated(*steps.a, some, then));
    }
    return Equations::falsity;
  }

  Node repeated(const Regular& steps, bool some, Node then) {
    const Node node = open_fixpoint(some);
    const Node again = after(steps, some, node);
    return close_fixpoint(node, join(some ? Op::disjunction : Op::conjunction, {then, again}));
  }

  // The operators of CTL over runs that end only where no step is possible. "Always" is "not: eventually not".
  Node path(const Formula& formula, bool negated) {
    switch (formula.path) {
      case Formula::Path::next:
        return any_step(formula.every != negated ? Op::box : Op::diamond, build(*formula.a, negated));
      case Formula::Path::eventually:
        return until(formula.every, constant(!negated), build(*formula.a, negated), negated);
      case Formula::Path::always:
        return until(!formula.every, constant(negated), build(*formula.a, negated), !negated);
      case Formula::Path::until:
        break;
    }
    const Node a = build(*formula.a, negated);
    return until(formula.every, a, build(*formula.b, negated), negated);
  }

  // a until b, of which the operands come negated if the whole is to be.
  Node until(bool every, Node a, Node b, bool negated) {
    const Op both = dual(Op::conjunction, negated), either = dual(Op::disjunction, negated);
    const Node node = open_fixpoint(!negated);
    Node again = any_step(dual(every ? Op::box : Op::diamond, negated), node);
    // A run that ends does not come to b.
    if (every) again = join(both, {again, any_step(dual(Op::diamond, negated), constant(!negated))});
    return close_fixpoint(node, join(either, {b, join(both, {a, again})}));
  }

  // The states of the automaton become nodes of the graph; a run that ends stays in its last state for ever.
  Node runs(const Formula& formula, bool negated) {
    const ir::Automaton automaton = automaton_of_runs(formula);
    const bool dualised = formula.every != negated;
    Nodes places;
    for (const ir::Automaton::State& state : automaton.states) {
      const std::uint32_t priority = dualised ? (state.accepting ? 1 : 0) : (state.accepting ? 2 : 1);
      places.push_back(add_ranked(priority));
    }
    for (std::size_t k = 0; k < places.size(); ++k) {
      Nodes ways;
      for (const ir::Automaton::Edge& edge : automaton.states[k].edges)
        ways.push_back(way(formula, edge, places[edge.target], dualised));
      const Node body = join(dual(Op::disjunction, dualised), std::move(ways));
      set_body(places[k], body);
    }
    return places[automaton.initial];
  }

  Node way(const Formula& formula, const ir::Automaton::Edge& edge, Node target, bool dualised) {
    const Op both = dual(Op::conjunction, dualised), either = dual(Op::disjunction, dualised);
    Nodes needed;
    for (std::size_t k = 0; k < formula.atoms.size(); ++k) {
      if ((edge.condition.positive >> k & 1) != 0) needed.push_back(literal(formula.atoms[k], dualised));
      if ((edge.condition.negative >> k & 1) != 0) needed.push_back(literal(formula.atoms[k], !dualised));
    }
    const Node stuck = any_step(dual(Op::box, dualised), constant(dualised));
    const Node goes_on = any_step(dual(Op::diamond, dualised), target);
    needed.push_back(join(either, {goes_on, join(both, {stuck, target})}));
    return join(both, std::move(needed));
  }

  // A fixpoint outranks those inside it that it shares a circle with, and nothing else (Emerson, Lei, LICS 1986): the
  // fewer priorities, the easier the game.
  void rank_fixpoints() {
    const std::vector<std::uint32_t> component = components();
    for (std::size_t k = fixpoints_.size(); k-- > 0;) {
      const Fixpoint& fixpoint = fixpoints_[k];
      std::uint32_t& priority = result_.parts[fixpoint.node].priority;
      if ((priority % 2 == 1) != fixpoint.least) ++priority;
      if (!fixpoint.around) continue;
      const Node around = fixpoints_[*fixpoint.around].node;
      if (component[around] != component[fixpoint.node]) continue;
      result_.parts[around].priority = std::max(result_.parts[around].priority, priority);
    }
  }

  // The strongly connected component of each node, by Tarjan's algorithm without recursion.
  [[nodiscard]] std::vector<std::uint32_t> components() const;

  Equations result_;
  std::vector<Fixpoint> fixpoints_;  // outer ones first
  std::vector<std::size_t> around_;  // those that are open
  std::vector<bool> ranked_;         // nodes with a priority; those beyond its end have none
  std::vector<Variable> variables_;
  const ActionPtr any_ = std::make_shared<const Action>();
};

std::vector<std::uint32_t> Builder::components() const {
  const std::size_t size = result_.parts.size();
  std::vector<std::uint32_t> number(size, 0), low(size, 0), component(size, 0);
  std::vector<std::pair<Node, std::size_t>> path;
  Nodes open;
  std::uint32_t next = 0;
  const auto enter = [&](Node node) {
    number[node] = low[node] = ++next;
    open.push_back(node);
    path.emplace_back(node, 0);
  };
  for (Node start = 0; start < size; ++start) {
    if (number[start] != 0) continue;
    enter(start);
    while (!path.empty()) {
      auto& [node, position] = path.back();
      const Nodes& parts = result_.parts[node].parts;
      if (position < parts.size()) {
        const Node part = parts[position++];
        if (number[part] == 0) {
          enter(part);
        } else if (component[part] == 0) {
          low[node] = std::min(low[node], number[part]);
        }
        continue;
      }
      const Node done = node;
      path.pop_back();
      if (!path.empty()) low[path.back().first] = std::min(low[path.back().first], low[done]);
      if (low[done] != number[done]) continue;
      for (Node member = size; member != done;) {
        member = open.back();
        open.pop_back();
        component[member] = number[done];
      }
    }
  }
  return component;
}

}  // namespace

bool Equations::holds(Node node, std::uint64_t atoms) const {
  const Part& part = parts[node];
  const auto inner = [&](Node other) { return holds(other, atoms); };
  switch (part.op) {
    case Op::truth:
      return true;
    case Op::literal:
      return ((atoms >> part.label & 1) != 0) != part.negated;
    case Op::conjunction:
      return std::ranges::all_of(part.parts, inner);
    case Op::disjunction:
      return std::ranges::any_of(part.parts, inner);
    default:
      return false;
  }
}

Equations equations_of(const Formula& formula) {
  return Builder().run(formula);
}

}  // namespace fathom::mu
