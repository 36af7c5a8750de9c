// Reading and printing formulas: precedence, what is an atom, places of mistakes, and the way from text and back.
#include "property/ltl/parse.hpp"

#include <gtest/gtest.h>

#include "ltl_testing.hpp"
#include "property/ltl/print.hpp"
#include "property/ltl/translate.hpp"

namespace fathom::ltl {
namespace {

struct Read {
  ir::LtlPtr formula;
  std::vector<std::string> atoms;
};

Read read(std::string_view text) {
  Read result;
  result.formula = parse(text, [&](std::string_view atom, std::size_t offset) {
    EXPECT_EQ(text.substr(offset, atom.size()), atom);
    for (std::size_t k = 0; k < result.atoms.size(); ++k)
      if (result.atoms[k] == atom) return static_cast<std::uint32_t>(k);
    result.atoms.emplace_back(atom);
    return static_cast<std::uint32_t>(result.atoms.size() - 1);
  });
  return result;
}

std::string again(std::string_view text) {
  const Read result = read(text);
  return to_text(*result.formula, result.atoms);
}

std::size_t place_of_error(std::string_view text) {
  try {
    read(text);
  } catch (const ParseError& error) {
    return error.offset;
  }
  return std::string_view::npos;
}

TEST(LtlParse, OperatorsBindAsTheyShould) {
  EXPECT_EQ(again("[]p -> <>q && r || s U t"), "[] p -> ((<> q && r) || (s U t))");
  EXPECT_EQ(again("p -> q -> r"), "p -> (q -> r)");
  EXPECT_EQ(again("p <-> q -> r"), "p <-> (q -> r)");
  EXPECT_EQ(again("p U q U r"), "p U (q U r)");
  EXPECT_EQ(again("(p U q) U r"), "(p U q) U r");
  EXPECT_EQ(again("!p U q"), "!p U q");
  EXPECT_EQ(again("[]<>X!p"), "[] <> X !p");
  EXPECT_EQ(again("p && q && r"), "(p && q) && r");
  EXPECT_EQ(again("p W q V r R s"), "p W (q V (r V s))");
}

TEST(LtlParse, WordsAreOperatorsToo) {
  EXPECT_EQ(again("always (p implies eventually q)"), "[] (p -> <> q)");
  EXPECT_EQ(again("p until q weakuntil r release s"), "p U (q W (r V s))");
  EXPECT_EQ(again("next p equivalent p stronguntil true"), "X p <-> (p U true)");
  EXPECT_EQ(again("G F p"), "[] <> p");
  EXPECT_EQ(again("G(p)"), "[] p");
}

TEST(LtlParse, AtomsAreWhatLiesBetweenOperators) {
  EXPECT_EQ(read("[] Chan[i].Cmd != Empty -> <> x = 3 & !y").atoms,
            (std::vector<std::string>{"Chan[i].Cmd != Empty", "x = 3 & !y"}));
  EXPECT_EQ(read("[]((a + b) * 2 = c)").atoms, std::vector<std::string>{"(a + b) * 2 = c"});
  EXPECT_EQ(read("(a + b) * 2 = c U (p && q)").atoms, (std::vector<std::string>{"(a + b) * 2 = c", "p", "q"}));
  EXPECT_EQ(read("[] { forall i : N do a[i] -> b[i] end }").atoms,
            std::vector<std::string>{"forall i : N do a[i] -> b[i] end"});
  EXPECT_EQ(read("(p) U ( ( q ) ) && ((p))").atoms, (std::vector<std::string>{"p", "q"}));
  EXPECT_EQ(read("X = 1 && U = 2").atoms, (std::vector<std::string>{"X = 1", "U = 2"}));
  EXPECT_EQ(read("x<y U y>=z").atoms, (std::vector<std::string>{"x<y", "y>=z"}));
  EXPECT_EQ(read("f(a, b U c) && d").atoms, (std::vector<std::string>{"f(a, b U c)", "d"}));
  EXPECT_EQ(read("Until && nextp").atoms, (std::vector<std::string>{"Until", "nextp"}));
}

TEST(LtlParse, ANegationDoesNotReachFurtherIntoAnAtomThanItsLanguageSays) {
  EXPECT_EQ(read("[] !x & y").atoms, std::vector<std::string>{"!x & y"});
  EXPECT_EQ(again("[] !x & y"), "[] (!x & y)");
  EXPECT_EQ(read("!!x & y && !(a) & b").atoms, (std::vector<std::string>{"!!x & y", "!(a) & b"}));
  EXPECT_EQ(again("(!x) U !y[1].f"), "!x U !(y[1].f)");
  EXPECT_EQ(again("!(x & y) || !!z"), "!(x & y) || !!z");
  EXPECT_EQ(again("!{x & y}"), "!(x & y)");
  EXPECT_EQ(again("!(p U q) && ![]p"), "!(p U q) && ![] p");
  EXPECT_EQ(place_of_error("!(p U q) & r"), 9U);
}

TEST(LtlParse, MistakesHaveAPlace) {
  EXPECT_EQ(place_of_error(""), 0U);
  EXPECT_EQ(place_of_error("[] "), 3U);
  EXPECT_EQ(place_of_error("p &&"), 4U);
  EXPECT_EQ(place_of_error("p && && q"), 5U);
  EXPECT_EQ(place_of_error("(p"), 0U);
  EXPECT_EQ(place_of_error("p)"), 1U);
  EXPECT_EQ(place_of_error("(p]"), 2U);
  EXPECT_EQ(place_of_error("{ }"), 2U);
  EXPECT_EQ(place_of_error("{p} {q}"), 4U);
  EXPECT_EQ(place_of_error("p []q"), 2U);
}

TEST(LtlParse, DeepTextIsAnErrorAndNotACrash) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '(') + "p U q" + std::string(depth, ')'); };
  EXPECT_NE(place_of_error(nested(100'000)), std::string::npos);
  EXPECT_EQ(place_of_error(nested(100)), std::string::npos);
  EXPECT_NE(place_of_error(std::string(100'000, '!') + "p"), std::string::npos);
  EXPECT_NE(place_of_error(std::string(100'000, '(')), std::string::npos);
  std::string chain = "p";
  for (int k = 0; k < 100'000; ++k) chain += " && p";
  EXPECT_NE(place_of_error(chain), std::string::npos);
  std::string untils = "p";
  for (int k = 0; k < 100'000; ++k) untils += " U p";
  EXPECT_NE(place_of_error(untils), std::string::npos);
}

TEST(LtlParse, PrintedFormulasMeanTheSame) {
  const std::vector<std::string> names{"p", "q", "x > 3"};
  for (unsigned seed = 1; seed <= 300; ++seed) {
    std::mt19937 random(seed);
    const ir::LtlPtr formula = random_formula(random, 12, 3);
    const std::string text = to_text(*formula, names);
    const Read back = read(text);
    std::vector<std::uint32_t> number;
    for (const std::string& atom : back.atoms) number.push_back(atom[0] == 'p' ? 0 : atom[0] == 'q' ? 1 : 2);
    for (int k = 0; k < 20; ++k) {
      const Lasso lasso = random_lasso(random, 3);
      Lasso renamed = lasso;
      for (auto& letter : renamed.letters) {
        std::uint64_t bits = 0;
        for (std::size_t atom = 0; atom < number.size(); ++atom) bits |= (letter >> number[atom] & 1) << atom;
        letter = bits;
      }
      ASSERT_EQ(holds(*formula, lasso), holds(*back.formula, renamed)) << text;
    }
  }
}

TEST(LtlPrint, NeverClaimsLookLikeSpins) {
  const std::vector<std::string> names{"p", "x > 3"};
  const ir::LtlPtr formula = make(Kind::until, make_atom(0), make_atom(1));
  EXPECT_EQ(never_claim(translate(*formula, 2), names),
            "never {\n"
            "T0_init:\n"
            "\tdo\n"
            "\t:: p && !(x > 3) -> goto T0_init\n"
            "\t:: (x > 3) -> goto accept_all\n"
            "\tod;\n"
            "accept_all:\n"
            "\tskip\n"
            "}\n");
  EXPECT_EQ(never_claim(translate(*make(Kind::falsity), 0), names), "never {\nT0_init:\n\tfalse;\n}\n");
}

}  // namespace
}  // namespace fathom::ltl
