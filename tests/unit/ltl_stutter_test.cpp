// Insensitivity to stuttering, against words with repeated letters.
#include "property/ltl/stutter.hpp"

#include <gtest/gtest.h>

#include "ltl_testing.hpp"
#include "property/ltl/parse.hpp"
#include "property/ltl/translate.hpp"

namespace fathom::ltl {
namespace {

bool invariant(std::string_view text) {
  const ir::LtlPtr formula =
      parse(text, [](std::string_view name, std::size_t) { return static_cast<std::uint32_t>(name[0] - 'p'); });
  return is_stutter_invariant(*formula, 8);
}

// The same word with some letters repeated.
Lasso stretched(std::mt19937& random, const Lasso& lasso) {
  Lasso result;
  for (std::size_t k = 0; k < lasso.letters.size(); ++k) {
    if (k == lasso.loop) result.loop = result.letters.size();
    for (unsigned copies = 1 + random() % 3; copies > 0; --copies) result.letters.push_back(lasso.letters[k]);
  }
  return result;
}

TEST(LtlStutter, KnownFormulas) {
  EXPECT_TRUE(invariant("[](p -> <>q)"));
  EXPECT_TRUE(invariant("<>(p && X !p)"));
  EXPECT_TRUE(invariant("[](p -> X p)"));
  EXPECT_TRUE(invariant("[]<>X p"));
  EXPECT_TRUE(invariant("X p || X !p"));
  EXPECT_FALSE(invariant("X p"));
  EXPECT_FALSE(invariant("[](p -> X q)"));
  EXPECT_FALSE(invariant("X <>p"));
  EXPECT_FALSE(invariant("<>(p && X p)"));
  EXPECT_FALSE(invariant("[](p -> X !p)"));
}

TEST(LtlStutter, SyntacticallyMeansWithoutNext) {
  EXPECT_TRUE(is_stutter_invariant_syntactically(*make(Kind::always, make_atom(0))));
  EXPECT_FALSE(is_stutter_invariant_syntactically(*make(Kind::always, make(Kind::next, make_atom(0)))));
}

// Automata of formulas without `next` are insensitive whatever their shape; a simulation shows it for most of them.
// Those of sensitive formulas must never be taken for insensitive.
TEST(LtlStutter, AutomataOfFormulas) {
  int insensitive = 0, shown = 0;
  for (unsigned seed = 1; seed <= static_cast<unsigned>(formulas_wanted()) / 4; ++seed) {
    std::mt19937 random(seed);
    const ir::LtlPtr formula = random_formula(random, 8, 2);
    const bool found = is_stutter_invariant(translate(*formula, 2), std::nullopt);
    const bool is_insensitive = is_stutter_invariant(*formula, 2);
    EXPECT_FALSE(found && !is_insensitive) << "seed " << seed;
    insensitive += is_insensitive;
    shown += found;
  }
  EXPECT_GE(shown * 100, insensitive * 60);
}

// 0 -p-> 1 -p-> 2 (accepting, for ever): reads p at least twice. Where 0 may also go to 2 it does not count.
TEST(LtlStutter, AutomataThatCount) {
  const ir::Cube p{1, 0};
  ir::Automaton twice;
  twice.states.push_back({"start", false, false, {{1, p, {}, {}}}, {}});
  twice.states.push_back({"once", false, false, {{2, p, {}, {}}}, {}});
  twice.states.push_back({"twice", true, false, {{2, {}, {}, {}}}, {}});
  EXPECT_FALSE(is_stutter_invariant(twice, std::nullopt));
  ir::Automaton either = twice;
  either.states[0].edges.push_back({2, p, {}, {}});
  EXPECT_TRUE(is_stutter_invariant(either, std::nullopt));
  ir::Automaton asserts = either;
  asserts.states[0].edges[0].asserted = 0;
  EXPECT_FALSE(is_stutter_invariant(asserts, std::nullopt));
  ir::Automaton ends = twice;
  ends.states[1].end = true;
  EXPECT_TRUE(is_stutter_invariant(ends, std::nullopt));
  ir::Automaton labelled = twice;
  labelled.states[2].accepting = false;
  EXPECT_FALSE(is_stutter_invariant(labelled, 1));
}

// Who is found to be sensitive has a witness, though not always among few words: most have.
TEST(LtlStutter, RandomFormulasOnStretchedWords) {
  int sensitive = 0, witnessed = 0;
  for (unsigned seed = 1; seed <= static_cast<unsigned>(formulas_wanted()) / 2; ++seed) {
    std::mt19937 random(seed);
    const ir::LtlPtr formula = random_formula(random, 8, 2);
    const bool found = is_stutter_invariant(*formula, 2);
    bool differs = false;
    for (int k = 0; k < 200; ++k) {
      const Lasso lasso = random_lasso(random, 2);
      if (holds(*formula, lasso) != holds(*formula, stretched(random, lasso))) differs = true;
    }
    EXPECT_FALSE(found && differs) << "seed " << seed;
    if (!found) ++sensitive;
    if (!found && differs) ++witnessed;
  }
  EXPECT_GE(witnessed * 100, sensitive * 95);
}

}  // namespace
}  // namespace fathom::ltl
