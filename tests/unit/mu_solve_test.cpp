// Deciding formulas: the game against the definition by sets, laws, parts of structures, and what is shown.
#include "property/mu/solve.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "mu_testing.hpp"
#include "property/mu/print.hpp"
#include "property/mu/witness.hpp"

namespace fathom::mu {
namespace {

using Kind = Formula::Kind;
using Set = Evaluator::Set;

// A formula made ready once, to be asked of many states.
class Asked {
 public:
  explicit Asked(const Formula& formula) : ready_(resolved(formula)), equations_(equations_of(*ready_.formula)) {}

  Answer in(const ToyStructure& toy, Structure::State state, bool local = true) const {
    FiniteStructure graph = starting_in(toy.graph, state);
    return Solver(graph, equations_, atoms_for(ready_, toy.atoms), {.local = local}).solve();
  }

 private:
  Resolved ready_;
  Equations equations_;
};

Answer answer_in(const ToyStructure& toy, Structure::State state, const Formula& formula) {
  return Asked(formula).in(toy, state);
}

Set states_of(ToyStructure& toy, const Formula& formula, Evaluator::Bound bound = Evaluator::Bound::certain) {
  const Resolved ready = resolved(formula);
  Set closed;
  for (Structure::State state = 0; state < toy.atoms.size(); ++state) closed.push_back(toy.graph.closed(state));
  Evaluator evaluator(toy.graph, atoms_for(ready, toy.atoms), std::move(closed));
  return evaluator.states_of(*ready.formula, bound);
}

FormulaPtr negation(FormulaPtr inner) {
  Formula formula;
  formula.kind = Kind::negation;
  formula.a = std::move(inner);
  return std::make_shared<const Formula>(std::move(formula));
}

TEST(MuSolve, RandomFormulasAsTheirDefinitionSays) {
  Random random(2);
  for (int k = 0; k < mu_formulas_wanted(); ++k) {
    ToyStructure toy = random_structure(random);
    const FormulaPtr formula = RandomFormulas(random).make(5);
    const Set wanted = states_of(toy, *formula);
    const Asked asked(*formula);
    for (Structure::State state = 0; state < toy.atoms.size(); ++state) {
      const Answer answer = asked.in(toy, state);
      ASSERT_EQ(answer, wanted[state] ? Answer::holds : Answer::violated) << to_text(*formula) << " in " << state;
      ASSERT_EQ(asked.in(toy, state, false), answer) << to_text(*formula) << " in " << state;
    }
  }
}

TEST(MuSolve, AFormulaHoldsWhereItsNegationDoesNot) {
  Random random(3);
  for (int k = 0; k < mu_formulas_wanted(); ++k) {
    const ToyStructure toy = random_structure(random);
    const FormulaPtr formula = RandomFormulas(random).make(5);
    const Answer answer = answer_in(toy, 0, *formula), other = answer_in(toy, 0, *negation(formula));
    ASSERT_NE(answer, Answer::unknown);
    ASSERT_EQ(other, answer == Answer::holds ? Answer::violated : Answer::holds) << to_text(*formula);
  }
}

// The formula with something in place of a free variable. Bound names are new in what is put in, so nothing is caught.
FormulaPtr replaced(const FormulaPtr& formula, const std::string& name, const FormulaPtr& by) {
  if (formula == nullptr) return nullptr;
  if (formula->kind == Kind::variable) return formula->name == name ? by : formula;
  const bool binds = formula->kind == Kind::least || formula->kind == Kind::greatest;
  if (binds && formula->name == name) return formula;
  Formula result = *formula;
  result.a = replaced(formula->a, name, by);
  result.b = replaced(formula->b, name, by);
  return std::make_shared<const Formula>(std::move(result));
}

TEST(MuSolve, AFixpointIsItsUnfolding) {
  Random random(4);
  int fixpoints = 0;
  for (int k = 0; k < mu_formulas_wanted(); ++k) {
    const ToyStructure toy = random_structure(random);
    const FormulaPtr formula = RandomFormulas(random).make(5);
    if (formula->kind != Kind::least && formula->kind != Kind::greatest) continue;
    ++fixpoints;
    const FormulaPtr unfolded = replaced(formula->a, formula->name, formula);
    ASSERT_EQ(answer_in(toy, 0, *unfolded), answer_in(toy, 0, *formula)) << to_text(*formula);
  }
  EXPECT_GT(fixpoints, mu_formulas_wanted() / 10);
}

TEST(MuSolve, AnAnswerFromAPartIsThatOfTheWhole) {
  Random random(5);
  int decided = 0, open = 0;
  for (int k = 0; k < mu_formulas_wanted(); ++k) {
    ToyStructure whole = random_structure(random);
    ToyStructure part = part_of(whole, random);
    const FormulaPtr formula = RandomFormulas(random).make(4);
    const Set certain = states_of(part, *formula), possible = states_of(part, *formula, Evaluator::Bound::possible);
    const Asked asked(*formula);
    for (Structure::State state = 0; state < whole.atoms.size(); ++state) {
      const Answer answer = asked.in(part, state);
      const Answer wanted = certain[state] ? Answer::holds : possible[state] ? Answer::unknown : Answer::violated;
      ASSERT_EQ(answer, wanted) << to_text(*formula) << " in " << state;
      if (answer == Answer::unknown) {
        ++open;
        continue;
      }
      ++decided;
      ASSERT_EQ(answer, asked.in(whole, state)) << to_text(*formula) << " in " << state;
    }
  }
  EXPECT_GT(decided, open / 4);
  EXPECT_GT(open, 0);
}

TEST(MuSolve, AnExistentialFormulaIsTrueOfTheWholeWhereItIsTrueOfAPart) {
  Random random(6);
  int existential = 0;
  for (int k = 0; k < 5 * mu_formulas_wanted(); ++k) {
    ToyStructure whole = random_structure(random);
    ToyStructure part = part_of(whole, random);
    const FormulaPtr formula = RandomFormulas(random).make(4);
    const std::string text = to_text(*formula);
    // A run that ends is a matter of what a state cannot do.
    const bool about_ends = text.find("E(") != std::string::npos || text.find("A(") != std::string::npos ||
                            text.find("EG") != std::string::npos || text.find("AF") != std::string::npos ||
                            text.find("A[") != std::string::npos;
    if (!is_existential(*formula) || about_ends) continue;
    ++existential;
    part.graph.set_complete(true);
    const Set holds = states_of(part, *formula);
    part.graph.set_complete(false);
    part.graph.set_closed({});
    const Asked asked(*formula);
    for (Structure::State state = 0; state < whole.atoms.size(); ++state)
      ASSERT_EQ(asked.in(part, state) == Answer::holds, holds[state]) << text;
  }
  EXPECT_GT(existential, mu_formulas_wanted() / 4);
}

// Everything that leaves the states of a proof leads to states of which only the atoms are known.
class ProofCheck {
 public:
  ProofCheck(ToyStructure& whole, const std::vector<Structure::State>& shown) {
    for (std::uint32_t label = 0; label < whole.graph.labels(); ++label) graph_.add_label(whole.graph.label(label));
    std::vector<bool> inside(whole.atoms.size());
    for (const Structure::State state : shown) inside[state] = true;
    for (Structure::State state = 0; state < whole.atoms.size(); ++state) {
      graph_.add_state();
      closed_.push_back(inside[state]);
      if (inside[state])
        for (const Structure::Edge& edge : whole.graph.edges(state)) graph_.add_edge(edge.target, edge.label);
    }
  }

