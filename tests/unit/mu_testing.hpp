// Random formulas of the μ-calculus and random structures to decide them on.
#pragma once

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "property/mu/evaluate.hpp"
#include "property/mu/resolve.hpp"
#include "property/mu/solve.hpp"

namespace fathom::mu {

// How many random formulas a test takes; FATHOM_MU_FORMULAS=20000 is the long run.
inline int mu_formulas_wanted() {
  const char* const wanted = std::getenv("FATHOM_MU_FORMULAS");
  return wanted != nullptr ? std::atoi(wanted) : 2000;
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(engine_() % bound); }
  bool chance(std::uint32_t percent) { return below(100) < percent; }

 private:
  std::mt19937 engine_;
};

// A structure with a word of atoms p0, p1, p2 for each state.
struct ToyStructure {
  FiniteStructure graph;
  std::vector<std::uint64_t> atoms;
};

inline void add_labels(FiniteStructure& graph) {
  graph.add_label({InstanceId{0}, "a", {}});
  graph.add_label({InstanceId{1}, "b", {"1"}});
  graph.add_label({InstanceId{2}, "b", {"2"}});
  graph.add_label({InstanceId{3}, "c", {}});
}

inline ToyStructure random_structure(Random& random) {
  ToyStructure toy;
  add_labels(toy.graph);
  const std::uint32_t states = 1 + random.below(8);
  for (std::uint32_t state = 0; state < states; ++state) {
    toy.graph.add_state();
    toy.atoms.push_back(random.below(8));
    for (std::uint32_t k = random.below(4); k-- > 0;) toy.graph.add_edge(random.below(states), random.below(4));
  }
  return toy;
}

// The same states with some of the edges, and all those of some states.
inline ToyStructure part_of(ToyStructure& whole, Random& random) {
  ToyStructure part;
  add_labels(part.graph);
  part.atoms = whole.atoms;
  part.graph.set_complete(false);
  std::vector<bool> closed;
  for (Structure::State state = 0; state < whole.graph.states(); ++state) {
    part.graph.add_state();
    closed.push_back(random.chance(30));
    for (const Structure::Edge& edge : whole.graph.edges(state))
      if (closed[state] || random.chance(70)) part.graph.add_edge(edge.target, edge.label);
  }
  part.graph.set_closed(std::move(closed));
  return part;
}

// One start state in place of all others.
inline FiniteStructure starting_in(FiniteStructure graph, Structure::State state) {
  graph.add_initial(state);
  return graph;
}

class RandomFormulas {
 public:
  explicit RandomFormulas(Random& random) : random_(random) {}

  FormulaPtr make(int depth) { return make(depth, false); }

 private:
  using Kind = Formula::Kind;
  struct Variable {
    std::string name;
    bool negated;
  };

  static FormulaPtr node(Formula formula) { return std::make_shared<const Formula>(std::move(formula)); }

  FormulaPtr make(int depth, bool negated) {
    if (depth <= 0 || random_.chance(10)) return leaf(negated);
    Formula formula;
    switch (random_.below(12)) {
      case 0:
        formula.kind = Kind::negation;
        formula.a = make(depth - 1, !negated);
        return node(formula);
      case 1:
        return joined(Kind::conjunction, depth, negated, negated);
      case 2:
        return joined(Kind::disjunction, depth, negated, negated);
      case 3:
        return joined(Kind::implication, depth, !negated, negated);
      case 4:
      case 5:
      case 6:
        formula.kind = random_.chance(50) ? Kind::diamond : Kind::box;
        formula.steps = steps(2);
        formula.a = make(depth - 1, negated);
        return node(formula);
      case 7:
      case 8:
      case 9:
        return fixpoint(depth, negated);
      case 10:
        return path(depth, negated);
      default:
        return random_.chance(50) ? runs() : equivalence(depth);
    }
  }

  FormulaPtr leaf(bool negated) {
    Formula formula;
    std::vector<std::string> usable;
    for (std::size_t k = 0; k < variables_.size(); ++k) {
      const bool hidden = std::any_of(variables_.begin() + static_cast<std::ptrdiff_t>(k) + 1, variables_.end(),
                                      [&](const Variable& other) { return other.name == variables_[k].name; });
      if (variables_[k].negated == negated && !hidden) usable.push_back(variables_[k].name);
    }
    if (!usable.empty() && random_.chance(70)) {
      formula.kind = Kind::variable;
      formula.name = usable[random_.below(static_cast<std::uint32_t>(usable.size()))];
      return node(formula);
    }
    if (random_.chance(10)) {
      formula.kind = random_.chance(50) ? Kind::truth : Kind::falsity;
      return node(formula);
    }
    formula.kind = Kind::atom;
    formula.conditions.push_back({"p" + std::to_string(random_.below(3)), {}});
    return node(formula);
  }

