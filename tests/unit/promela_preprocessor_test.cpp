#include "lang/promela/preprocessor.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace fathom::promela {
namespace {

struct Preprocessed {
  Sources sources;
  Origins origins;
  Diagnostics diagnostics;
  std::vector<Token> tokens;

  explicit Preprocessed(const std::string& text, const Options& options = {}, const std::string& path = "model.pml") {
    tokens = preprocess(sources, sources.add(path, text), options, origins, diagnostics);
  }
  [[nodiscard]] std::string text() const {
    std::string result;
    for (const Token& token : tokens)
      if (token.kind != TokenKind::end_of_file) result += (result.empty() ? "" : " ") + spelling(token);
    return result;
  }
};

std::string expanded(const std::string& text, const Options& options = {}) {
  return Preprocessed(text, options).text();
}

TEST(PromelaPreprocessor, ExpandsObjectAndFunctionMacros) {
  EXPECT_EQ(expanded("#define N 3\n#define twice(x) (2 * x)\nbyte a[N]; twice(N + 1)"), "byte a [ 3 ] ; ( 2 * 3 + 1 )");
}

TEST(PromelaPreprocessor, LeavesAFunctionMacroWithoutArgumentsAlone) {
  EXPECT_EQ(expanded("#define f(x) x\nf = f(1)"), "f = 1");
}

TEST(PromelaPreprocessor, NeedsTheParenthesisToTouchTheName) {
  EXPECT_EQ(expanded("#define f (x)\nf(1)"), "( x ) ( 1 )");
}

TEST(PromelaPreprocessor, DoesNotExpandAMacroInsideItself) {
  EXPECT_EQ(expanded("#define x (x + y)\n#define y x\nx"), "( x + x )");
  EXPECT_EQ(expanded("#define foo foo2(foo)\n#define foo2(a) a\n#define id(a) a\nid(foo)"), "foo");
}

TEST(PromelaPreprocessor, RescansWhatAnExpansionMade) {
  EXPECT_EQ(expanded("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)"), "2 * 9 * g");
}

TEST(PromelaPreprocessor, PastesAndQuotes) {
  EXPECT_EQ(expanded("#define name(a, b) a##_##b\n#define text(a) #a\nname(x, 1) text(p  \"q\")"),
            "x_1 \"p \\\"q\\\"\"");
}

TEST(PromelaPreprocessor, PastesArgumentsUnexpanded) {
  EXPECT_EQ(expanded("#define N 3\n#define cat(a) x##a a\ncat(N)"), "xN 3");
}

TEST(PromelaPreprocessor, TakesArgumentsOfSeveralLinesAndNestedParentheses) {
  EXPECT_EQ(expanded("#define f(a, b) [a|b]\nf((1, 2),\n  3)"), "[ ( 1 , 2 ) | 3 ]");
}

TEST(PromelaPreprocessor, JoinsContinuedLines) {
  EXPECT_EQ(expanded("#define sum a \\\n  + b\nsum"), "a + b");
}

TEST(PromelaPreprocessor, ReadsOverComments) {
  EXPECT_EQ(expanded("a /* b\n c */ d // e\nf /* // */ g"), "a d f g");
  EXPECT_EQ(expanded("#define x 1 /* not\n the end */ + 2\nx"), "1 + 2");
}

TEST(PromelaPreprocessor, ChoosesABranch) {
  EXPECT_EQ(expanded("#define A 2\n#if A == 1\none\n#elif A == 2 && defined(A)\ntwo\n#else\nother\n#endif"), "two");
  EXPECT_EQ(expanded("#ifdef A\nyes\n#else\nno\n#endif\n#ifndef A\nnone\n#endif"), "no none");
  EXPECT_EQ(expanded("#if 0\n#if 1\na\n#endif\n'\n#else\nb\n#endif"), "b");
}

TEST(PromelaPreprocessor, ComputesConditionsLikeC) {
  const auto holds = [](const std::string& condition) {
    return expanded("#if " + condition + "\nyes\n#endif") == "yes";
  };
  EXPECT_TRUE(holds("1 + 2 * 3 == 7"));
  EXPECT_TRUE(holds("(1 << 3 | 1) == 9 && -7 / 2 == -3 && -7 % 2 == -1"));
  EXPECT_TRUE(holds("unknown == 0"));
  EXPECT_TRUE(holds("!defined X"));
  EXPECT_TRUE(holds("0x10 == 16 && 1UL"));
  EXPECT_TRUE(holds("1 ? 2 : 0"));
  EXPECT_TRUE(holds("0 && 1 / 0 || 1"));
  EXPECT_FALSE(holds("1 > 2"));
}

TEST(PromelaPreprocessor, RejectsConditionsThatAreNone) {
  for (const char* condition : {"", "1 +", "(1", "1 / 0", "\"a\"", "1 2"}) {
    const Preprocessed run("byte x;\n#if " + std::string(condition) + "\n#endif\n");
    ASSERT_EQ(run.diagnostics.errors(), 1u) << condition;
    EXPECT_EQ(run.sources.position(run.diagnostics.all()[0].range.file, run.diagnostics.all()[0].range.begin).line, 2u);
  }
}

TEST(PromelaPreprocessor, ReportsUnbalancedConditionals) {
  EXPECT_EQ(Preprocessed("#if 1\n").diagnostics.errors(), 1u);
  EXPECT_EQ(Preprocessed("#endif\n").diagnostics.errors(), 1u);
  EXPECT_EQ(Preprocessed("#if 1\n#else\n#else\n#endif").diagnostics.errors(), 1u);
}

TEST(PromelaPreprocessor, AppliesOptions) {
  Options options;
  options.defines = {"N=4", "DEBUG", "GONE"};
  options.undefines = {"GONE"};
  EXPECT_EQ(expanded("N DEBUG GONE", options), "4 1 GONE");
}

TEST(PromelaPreprocessor, IncludesRelativeToTheFileAndFromTheSearchPath) {
  const auto folder = std::filesystem::temp_directory_path() / "fathom_promela_include";
  std::filesystem::create_directories(folder / "lib");
  std::ofstream(folder / "near.h") << "near\n#include <far.h>\n";
  std::ofstream(folder / "lib" / "far.h") << "far\n";
  Options options;
  options.include_paths = {(folder / "lib").string()};
  const Preprocessed run("#include \"near.h\"\nhere", options, (folder / "model.pml").string());
  EXPECT_EQ(run.text(), "near far here");
  EXPECT_FALSE(run.diagnostics.failed());
  EXPECT_EQ(Preprocessed("#include \"nowhere.h\"").diagnostics.errors(), 1u);
  std::filesystem::remove_all(folder);
}

TEST(PromelaPreprocessor, StopsAtAFileThatIncludesItself) {
  const auto path = std::filesystem::temp_directory_path() / "fathom_promela_self.pml";
  std::ofstream(path) << "#include \"fathom_promela_self.pml\"\n";
  EXPECT_EQ(Preprocessed("#include \"fathom_promela_self.pml\"", {}, path.string()).diagnostics.errors(), 1u);
  std::filesystem::remove(path);
}

TEST(PromelaPreprocessor, ReadsOverLineMarksAndPragmas) {
  EXPECT_EQ(expanded("# 12 \"other.pml\"\n#line 3\n#pragma once\n#ident \"x\"\na"), "a");
}

TEST(PromelaPreprocessor, PassesOnErrorsAndWarnings) {
  const Preprocessed run("#error don't\n#warning mind this\n#defin X\n");
  ASSERT_EQ(run.diagnostics.all().size(), 3u);
  EXPECT_EQ(run.diagnostics.all()[0].message, "#error don't");
  EXPECT_EQ(run.diagnostics.all()[1].severity, Severity::warning);
  EXPECT_EQ(run.diagnostics.all()[2].help, "did you mean `#define`?");
}

TEST(PromelaPreprocessor, PointsAtTheUseAndRemembersTheMacro) {
  const Preprocessed run("#define inner 1 + 2\n#define outer(a) inner + a\n x = outer(y);");
  const auto find = [&](const std::string& text) {
    for (const Token& token : run.tokens)
      if (token.text == text) return token;
    return Token{};
  };
  const Token number = find("2");
  EXPECT_EQ(run.sources.text(number.range), "outer(y)");
  const auto notes = run.origins.notes(number.origin);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0].message, "in expansion of macro `inner`");
  EXPECT_EQ(run.sources.text(notes[1].range), "outer");
  const Token argument = find("y");
  EXPECT_EQ(run.sources.text(argument.range), "y");
}

