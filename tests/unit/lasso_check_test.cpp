// The second opinion on lassos, on runs small enough to see what must come out.
#include "property/lasso_check.hpp"

#include <gtest/gtest.h>

#include <random>

#include "property/bad_runs.hpp"
#include "property/ltl/parse.hpp"

namespace fathom {

namespace {

constexpr std::uint64_t p = 1, q = 2;

ir::LtlPtr formula(std::string_view text) {
  return ltl::parse(text, [](std::string_view atom, std::size_t) { return atom == "p" ? 0U : 1U; });
}

bool is_true(std::string_view text, const AtomLasso& run) {
  return holds(*formula(text), run);
}

TEST(LassoCheck, EvaluatesFormulasOnALasso) {
  const AtomLasso run{{p, 0, q, p}, 2};  // p, nothing, then q and p for ever
  EXPECT_TRUE(is_true("p", run));
  EXPECT_TRUE(is_true("[] <> p", run));
  EXPECT_TRUE(is_true("X X (q && X p)", run));
  EXPECT_FALSE(is_true("p U q", run));
  EXPECT_TRUE(is_true("<> [] (p || q)", run));
  EXPECT_FALSE(is_true("[] (p || q)", run));
  EXPECT_FALSE(is_true("<> [] p", run));
}

TEST(LassoCheck, UntilWantsItsSecondOperandAndWeakUntilDoesNot) {
  const AtomLasso run{{p}, 0};
  EXPECT_FALSE(is_true("p U q", run));
  EXPECT_TRUE(is_true("p W q", run));
  EXPECT_TRUE(is_true("q V p", run));
}

TEST(LassoCheck, ReleaseHoldsUpToAndWithItsFirstOperand) {
  EXPECT_TRUE(is_true("p V q", {{q, p | q, 0}, 2}));
  EXPECT_FALSE(is_true("p V q", {{q, p, 0}, 2}));
}

ir::Claim never(ir::Automaton automaton) {
  ir::Claim claim;
  claim.kind = ir::Claim::Kind::never;
  claim.atoms = {0, 1};
  claim.automaton = std::move(automaton);
  return claim;
}

// p must hold again and again, at an even distance: the automaton goes round in two, the run in three.
TEST(LassoCheck, AnAutomatonMayNeedSeveralRoundsOfTheLoop) {
  ir::Automaton automaton;
  automaton.states.push_back({"a", true, false, {{1, {p, 0}, {}, {}}, {1, {}, {}, {}}}, {}});
  automaton.states.push_back({"b", false, false, {{0, {}, {}, {}}}, {}});
  EXPECT_TRUE(violates(never(automaton), {{p, 0, 0}, 0}));
  automaton.states[0].edges.pop_back();
  EXPECT_FALSE(violates(never(automaton), {{p, 0, 0}, 0}));
}

TEST(LassoCheck, AClaimComesToItsEndOrFailsAnAssertionInTheLastState) {
  ir::Automaton automaton;
  automaton.states.push_back({"a", false, false, {{0, {}, {}, {}}, {1, {p, 0}, 1, {}}}, {}});
  automaton.states.push_back({"end", false, true, {}, {}});
  const ir::Claim claim = never(automaton);
  EXPECT_TRUE(reaches_end(claim, {0, p}));
  EXPECT_FALSE(reaches_end(claim, {0, 0}));
  EXPECT_TRUE(fails_assertion(claim, {0, p}));
  EXPECT_FALSE(fails_assertion(claim, {0, p | q}));
}

// A formula is violated by a lasso exactly if the automaton of its negation accepts it.
TEST(LassoCheck, AgreesWithTheAutomatonOfTheNegation) {
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  for (const char* const text : {"[] <> p", "<> [] p", "p U q", "[] (p -> <> q)", "(p W q) || [] <> q", "X p && <> q",
                                 "(p V q) -> <> [] q", "[] <> p -> [] <> q"}) {
    ir::Claim claim;
    claim.atoms = {0, 1};
    claim.formula = formula(text);
    const ir::Claim automaton = never(bad_runs(claim));
    for (int k = 0; k < 200; ++k) {
      AtomLasso run;
      for (std::size_t length = 1 + below(6); length > 0; --length) run.atoms.push_back(below(4));
      run.loop = below(run.atoms.size());
      EXPECT_EQ(violates(claim, run), violates(automaton, run)) << text;
    }
  }
}

TEST(LassoCheck, ALoopWithoutProgressViolatesAndOneWithoutAnAcceptLabelDoesNot) {
  ir::Claim claim;
  claim.kind = ir::Claim::Kind::non_progress;
  claim.progress = 0;
  EXPECT_TRUE(violates(claim, {{p, 0, 0}, 1}));
  EXPECT_FALSE(violates(claim, {{0, p, 0}, 1}));
  claim.kind = ir::Claim::Kind::accept_labels;
  claim.acceptance = 0;
  EXPECT_FALSE(violates(claim, {{p, 0, 0}, 1}));
  EXPECT_TRUE(violates(claim, {{0, p, 0}, 1}));
}

}  // namespace

}  // namespace fathom
