// The Hanoi format: what we write comes back the same, what other tools write is understood, and the rest is refused
// with its place.
#include "property/ltl/hoa.hpp"

#include <gtest/gtest.h>

#include "ltl_testing.hpp"
#include "property/ltl/translate.hpp"

namespace fathom::ltl {
namespace {

std::string with_body(const std::string& header, const std::string& body) {
  return "HOA: v1\n" + header + "\n--BODY--\n" + body + "\n--END--\n";
}

std::string error_of(const std::string& text) {
  try {
    read_hoa(text);
  } catch (const HoaError& error) {
    return error.what();
  }
  return "";
}

void expect_same_words(const ir::Automaton& a, const ir::Automaton& b, std::uint32_t atoms, unsigned seed) {
  std::mt19937 random(seed);
  for (int k = 0; k < 60; ++k) {
    const Lasso lasso = random_lasso(random, atoms);
    ASSERT_EQ(accepts(a, lasso), accepts(b, lasso)) << "seed " << seed;
  }
}

TEST(LtlHoa, WhatIsWrittenIsReadAgain) {
  const std::vector<std::string> atoms{"p", "a \"quoted\" \\ name", "x > 3"};
  for (unsigned seed = 1; seed <= 200; ++seed) {
    std::mt19937 random(seed);
    const ir::Automaton automaton = translate(*random_formula(random, 10, 3), 3);
    const HoaAutomaton again = read_hoa(write_hoa(automaton, atoms, "random \"one\""));
    EXPECT_EQ(again.atoms, atoms);
    ASSERT_EQ(again.automaton.states.size(), automaton.states.size());
    EXPECT_EQ(again.automaton.initial, automaton.initial);
    for (std::size_t k = 0; k < automaton.states.size(); ++k) {
      EXPECT_EQ(again.automaton.states[k].name, automaton.states[k].name);
      EXPECT_EQ(again.automaton.states[k].accepting, automaton.states[k].accepting);
      EXPECT_EQ(again.automaton.states[k].edges.size(), automaton.states[k].edges.size());
    }
    expect_same_words(automaton, again.automaton, 3, seed);
  }
}

TEST(LtlHoa, MarksOnEdgesBecomeAcceptingStates) {
  const HoaAutomaton read =
      read_hoa(with_body("States: 1 Start: 0 AP: 2 \"p\" \"q\"\nacc-name: generalized-Buchi 2\n"
                         "Acceptance: 2 Inf(0)&Inf(1)\nproperties: trans-labels",
                         "State: 0\n[0&1] 0 {0 1}\n[0&!1] 0 {0}\n[!0&1] 0 {1}\n[!0&!1] 0"));
  std::mt19937 random(1);
  const ir::LtlPtr wanted = make(Kind::conjunction, make(Kind::always, make(Kind::eventually, make_atom(0))),
                                 make(Kind::always, make(Kind::eventually, make_atom(1))));
  for (int k = 0; k < 300; ++k) {
    const Lasso lasso = random_lasso(random, 2);
    EXPECT_EQ(accepts(read.automaton, lasso), holds(*wanted, lasso));
  }
}

TEST(LtlHoa, UnderstandsAliasesImplicitLabelsStateLabelsAndComments) {
  const HoaAutomaton aliases =
      read_hoa(with_body("/* a /* nested */ comment */ Start: 0 AP: 2 \"p\" \"q\" Alias: @a 0 | 1 Alias: @b !@a & t\n"
                         "Acceptance: 1 Inf(0)",
                         "State: 0 \"x\" {0}\n[!@b] 0"));
  const HoaAutomaton implicit =
      read_hoa(with_body("Start: 0 States: 2 AP: 2 \"p\" \"q\" Acceptance: 1 Inf(0)", "State: 0 {0} 1 0 0 0 State: 1"));
  const HoaAutomaton labelled = read_hoa(with_body("Start: 0 AP: 2 \"p\" \"q\" Acceptance: 0 t", "State: [0 | 1] 0 0"));
  expect_same_words(aliases.automaton, implicit.automaton, 2, 1);
  expect_same_words(aliases.automaton, labelled.automaton, 2, 2);
  EXPECT_EQ(aliases.automaton.states[0].name, "x");
}

TEST(LtlHoa, SeveralStartStatesAreJoined) {
  const HoaAutomaton read = read_hoa(
      with_body("Start: 0 Start: 1 AP: 1 \"p\" Acceptance: 1 Inf(0)", "State: 0 {0} [0] 0 State: 1 {0} [!0] 1"));
  EXPECT_TRUE(accepts(read.automaton, {{1}, 0}));
  EXPECT_TRUE(accepts(read.automaton, {{0}, 0}));
  EXPECT_FALSE(accepts(read.automaton, {{0, 1}, 0}));
}

TEST(LtlHoa, RefusesWhatMeansSomethingElse) {
  EXPECT_EQ(error_of(with_body("Start: 0 AP: 0\nacc-name: parity min even 2\nAcceptance: 2 Inf(0) | Fin(1)", "")),
            "4:22: the acceptance condition has `|` (acc-name: parity min even 2); only Büchi and generalised Büchi "
            "automata can be read");
  EXPECT_EQ(error_of(with_body("Start: 0\nAcceptance: 1 Fin(0)", "")).substr(0, 5), "3:15:");
  EXPECT_EQ(error_of(with_body("Start: 0&1\nAcceptance: 1 Inf(0)", "")).substr(0, 4), "2:9:");
  EXPECT_EQ(error_of(with_body("Start: 0\nAcceptance: 1 Inf(0)", "State: 0\n[t] 0&0")).substr(0, 4), "6:6:");
  EXPECT_EQ(error_of(with_body("Start: 0\nFairness: 3\nAcceptance: 1 Inf(0)", "")).substr(0, 4), "3:1:");
  EXPECT_EQ(error_of(with_body("Start: 0\nAcceptance: 1 Inf(0)", "State: 0\n[0] 0")),
            "6:2: there is no atomic proposition 0");
}

TEST(LtlHoa, RefusesWhatIsNoAutomaton) {
  EXPECT_EQ(error_of(""), "1:1: `HOA: v1` is expected at the beginning");
  EXPECT_NE(error_of("HOA: v2"), "");
  EXPECT_NE(error_of("HOA: v1 --BODY-- --END--"), "");
  EXPECT_NE(error_of(with_body("States: 4000000000 Acceptance: 0 t", "")), "");
  EXPECT_NE(error_of(with_body("AP: 1 \"p\" Acceptance: 0 t", "State: 0 [" + std::string(100000, '(') + "0] 0")), "");
  EXPECT_NE(error_of(with_body("AP: 1 \"p\" Acceptance: 0 t", "State: 0 [" + std::string(100000, '!') + "0] 0")), "");
  EXPECT_NE(error_of("HOA: v1 /* no end"), "");
  EXPECT_NE(error_of("HOA: v1 name: \"no end"), "");
  EXPECT_NE(error_of("HOA: v1 Start: 99999999999999999999"), "");
}

// Pieces of valid text in random order, and valid text with random changes: an answer or an error, never a crash.
TEST(LtlHoa, GarbageIsAnErrorAndNothingWorse) {
  static const std::string pieces[] = {
      "HOA: v1 ",     "States: ", "2 ",      "Start: ", "0 ",        "AP: ",    "1 ",        "\"p\" ",
      "Acceptance: ", "Inf(0) ",  "& ",      "| ",      "--BODY-- ", "State: ", "[0] ",      "[!0|t] ",
      "{0} ",         "--END-- ", "Alias: ", "@a ",     "( ",        ") ",      "\xff\x80 ", "[ "};
  const std::string valid =
      with_body("States: 2 Start: 0 AP: 2 \"p\" \"q\"\nAlias: @a 0&1\nAcceptance: 2 Inf(0)&Inf(1)",
                "State: 0 {0}\n[@a] 1 {1}\n[!0] 0\nState: 1\n[t] 0 {1}");
  std::mt19937 random(7);
  for (int k = 0; k < 5000; ++k) {
    std::string text = k % 2 == 0 ? "HOA: v1 " : valid;
    if (k % 2 == 0)
      for (unsigned n = random() % 40; n > 0; --n) text += pieces[random() % std::size(pieces)];
    else
      for (unsigned n = 1 + random() % 4; n > 0; --n)
        text.replace(random() % text.size(), random() % 4, pieces[random() % std::size(pieces)]);
    try {
      read_hoa(text);
    } catch (const HoaError&) {
    }
  }
}

}  // namespace
}  // namespace fathom::ltl