  FormulaPtr joined(Kind kind, int depth, bool left, bool right) {
    Formula formula;
    formula.kind = kind;
    formula.a = make(depth - 1, left);
    formula.b = make(depth - 1, right);
    return node(formula);
  }

  FormulaPtr fixpoint(int depth, bool negated) {
    Formula formula;
    formula.kind = random_.chance(50) ? Kind::least : Kind::greatest;
    formula.name = std::string(1, "XYZ"[random_.below(3)]);
    variables_.push_back({formula.name, negated});
    formula.a = make(depth - 1, negated);
    variables_.pop_back();
    return node(formula);
  }

  FormulaPtr path(int depth, bool negated) {
    Formula formula;
    formula.kind = Kind::path;
    formula.path = static_cast<Formula::Path>(random_.below(4));
    formula.every = random_.chance(50);
    formula.a = make(depth - 1, negated);
    if (formula.path == Formula::Path::until) formula.b = make(depth - 1, negated);
    return node(formula);
  }

  // Closed inside, because a variable would count both ways.
  FormulaPtr equivalence(int depth) {
    const std::vector<Variable> around = std::exchange(variables_, {});
    FormulaPtr result = joined(Kind::equivalence, depth - 1, false, false);
    variables_ = around;
    return result;
  }

  FormulaPtr runs() {
    Formula formula;
    formula.kind = Kind::runs;
    formula.every = random_.chance(50);
    formula.conditions = {{"p0", {}}, {"p1", {}}};
    formula.ltl = ltl(3);
    return node(formula);
  }

  ir::LtlPtr ltl(int depth) {
    auto result = std::make_unique<ir::Ltl>();
    using Op = ir::Ltl::Kind;
    static constexpr Op operators[] = {Op::negation,    Op::next,  Op::always,     Op::eventually, Op::conjunction,
                                       Op::disjunction, Op::until, Op::weak_until, Op::release};
    const std::uint32_t pick = random_.below(9);
    result->kind = depth == 0 ? Op::atom : operators[pick];
    result->atom = depth == 0 ? random_.below(2) : 0;
    if (depth > 0) result->a = ltl(depth - 1);
    if (depth > 0 && pick >= 4) result->b = ltl(depth - 1);
    return result;
  }

  RegularPtr steps(int depth) {
    Regular result;
    const std::uint32_t pick = depth == 0 ? 0 : random_.below(8);
    if (pick < 4) {
      result.action = action(2);
      return std::make_shared<const Regular>(std::move(result));
    }
    result.kind = static_cast<Regular::Kind>(pick - 3);
    result.a = steps(depth - 1);
    if (pick < 6) result.b = steps(depth - 1);
    // Two sets side by side are one set.
    const bool sets = result.kind == Regular::Kind::choice && result.a->kind == Regular::Kind::action &&
                      result.b->kind == Regular::Kind::action;
    return sets ? steps(0) : std::make_shared<const Regular>(std::move(result));
  }

  ActionPtr action(int depth) {
    static const std::vector<std::pair<std::string, std::vector<std::string>>> named{
        {"a", {}}, {"b", {}}, {"b", {"1"}}, {"b", {"_"}}, {"c", {}}};
    Action result;
    const std::uint32_t pick = depth == 0 ? random_.below(3) : random_.below(7);
    if (pick >= 4) {
      result.kind = static_cast<Action::Kind>(pick - 1);
      result.a = action(depth - 1);
      if (pick > 4) result.b = action(depth - 1);
    } else if (pick > 0) {
      const auto& [name, arguments] = named[random_.below(5)];
      result.kind = Action::Kind::named;
      result.name = name;
      result.has_arguments = !arguments.empty();
      result.arguments = arguments;
    }
    return std::make_shared<const Action>(std::move(result));
  }

  Random& random_;
  std::vector<Variable> variables_;
};

// The atoms of a state as a resolved formula numbers them.
inline AtomsOf atoms_for(const Resolved& resolved, const std::vector<std::uint64_t>& atoms) {
  return [&](Structure::State state) {
    std::uint64_t result = 0;
    for (std::size_t k = 0; k < resolved.conditions.size(); ++k)
      result |= (atoms[state] >> (resolved.conditions[k].text[1] - '0') & 1) << k;
    return result;
  };
}

inline Resolved resolved(const Formula& formula) {
  return resolve(formula, [](const std::string&) { return std::vector<std::pair<std::int64_t, std::string>>(); });
}

}  // namespace fathom::mu
