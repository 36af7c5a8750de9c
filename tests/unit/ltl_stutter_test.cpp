// Insensitivity to stuttering, against words with repeated letters.
#include "property/ltl/stutter.hpp"

#include <gtest/gtest.h>

#include "ltl_testing.hpp"
#include "property/ltl/parse.hpp"

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