  bool shows(const Resolved& ready, const std::vector<std::uint64_t>& atoms, Structure::State start, bool holds) {
    Evaluator evaluator(graph_, atoms_for(ready, atoms), closed_);
    const auto bound = holds ? Evaluator::Bound::certain : Evaluator::Bound::possible;
    return evaluator.states_of(*ready.formula, bound)[start] == holds;
  }

 private:
  FiniteStructure graph_;
  Set closed_;
};

TEST(MuWitness, WhatIsShownDecidesTheFormula) {
  Random random(7);
  int linear = 0, branching = 0;
  for (int k = 0; k < mu_formulas_wanted(); ++k) {
    ToyStructure toy = random_structure(random);
    const FormulaPtr formula = RandomFormulas(random).make(5);
    const Resolved ready = resolved(*formula);
    const Equations equations = equations_of(*ready.formula);
    FiniteStructure graph = starting_in(toy.graph, 0);
    Solver solver(graph, equations, atoms_for(ready, toy.atoms));
    const bool holds = solver.solve() == Answer::holds;
    const std::optional<LinearWitness> run = linear_witness(solver);
    ++(run ? linear : branching);
    if (!run) continue;
    ASSERT_EQ(run->states.size(), run->labels.size() + 1);
    for (std::size_t step = 0; step < run->labels.size(); ++step) {
      const auto edges = graph.edges(run->states[step]);
      const Structure::Edge wanted{run->states[step + 1], run->labels[step]};
      ASSERT_EQ(std::ranges::count(edges, wanted) > 0, true) << to_text(*formula);
    }
    if (run->loop) {
      ASSERT_EQ(run->states[*run->loop], run->states.back());
    }
    ASSERT_TRUE(ProofCheck(toy, run->states).shows(ready, toy.atoms, 0, holds)) << to_text(*formula);
  }
  EXPECT_GT(linear, 0);
  EXPECT_GT(branching, 0);
}

TEST(MuWitness, AProofIsAPartOfTheStructureThatDecidesTheFormula) {
  Random random(8);
  for (int k = 0; k < mu_formulas_wanted(); ++k) {
    ToyStructure toy = random_structure(random);
    FiniteStructure graph;
    add_labels(graph);
    // States carry their numbers, so that those of the proof are known again.
    std::vector<std::uint64_t> number(1);
    for (Structure::State state = 0; state < toy.atoms.size(); ++state) {
      number[0] = state;
      graph.add_state(number);
      for (const Structure::Edge& edge : toy.graph.edges(state)) graph.add_edge(edge.target, edge.label);
    }
    graph.add_initial(0);
    const FormulaPtr formula = RandomFormulas(random).make(5);
    const Resolved ready = resolved(*formula);
    const Equations equations = equations_of(*ready.formula);
    Solver solver(graph, equations, atoms_for(ready, toy.atoms));
    const bool holds = solver.solve() == Answer::holds;
    FiniteStructure proof = proof_structure(solver);
    std::vector<Structure::State> shown;
    for (Structure::State state = 0; state < proof.states(); ++state)
      shown.push_back(static_cast<Structure::State>(proof.words(state)[0]));
    ASSERT_EQ(shown.front(), 0U);
    ASSERT_TRUE(ProofCheck(toy, shown).shows(ready, toy.atoms, 0, holds)) << to_text(*formula);
  }
}

// 0 -a-> 1 -b(1)-> 2 -a-> 1, and 0 -c-> 3 where nothing is possible; p0 holds in 2.
ToyStructure lasso_and_end() {
  ToyStructure toy;
  add_labels(toy.graph);
  toy.atoms = {0, 0, 1, 0};
  toy.graph.add_state();
  toy.graph.add_edge(1, 0);
  toy.graph.add_edge(3, 3);
  toy.graph.add_state();
  toy.graph.add_edge(2, 1);
  toy.graph.add_state();
  toy.graph.add_edge(1, 0);
  toy.graph.add_state();
  return toy;
}

struct Shown {
  Answer answer;
  std::optional<LinearWitness> run;
};
Shown shown_for(const ToyStructure& toy, const std::string& text) {
  const Resolved ready = resolved(*parse(text));
  const Equations equations = equations_of(*ready.formula);
  FiniteStructure graph = starting_in(toy.graph, 0);
  Solver solver(graph, equations, atoms_for(ready, toy.atoms));
  const Answer answer = solver.solve();
  return {answer, linear_witness(solver)};
}

TEST(MuWitness, ReachabilityIsShownByAPath) {
  const Shown found = shown_for(lasso_and_end(), "mu X. p0 || <true>X");
  EXPECT_EQ(found.answer, Answer::holds);
  ASSERT_TRUE(found.run);
  EXPECT_EQ(found.run->states, (std::vector<Structure::State>{0, 1, 2}));
  EXPECT_FALSE(found.run->loop);
}

TEST(MuWitness, SomethingForEverIsShownByALasso) {
  const Shown found = shown_for(lasso_and_end(), "nu X. <a . b>X || <b . a>X || <a>X");
  EXPECT_EQ(found.answer, Answer::holds);
  ASSERT_TRUE(found.run);
  ASSERT_TRUE(found.run->loop);
}

TEST(MuWitness, AnUnavoidableThingThatIsAvoidedIsShownByARun) {
  const Shown found = shown_for(lasso_and_end(), "AF p0");
  EXPECT_EQ(found.answer, Answer::violated);
  ASSERT_TRUE(found.run);
  EXPECT_EQ(found.run->states, (std::vector<Structure::State>{0, 3}));
  const Shown loop = shown_for(lasso_and_end(), "[a]A(<> [] p0)");
  EXPECT_EQ(loop.answer, Answer::violated);
  ASSERT_TRUE(loop.run);
  EXPECT_TRUE(loop.run->loop);
}

TEST(MuWitness, WhatCannotBeReachedTakesMoreThanARun) {
  const Shown found = shown_for(lasso_and_end(), "AG EF p0");
  EXPECT_EQ(found.answer, Answer::violated);
  EXPECT_TRUE(found.run);  // the end has no step at all, so that the run there says it all
  EXPECT_FALSE(shown_for(lasso_and_end(), "EF p1").run);
}

// A counter that goes up for ever as far as anyone looks; states are made when they are asked for.
class EndlessCounter final : public Structure {
 public:
  std::span<const State> initial() override { return start_; }
  std::span<const Edge> edges(State state) override {
    known_ = std::max<std::uint64_t>(known_, state + 2);
    edge_[0] = {state + 1, 0};
    return edge_;
  }
  [[nodiscard]] std::uint64_t states() const override { return known_; }
  [[nodiscard]] StateView words(State) const override { return {}; }
  [[nodiscard]] const StepLabel& label(std::uint32_t) const override { return up_; }
  [[nodiscard]] std::uint32_t labels() const override { return 1; }
  [[nodiscard]] bool complete() const override { return true; }

