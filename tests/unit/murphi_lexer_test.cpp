#include "lang/murphi/lexer.hpp"

#include <gtest/gtest.h>

namespace fathom::murphi {
namespace {

using enum TokenKind;

struct Lexed {
  std::vector<Token> tokens;
  Diagnostics diagnostics;

  explicit Lexed(const std::string& text, Dialect dialect = Dialect::cmurphi) {
    Sources sources;
    const FileId file = sources.add("a.m", text);
    tokens = tokenize(sources, file, dialect, diagnostics);
  }
  [[nodiscard]] std::vector<TokenKind> kinds() const {
    std::vector<TokenKind> result;
    for (const Token& token : tokens) result.push_back(token.kind);
    return result;
  }
  [[nodiscard]] std::string code() const { return diagnostics.all().empty() ? "" : diagnostics.all().front().code; }
};

using Kinds = std::vector<TokenKind>;

TEST(MurphiLexer, TakesKeywordsInAnyCaseAndKeepsNamesAsWritten) {
  const Lexed lexed("RULE Rule rUle Ruler");
  EXPECT_EQ(lexed.kinds(), (Kinds{kw_rule, kw_rule, kw_rule, identifier, end_of_file}));
  EXPECT_EQ(lexed.tokens[3].text, "Ruler");
}

TEST(MurphiLexer, TakesEverySpecificEndAsEnd) {
  EXPECT_EQ(Lexed("end ENDRULE endfor endchoose").kinds(), (Kinds{kw_end, kw_end, kw_end, kw_end, end_of_file}));
}

TEST(MurphiLexer, SkipsComments) {
  const Lexed lexed("a -- b \\\n/* c\n -- * / */ d");
  EXPECT_EQ(lexed.kinds(), (Kinds{identifier, identifier, end_of_file}));
}

TEST(MurphiLexer, AcceptsLatin1InComments) {
  EXPECT_FALSE(Lexed("-- na\xEFve\n/* \xE9 */ x").diagnostics.failed());
}

TEST(MurphiLexer, PrefersTheLongestSign) {
  EXPECT_EQ(Lexed("==> == = -> - << <= < .. .").kinds(), (Kinds{leads_to, equal, equal, implies, minus, shift_left,
                                                                less_equal, less, range_dots, dot, end_of_file}));
}

TEST(MurphiLexer, KnowsTheUnicodeOperators) {
  EXPECT_EQ(Lexed("≔ ≥ ≤ ≠ → ⇒ ¬ ∧ ∨ ∀ ∃ ÷ × − ∕").kinds(),
            (Kinds{assign, greater_equal, less_equal, not_equal, implies, implies, bang, ampersand, bar, kw_forall,
                   kw_exists, slash, star, minus, slash, end_of_file}));
}

TEST(MurphiLexer, ReadsNumbersBeforeRangeDots) {
  const Lexed lexed("0..12");
  EXPECT_EQ(lexed.kinds(), (Kinds{number, range_dots, number, end_of_file}));
  EXPECT_EQ(lexed.tokens[2].value, 12U);
}

TEST(MurphiLexer, ReadsALeadingZeroByDialect) {
  EXPECT_EQ(Lexed("010").tokens[0].value, 10U);
  EXPECT_EQ(Lexed("010", Dialect::rumur).tokens[0].value, 8U);
  EXPECT_FALSE(Lexed("09").diagnostics.failed());
  EXPECT_EQ(Lexed("09", Dialect::rumur).code(), "F005");
}

TEST(MurphiLexer, ReadsNumbersUpTo64Bits) {
  EXPECT_EQ(Lexed("0xffffffffffffffff").tokens[0].value, 0xffffffffffffffffU);
  EXPECT_EQ(Lexed("18446744073709551615").tokens[0].value, 0xffffffffffffffffU);
  EXPECT_EQ(Lexed("18446744073709551616").code(), "F005");
  EXPECT_EQ(Lexed("0x10000000000000000").code(), "F005");
}

TEST(MurphiLexer, RejectsRealNumbers) {
  EXPECT_EQ(Lexed("1.5").code(), "F006");
}

TEST(MurphiLexer, ResolvesEscapesInStrings) {
  EXPECT_EQ(Lexed(R"("a\n\"b\"\\")").tokens[0].text, "a\n\"b\"\\");
  EXPECT_EQ(Lexed(R"("a\q")").tokens[0].text, "a\\q");
}

TEST(MurphiLexer, TakesSmartQuotes) {
  EXPECT_EQ(Lexed("“hello”").tokens[0].text, "hello");
}

TEST(MurphiLexer, LetsStringsRunOverLinesInRumurOnly) {
  EXPECT_EQ(Lexed("\"a\nb\"", Dialect::rumur).tokens[0].text, "a\nb");
  EXPECT_EQ(Lexed("\"a\nb").code(), "F004");
}

TEST(MurphiLexer, GoesOnAfterTheLineOfAnUnclosedString) {
  const Lexed lexed("\"abc\nend", Dialect::rumur);
  EXPECT_EQ(lexed.code(), "F004");
  EXPECT_EQ(lexed.kinds(), (Kinds{string, kw_end, end_of_file}));
}

TEST(MurphiLexer, LocatesUnclosedComments) {
  EXPECT_EQ(Lexed("x /* y").code(), "F003");
}

TEST(MurphiLexer, ReportsBytesThatAreNoText) {
  EXPECT_EQ(Lexed(std::string("\0", 1)).code(), "F001");
  EXPECT_EQ(Lexed("#").code(), "F001");
  EXPECT_EQ(Lexed("é").code(), "F001");
  EXPECT_EQ(Lexed("\xff\xff\xff").code(), "F002");
  EXPECT_EQ(Lexed("\xff\xff\xff").diagnostics.errors(), 1U);
  EXPECT_EQ(Lexed("\"\xff\"").code(), "F002");
}

TEST(MurphiLexer, ReservesWordsWithoutMeaningInCMurphiOnly) {
  EXPECT_EQ(Lexed("process").code(), "F007");
  EXPECT_FALSE(Lexed("process", Dialect::rumur).diagnostics.failed());
}

TEST(MurphiLexer, SkipsAByteOrderMark) {
  EXPECT_EQ(Lexed("\xEF\xBB\xBF"
                  "var")
                .kinds(),
            (Kinds{kw_var, end_of_file}));
}

}  // namespace
}  // namespace fathom::murphi
