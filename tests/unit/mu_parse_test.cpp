// Reading and printing formulas of the μ-calculus: what binds how, what is a condition, and the places of mistakes.
#include "property/mu/parse.hpp"

#include <gtest/gtest.h>

#include "mu_testing.hpp"
#include "property/mu/action.hpp"
#include "property/mu/print.hpp"

namespace fathom::mu {
namespace {

std::string again(std::string_view text) {
  return to_text(*parse(text));
}

std::string error_of(std::string_view text) {
  try {
    parse(text);
  } catch (const ParseError& error) {
    return std::to_string(error.offset) + ": " + error.what();
  }
  return "none";
}

TEST(MuParse, OperatorsBindAsTheyShould) {
  EXPECT_EQ(again("p && q || r -> s"), "(({p} && {q}) || {r}) -> {s}");
  EXPECT_EQ(again("p -> q -> r"), "{p} -> ({q} -> {r})");
  EXPECT_EQ(again("p <-> q -> r"), "{p} <-> ({q} -> {r})");
  EXPECT_EQ(again("p && q && r"), "({p} && {q}) && {r}");
  EXPECT_EQ(again("<a>p && [b]q"), "<a>{p} && [b]{q}");
  EXPECT_EQ(again("p && mu X. q || <true>X"), "{p} && (mu X. {q} || <true>X)");
  EXPECT_EQ(again("nu X. (mu Y. p || <true>Y) && [true]X"), "nu X. (mu Y. {p} || <true>Y) && [true]X");
}

TEST(MuParse, AConditionGoesOnToTheNextOperator) {
  EXPECT_EQ(again("x = 1 && a[i].b < 3"), "{x = 1} && {a[i].b < 3}");
  EXPECT_EQ(again("(x + 1) * 2 = y"), "{(x + 1) * 2 = y}");
  EXPECT_EQ(again("(x < 3)"), "{x < 3}");
  EXPECT_EQ(again("{ a & b -> c } || d"), "{a & b -> c} || {d}");
  EXPECT_EQ(again("forall i: NODE do x[i] = 0 end -> p"), "{forall i: NODE do x[i] = 0 end} -> {p}");
  EXPECT_EQ(again("mu = 3 && EX = 4 && A[1] = 2"), "({mu = 3} && {EX = 4}) && {A[1] = 2}");
}

TEST(MuParse, ExclamationBeforeAConditionBelongsToIt) {
  EXPECT_EQ(again("!x & y"), "{!x & y}");
  EXPECT_EQ(again("!x"), "!{x}");
  EXPECT_EQ(again("!{x & y}"), "!{x & y}");
  EXPECT_EQ(again("!(x && y)"), "!({x} && {y})");
  EXPECT_EQ(again("!<a>x"), "!<a>{x}");
  EXPECT_EQ(again("!AG x"), "!AG {x}");
}

TEST(MuParse, ModalitiesTakeSetsAndSequencesOfSteps) {
  EXPECT_EQ(again("[true* . a]false"), "[(true*) . a]false");
  EXPECT_EQ(again("<a | b>p"), "<a | b>{p}");
  EXPECT_EQ(again("<!(a | b)>p"), "<!(a | b)>{p}");
  EXPECT_EQ(again("<!a & !b>p"), "<!a & !b>{p}");
  EXPECT_EQ(again("<(a . b)+ | c>p"), "<((a . b)+) | c>{p}");
  EXPECT_EQ(again("<Send(1, _)>p"), "<Send(1,_)>{p}");
  EXPECT_EQ(again("<\"c!msg(*\">p"), "<\"c!msg(*\">{p}");
  EXPECT_EQ(again("<_>p"), "<true>{p}");
}

TEST(MuParse, QuantifiersNameARangeOrAType) {
  EXPECT_EQ(again("forall i: 0..3. x[i] = 0"), "forall i: 0..3. {x[i] = 0}");
  EXPECT_EQ(again("exists n: NODE. <Get(n)>true"), "exists n: NODE. <Get(n)>true");
  EXPECT_EQ(again("forall i : -1 .. 1 . p"), "forall i: -1..1. {p}");
}

TEST(MuParse, OperatorsOfCtlAndLtlAreShorthands) {
  EXPECT_EQ(again("AG (p -> AF q)"), "AG ({p} -> AF {q})");
  EXPECT_EQ(again("A[p U q] && E[x = 1 U EX q]"), "A[{p} U {q}] && E[{x = 1} U EX {q}]");
  EXPECT_EQ(again("E([] <> p)"), "E([] <> ({p}))");
  EXPECT_EQ(again("A (p U {x -> y})"), "A(({p}) U ({x -> y}))");
}

TEST(MuParse, MistakesAreLocated) {
  EXPECT_EQ(error_of("p && "), "5: an operand is missing here");
  EXPECT_EQ(error_of("(p"), "0: this `(` is never closed");
  EXPECT_EQ(error_of("p {q}"), "2: an operator is missing here");
  EXPECT_EQ(error_of("<a p"), "3: `>` is expected here");
  EXPECT_EQ(error_of("<>p"), "0: `<>` is an operator of LTL: say EF, <true*>, or E(<> …) for some run");
  EXPECT_EQ(error_of("p && []q"), "5: `[]` is an operator of LTL: say AG, [true*], or A([] …) for all runs");
  EXPECT_EQ(error_of("<!a*>p").substr(0, 4), "none");
  EXPECT_EQ(error_of("<!(a . b)>p"), "1: `!` stands before a set of steps, not a sequence");
  EXPECT_EQ(error_of("<(a . b) & c>p"), "9: `&` stands between two sets of steps, not sequences");
  EXPECT_EQ(error_of("<a(,)>p"), "3: a value or `_` is expected here");
  EXPECT_EQ(error_of("<|a>p"), "1: a step is expected here: a name, a text in quotes, `true` or `(`");
  EXPECT_EQ(error_of("forall i: . p"), "10: a range such as 0..3, or a type of the model, is expected here");
  EXPECT_EQ(error_of("forall i: 0..3 p"), "15: `.` is expected here, behind the range or type");
  EXPECT_EQ(error_of("E(p && )").substr(0, 2), "7:");
  EXPECT_EQ(error_of("\"a\" < \"b"), "6: this quote is never closed");
  EXPECT_EQ(error_of("mu X. p | X").substr(0, 3), "10:");
  EXPECT_EQ(error_of(""), "0: an operand is missing here");
}

TEST(MuParse, AFixpointNeedsItsVariableUnderAnEvenNumberOfNegations) {
  EXPECT_EQ(error_of("mu X. !X").substr(0, 42), "7: `X` stands under an odd number of negat");
  EXPECT_EQ(error_of("mu X. X -> p").substr(0, 3), "6: ");
  EXPECT_EQ(error_of("mu X. p <-> X").substr(0, 3), "12:");
  EXPECT_EQ(error_of("mu X. !<a>!X"), "none");
  EXPECT_EQ(error_of("mu X. !(nu Y. X && Y)").substr(0, 3), "14:");
  EXPECT_EQ(error_of("mu X. !(nu Y. !X && Y)"), "none");
  EXPECT_EQ(error_of("!mu X. p || X"), "none");
  EXPECT_EQ(error_of("p <-> mu X. p || <a>X"), "none");
}

TEST(MuParse, DeepFormulasAreRefusedAndNotFatal) {
  EXPECT_NE(error_of(std::string(100'000, '(') + "p" + std::string(100'000, ')')).find("too deeply"),
            std::string::npos);
  EXPECT_NE(error_of(std::string(100'000, '!') + "{p}").find("too deeply"), std::string::npos);
  std::string chain = "p";
  for (int k = 0; k < 5000; ++k) chain += " && p";
  EXPECT_NE(error_of(chain).find("too many operators"), std::string::npos);
  EXPECT_NE(error_of("<" + std::string(100'000, '(')).find("never closed"), std::string::npos);
  EXPECT_NE(error_of("<" + std::string(1000, '(') + "a" + std::string(1000, ')') + ">p").find("too deeply"),
            std::string::npos);
}

TEST(MuParse, WhatIsPrintedReadsBackAsTheSame) {
  Random random(1);
  for (int k = 0; k < mu_formulas_wanted(); ++k) {
    const FormulaPtr formula = RandomFormulas(random).make(5);
    const std::string text = to_text(*formula);
    FormulaPtr read;
    ASSERT_NO_THROW(read = parse(text)) << text;
    EXPECT_EQ(to_text(*read), text);
    // The conditions of an LTL formula that it does not use are not printed.
    if (text.find("E(") == std::string::npos && text.find("A(") == std::string::npos) {
      EXPECT_TRUE(same(*formula, *read)) << text;
    }
  }
}

TEST(MuActions, NamesArgumentsAndStarsAreCompared) {
  const StepLabel send{InstanceId{0}, "Send", {"NODE_1", "2"}};
  const auto has = [&](const std::string& set) {
    const FormulaPtr formula = parse("<" + set + ">true");
    return has_step(*formula->steps->action, send);
  };
  EXPECT_TRUE(has("Send"));
  EXPECT_TRUE(has("Send(NODE_1,_)"));
  EXPECT_TRUE(has("Send(_, 2)"));
  EXPECT_FALSE(has("Send(2)"));
  EXPECT_FALSE(has("Send(NODE_2,_)"));
  EXPECT_TRUE(has("\"S*d\""));
  EXPECT_TRUE(has("\"Send(NODE_1,*\""));
  EXPECT_FALSE(has("\"S\\*d\""));
  EXPECT_TRUE(has("!Get"));
  EXPECT_FALSE(has("!_"));
  EXPECT_TRUE(has("Get | Send"));
  EXPECT_FALSE(has("Send & !Send(_,2)"));
  EXPECT_FALSE(has("false"));
}

TEST(MuResolve, QuantifiersAreWrittenOut) {
  const auto types = [](const std::string& type) -> std::vector<std::pair<std::int64_t, std::string>> {
    if (type == "NODE") return {{7, "NODE_1"}, {8, "NODE_2"}};
    return {};
  };
  const Resolved read = resolve(*parse("forall n: NODE. exists i: 0..1. <Get(n,i)>{x[n] = i && y = 0}"), types);
  EXPECT_EQ(to_text(*read.formula),
            "(<Get(NODE_1,0)>{x[n] = i && y = 0} || <Get(NODE_1,1)>{x[n] = i && y = 0}) && "
            "(<Get(NODE_2,0)>{x[n] = i && y = 0} || <Get(NODE_2,1)>{x[n] = i && y = 0})");
  ASSERT_EQ(read.conditions.size(), 4U);
  EXPECT_EQ(read.conditions[2].bindings.size(), 2U);
  EXPECT_EQ(read.conditions[2].bindings[0].value, 8);
  EXPECT_EQ(resolve(*parse("forall i: 0..3. {y = 0}"), types).conditions.size(), 1U);
  EXPECT_EQ(to_text(*resolve(*parse("forall i: 3..0. p"), types).formula), "true");
  EXPECT_THROW(resolve(*parse("forall n: NOSE. p"), types), ParseError);
  EXPECT_THROW(resolve(*parse("forall n: 0..1000000000. p"), types), ParseError);
}

TEST(MuFormula, TheExistentialFragmentIsRecognised) {
  const auto existential = [](const std::string& text) { return is_existential(*parse(text)); };
  EXPECT_TRUE(existential("EF p"));
  EXPECT_TRUE(existential("mu X. p || <a>X"));
  EXPECT_TRUE(existential("nu X. p && <a . b*>X"));
  EXPECT_TRUE(existential("!AG p"));
  EXPECT_TRUE(existential("!(<a>p -> AF q) || E([] p)"));
  EXPECT_FALSE(existential("[a]p"));
  EXPECT_FALSE(existential("AG EF p"));
  EXPECT_FALSE(existential("<a>p -> q"));
  EXPECT_FALSE(existential("p <-> <a>q"));
  EXPECT_TRUE(existential("p <-> q"));
}

}  // namespace
}  // namespace fathom::mu