 private:
  std::vector<State> start_{0};
  std::vector<Edge> edge_ = std::vector<Edge>(1);
  StepLabel up_{InstanceId{0}, "up", {}};
  std::uint64_t known_ = 1;
};

TEST(MuSolve, OnlyAsMuchIsBuiltAsTheAnswerTakes) {
  EndlessCounter counter;
  const auto is_ten = [](Structure::State state) { return std::uint64_t{state == 10 ? 1U : 0U}; };
  const Resolved ready = resolved(*parse("EF p0 && !AG !{p0}"));
  const Equations equations = equations_of(*ready.formula);
  Solver solver(counter, equations, is_ten);
  EXPECT_EQ(solver.solve(), Answer::holds);
  EXPECT_LT(counter.states(), 100U);
}

TEST(MuSolve, AnEndToPatienceIsNoAnswer) {
  EndlessCounter counter;
  const Equations equations = equations_of(*resolved(*parse("AG <up>true")).formula);
  int ticks = 0;
  const auto no_atoms = [](Structure::State) { return std::uint64_t{0}; };
  Solver stopped(counter, equations, no_atoms, {.tick = [&](std::uint64_t) { return ++ticks < 5; }});
  EXPECT_EQ(stopped.solve(), Answer::unknown);
  EXPECT_EQ(stopped.ending(), Solver::Ending::stopped);
  Solver full(counter, equations, no_atoms, {.memory_limit = 1 << 20});
  EXPECT_EQ(full.solve(), Answer::unknown);
  EXPECT_EQ(full.ending(), Solver::Ending::memory);
}

TEST(MuSolve, EveryStartStateCounts) {
  ToyStructure toy = lasso_and_end();
  toy.graph.add_initial(1);
  toy.graph.add_initial(3);
  const Resolved ready = resolved(*parse("<true>true"));
  const Equations equations = equations_of(*ready.formula);
  const auto no_atoms = [](Structure::State) { return std::uint64_t{0}; };
  Solver solver(toy.graph, equations, no_atoms);
  EXPECT_EQ(solver.solve(), Answer::violated);
  EXPECT_EQ(solver.state_of(solver.root()), 3U);
}

TEST(MuEquations, IndependentFixpointsDoNotRaiseEachOther) {
  const auto highest = [](const std::string& text) {
    std::uint32_t result = 0;
    for (const Equations::Part& part : equations_of(*resolved(*parse(text)).formula).parts)
      result = std::max(result, part.priority);
    return result;
  };
  EXPECT_EQ(highest("AG EF p0"), 1U);
  EXPECT_EQ(highest("nu X. mu Y. (p0 && <true>X) || <true>Y"), 2U);
  EXPECT_EQ(highest("mu Z. nu X. mu Y. (p0 && <true>X) || <true>Y || Z"), 3U);
  EXPECT_EQ(highest("nu A1. nu B. nu C. <true>A1 && <true>B && <true>C"), 0U);
}

}  // namespace
}  // namespace fathom::mu