TEST(PromelaPreprocessor, ChecksTheNumberOfArguments) {
  EXPECT_EQ(Preprocessed("#define f(a, b) a\nf(1)").diagnostics.errors(), 1u);
  EXPECT_EQ(Preprocessed("#define f() 1\nf()").diagnostics.errors(), 0u);
  EXPECT_EQ(Preprocessed("#define f(a) a\nf(1").diagnostics.errors(), 1u);
}

TEST(PromelaPreprocessor, GivesUpOnMacrosThatExplode) {
  std::string text = "#define m0 x x x x x x x x x x\n";
  for (int i = 1; i < 12; ++i) {
    const std::string before = "m" + std::to_string(i - 1) + " ";
    text += "#define m" + std::to_string(i) + " ";
    for (int j = 0; j < 10; ++j) text += before;
    text += "\n";
  }
  const Preprocessed run(text + "m11");
  EXPECT_EQ(run.diagnostics.errors(), 1u);
}

TEST(PromelaPreprocessor, KeepsLineBreaksOutOfExpansions) {
  const Preprocessed run("#define two a \\\n b\nx\ntwo");
  ASSERT_EQ(run.tokens.size(), 4u);
  EXPECT_TRUE(run.tokens[1].newline_before);
  EXPECT_FALSE(run.tokens[2].newline_before);
}

}  // namespace
}  // namespace fathom::promela
