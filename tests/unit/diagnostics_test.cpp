#include "support/diagnostics.hpp"

#include <gtest/gtest.h>

namespace fathom {
namespace {

std::string rendered(const std::string& text, std::uint32_t begin, std::uint32_t end) {
  Sources sources;
  const FileId file = sources.add("a.m", text);
  Diagnostic diagnostic;
  diagnostic.code = "F010";
  diagnostic.range = {file, begin, end};
  diagnostic.message = "no";
  return render(diagnostic, sources, false);
}

TEST(Diagnostics, ShowsTheLineAndUnderlinesTheRange) {
  EXPECT_EQ(rendered("x := 1;\ny = 2;\n", 10, 11),
            "error[F010]: no\n"
            " --> a.m:2:3\n"
            "  |\n"
            "2 | y = 2;\n"
            "  |   ^\n");
}

TEST(Diagnostics, ShowsNotesAndHelp) {
  Sources sources;
  const FileId file = sources.add("a.m", "if x\nend");
  const Diagnostic diagnostic{Severity::warning, "F012", {file, 5, 8}, "odd", {{{file, 0, 2}, "opened here"}}, "try"};
  EXPECT_EQ(render(diagnostic, sources, false),
            "warning[F012]: odd\n"
            " --> a.m:2:1\n"
            "  |\n"
            "2 | end\n"
            "  | ^^^\n"
            "note: opened here\n"
            " --> a.m:1:1\n"
            "  |\n"
            "1 | if x\n"
            "  | --\n"
            "  = help: try\n");
}

TEST(Diagnostics, ShowsTheFirstAndTheLastLineOfALongRange) {
  EXPECT_EQ(rendered("rule\n  a\n  b\nend;", 0, 16),
            "error[F010]: no\n"
            " --> a.m:1:1\n"
            "  |\n"
            "1 | rule\n"
            "  | ^^^^\n"
            "  ...\n"
            "4 | end;\n"
            "  | ^^^\n");
}

TEST(Diagnostics, AlignsTheMarkBehindTabsAndWideBytes) {
  EXPECT_NE(rendered("\t≔ y", 5, 6).find("1 |     ≔ y\n  |       ^\n"), std::string::npos);
}

TEST(Diagnostics, MarksAnEmptyRangeWithOneSign) {
  EXPECT_NE(rendered("a", 1, 1).find("1 | a\n  |  ^\n"), std::string::npos);
  EXPECT_NE(rendered("", 0, 0).find("1 |\n  | ^\n"), std::string::npos);
}

TEST(Diagnostics, LetsNoControlCharacterThrough) {
  const std::string text = rendered("a\x1b[31m\xff\x01z", 0, 1);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(text.find("a?[31m??z"), std::string::npos);
}

TEST(Diagnostics, CutsLongLinesAroundTheRange) {
  const std::string text = rendered(std::string(5000, 'a') + "X" + std::string(5000, 'b'), 5000, 5001);
  EXPECT_LT(text.size(), 500U);
  EXPECT_NE(text.find("aXb"), std::string::npos);
}

TEST(Diagnostics, ColoursOnlyWhenAsked) {
  Sources sources;
  const FileId file = sources.add("a.m", "x");
  const Diagnostic diagnostic{Severity::error, "F001", {file, 0, 1}, "no"};
  EXPECT_NE(render(diagnostic, sources, true).find("\x1b[1;31m"), std::string::npos);
  EXPECT_EQ(render(diagnostic, sources, false).find('\x1b'), std::string::npos);
}

TEST(Diagnostics, KeepsTwentyErrorsAndCountsTheRest) {
  Diagnostics diagnostics;
  for (int i = 0; i < 50; ++i) diagnostics.error("F001", {}, "no").help = "help";
  EXPECT_EQ(diagnostics.errors(), 50U);
  EXPECT_EQ(diagnostics.all().size(), Diagnostics::limit);
}

TEST(Diagnostics, DoesNotFailOnWarnings) {
  Diagnostics diagnostics;
  diagnostics.warning("F001", {}, "hm");
  EXPECT_FALSE(diagnostics.failed());
  EXPECT_EQ(diagnostics.all().size(), 1U);
}

TEST(Closest, FindsTheNameThatWasProbablyMeant) {
  const std::vector<std::string> names{"rule", "ruleset", "return"};
  EXPECT_EQ(closest("ruel", names), "rule");
  EXPECT_EQ(closest("RULESETS", names), "ruleset");
  EXPECT_EQ(closest("retrun", names), "return");
}

TEST(Closest, StaysSilentWhenNothingIsClose) {
  EXPECT_EQ(closest("x", {"y", "rule"}), "");
  EXPECT_EQ(closest("banana", {"rule", "return"}), "");
  EXPECT_EQ(closest("rule", {}), "");
  EXPECT_EQ(closest(std::string(100000, 'a'), {std::string(100000, 'b')}), "");
}

}  // namespace
}  // namespace fathom
