// Formulas and their automata on random words u·v^ω: the automaton of a formula accepts a word exactly if the formula
// holds on it, and that of the negation exactly if not. What is compared is found by definition (ltl_testing.hpp).
//
// An error in the levels of degeneralisation shows here: an automaton that forgets to wait for a mark accepts a word on
// which one of two untils is put off for ever (GF a and GF b on a word without b), and one that waits for too much
// rejects words on which the marks come in another order. RandomFormulasAgree failed on each of these mutants of
// degeneralise.cpp: levels that do not begin anew after an accepting state, a state accepting one level too early, and
// a state that climbs when only one of its edges has the mark.
#include "property/ltl/translate.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "ltl_testing.hpp"
#include "property/ltl/parse.hpp"

namespace fathom::ltl {
namespace {

// Atoms are the letters p to w.
ir::LtlPtr formula(std::string_view text) {
  return parse(text, [](std::string_view name, std::size_t) { return static_cast<std::uint32_t>(name[0] - 'p'); });
}

ir::Automaton automaton(std::string_view text) {
  return translate(*formula(text), 8);
}

void expect_same(const ir::Ltl& wanted, std::mt19937& random, std::uint32_t atoms, int words) {
  const ir::Automaton accepting = translate(wanted, atoms);
  const ir::Automaton rejecting = translate(*negated(wanted), atoms);
  for (int k = 0; k < words; ++k) {
    const Lasso lasso = random_lasso(random, atoms);
    ASSERT_EQ(holds(wanted, lasso), accepts(accepting, lasso));
    ASSERT_EQ(!holds(wanted, lasso), accepts(rejecting, lasso));
  }
}

TEST(LtlTranslate, RandomFormulasAgree) {
  for (int seed = 1; seed <= formulas_wanted(); ++seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    const std::uint32_t atoms = 1 + random() % 4;
    const ir::LtlPtr wanted = random_formula(random, 2 + static_cast<int>(random() % 12), atoms);
    expect_same(*wanted, random, atoms, 60);
    if (HasFatalFailure()) FAIL() << "seed " << seed;
  }
}

struct Sized {
  const char* text;
  std::size_t states;
};

TEST(LtlTranslate, UsualFormulasHaveSmallAutomata) {
  constexpr Sized cases[] = {
      {"true", 1},
      {"false", 1},
      {"p", 2},
      {"[] p", 1},
      {"<> p", 2},
      {"[]<> p", 2},
      {"<>[] p", 2},
      {"p U q", 2},
      {"p W q", 2},
      {"p V q", 2},
      {"![]<> p", 2},
      {"!<>[] p", 2},
      {"!(p U q)", 2},
      {"[](p -> <> q)", 2},
      {"!([](p -> <> q))", 2},
      {"(p U q) U r", 4},
      {"!((p U q) U r)", 3},
      {"[]<> p -> []<> q", 5},
      {"!([]<> p -> []<> q)", 3},
      {"[]<> p && []<> q", 3},
      {"[](p -> X q)", 2},
      {"[](p -> (q U r))", 2},
      {"!([](p -> (q U r)))", 3},
  };
  for (const Sized& each : cases) {
    std::mt19937 random(1);
    EXPECT_LE(automaton(each.text).states.size(), each.states) << each.text;
    expect_same(*formula(each.text), random, 3, 300);
  }
}

TEST(LtlTranslate, EdgesOfAStateToATargetDoNotCoverEachOther) {
  for (int seed = 1; seed <= 200; ++seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    const ir::Automaton result = translate(*random_formula(random, 10, 3), 3);
    for (const auto& state : result.states)
      for (const auto& a : state.edges)
        for (const auto& b : state.edges) {
          const bool covers = (a.condition.positive & ~b.condition.positive) == 0 &&
                              (a.condition.negative & ~b.condition.negative) == 0;
          EXPECT_FALSE(&a != &b && a.target == b.target && covers) << "seed " << seed;
        }
  }
}

TEST(LtlTranslate, TellsHowStrongAnAutomatonIs) {
  EXPECT_EQ(strength_of(automaton("<> p")), Strength::terminal);
  EXPECT_EQ(strength_of(automaton("p U q")), Strength::terminal);
  EXPECT_EQ(strength_of(automaton("[] p")), Strength::weak);
  EXPECT_EQ(strength_of(automaton("<>[] p")), Strength::weak);
  EXPECT_EQ(strength_of(automaton("[]<> p")), Strength::general);
  EXPECT_EQ(strength_of(automaton("<>[] p || []<> q")), Strength::general);
  EXPECT_EQ(strength_of(automaton("false")), Strength::terminal);
}

// Whether "p" is always answered by "q" needs no closer look at circles, and whether both come again and again does.
TEST(LtlTranslate, TellsWhichStatesLieOnCirclesThatMayAndMayNotBeAccepted) {
  const auto is_mixed = [](const Part& part) { return part.may_accept && !part.all_accept; };
  const auto count = [&](const std::string& formula) {
    return std::ranges::count_if(parts_of(automaton(formula)), is_mixed);
  };
  EXPECT_EQ(count("!([] (p -> <> q))"), 0);
  EXPECT_EQ(count("<>[] p"), 0);
  EXPECT_EQ(count("p U q"), 0);
  EXPECT_GT(count("[]<> p"), 0);
  const ir::Automaton either = automaton("<>[] p || []<> q");
  const std::vector<Part> parts = parts_of(either);
  EXPECT_TRUE(std::ranges::any_of(parts, is_mixed) && !std::ranges::all_of(parts, is_mixed));
}

TEST(LtlTranslate, NamesStatesAsSpinDoes) {
  const ir::Automaton result = automaton("p U q");
  ASSERT_EQ(result.states.size(), 2U);
  EXPECT_EQ(result.states[result.initial].name, "T0_init");
  EXPECT_EQ(result.states[1 - result.initial].name, "accept_all");
}

TEST(LtlTranslate, GivesUpOnFormulasThatExplode) {
  ir::LtlPtr many = make(Kind::truth);
  for (std::uint32_t atom = 0; atom < 60; ++atom)
    many = make(Kind::conjunction, std::move(many), make(Kind::eventually, make_atom(atom)));
  EXPECT_THROW(translate(*many, 64), LimitError);
  ir::LtlPtr deep = make_atom(0);
  for (int k = 0; k < 5000; ++k) deep = make(Kind::next, std::move(deep));
  EXPECT_THROW(translate(*deep, 1), LimitError);
}

}  // namespace
}  // namespace fathom::ltl
