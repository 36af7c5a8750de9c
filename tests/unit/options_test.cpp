#include "cli/options.hpp"

#include <gtest/gtest.h>

#include "cli/manual.hpp"
#include "cli/quantities.hpp"
#include "cli/search_expression.hpp"
#include "cli/usage_error.hpp"

namespace fathom {
namespace {

TEST(Quantities, AreReadAsPeopleWriteThem) {
  EXPECT_EQ(parse_count("40"), 40U);
  EXPECT_EQ(parse_count("2k"), 2000U);
  EXPECT_EQ(parse_count("1.5M"), 1500000U);
  EXPECT_EQ(parse_count("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(parse_size("512M", 0), 512U << 20);
  EXPECT_EQ(parse_size("2GiB", 0), std::uint64_t{2} << 30);
  EXPECT_EQ(parse_size("50%", 1000), 500U);
  EXPECT_EQ(parse_duration("500ms"), 0.5);
  EXPECT_EQ(parse_duration("5m"), 300);
  EXPECT_EQ(parse_integer("-3"), -3);
}

TEST(Quantities, RefuseEverythingElse) {
  for (const char* text : {"", "k", "-1", "1.5", "4 k", "4kk", "1e5", "18446744073709551616", "99999999999G", "."}) {
    EXPECT_FALSE(parse_count(text)) << text;
  }
  EXPECT_FALSE(parse_size("4X", 0));
  EXPECT_FALSE(parse_duration("4d"));
  EXPECT_FALSE(parse_integer("3x"));
}

TEST(SearchExpression, IsParsedAndWrittenBack) {
  const SearchExpression expression = parse_search(" bounded-dfs ( l2s(bfs), bound=1k, share = 50%, fast=yes,t=10s ) ");
  EXPECT_EQ(expression.text(), "bounded-dfs(l2s(bfs), bound=1k, share=50%, fast=yes, t=10s)");
  EXPECT_EQ(expression.arguments[0].search.arguments[0].search.name, "bfs");
  EXPECT_EQ(expression.arguments[1].number, 1000);
  EXPECT_EQ(expression.arguments[2].kind, SearchArgument::Kind::percentage);
  EXPECT_EQ(expression.arguments[3].kind, SearchArgument::Kind::truth);
  EXPECT_EQ(expression.arguments[4].kind, SearchArgument::Kind::duration);
}

TEST(SearchExpression, PointsAtTheMistake) {
  const auto complaint = [](const char* text) -> std::string {
    try {
      parse_search(text);
      return "";
    } catch (const UsageError& error) {
      return error.what();
    }
  };
  EXPECT_NE(complaint("a(b").find("expected `,` or `)` here\n    a(b\n       ^"), std::string::npos);
  for (const char* text : {"", "(", "a(", "a(,)", "a)", "a(b=)", "a(k=1, 2)", "a(k=1, k=2)", "1k", "a b"}) {
    EXPECT_NE(complaint(text), "") << text;
  }
  EXPECT_NE(complaint(std::string(100000, '(').insert(0, "a").c_str()), "");
}

TEST(SearchExpression, LimitsItsNesting) {
  std::string deep;
  for (int k = 0; k < 10000; ++k) deep += "a(";
  EXPECT_THROW(parse_search(deep), UsageError);
}

std::string complaint(std::vector<std::string> arguments) {
  try {
    parse_options(std::move(arguments));
    return "";
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(Options, AreRead) {
  const CheckOptions options =
      parse_options({"x.m", "--json", "-", "-D", "N=3", "-DM=-4", "--deadlock", "off", "--property", "invariants",
                     "--property=covers", "--max-depth", "2k", "--reduce", "none", "--keep-going", "--time", "5m"});
  EXPECT_EQ(options.model, "x.m");
  EXPECT_EQ(options.json, "-");
  EXPECT_EQ(options.constants, (std::vector<std::pair<std::string, std::int64_t>>{{"N", 3}, {"M", -4}}));
  EXPECT_EQ(options.deadlock, DeadlockMode::off);
  EXPECT_EQ(options.properties, (std::vector<std::string>{"invariants", "covers"}));
  EXPECT_EQ(options.max_depth, 2000U);
  EXPECT_EQ(options.symmetry, false);
  EXPECT_EQ(options.max_errors, UINT64_MAX);
  EXPECT_EQ(options.seconds, 300);
}

TEST(Options, MayStandAfterTheModelAndTheLastOneCounts) {
  EXPECT_EQ(parse_options({"--seed", "3", "x.m", "--seed", "4"}).seed, 4U);
}

TEST(Options, TakeOneValueEach) {
  const CheckOptions options = parse_options({"-D", "N=3", "-D", "M=4", "--property", "covers", "x.m"});
  EXPECT_EQ(options.model, "x.m");
  EXPECT_EQ(options.constants.size(), 2U);
  EXPECT_EQ(complaint({"x.m", "--seed"}), "--seed wants a value: N");
}

TEST(Options, SuggestWhatWasMeant) {
  EXPECT_EQ(complaint({"--serch", "bfs", "x.m"}), "there is no option `--serch`; did you mean `--search`?");
  EXPECT_NE(complaint({"x.m", "--deadlock", "stuk"}).find("did you mean `stuck`?"), std::string::npos);
  EXPECT_NE(complaint({"x.m", "--search", "bsf"}).find("`bfs`"), std::string::npos);
}

TEST(Options, RefuseBadValues) {
  for (const char* option : {"--max-depth=-1", "--max-errors=0", "--threads=0", "--memory=lots", "--time=soon",
                             "--reduce=none,por", "--reduce=none,symmetry", "--reduce=", "-DN", "-D=3", "-DN=x",
                             "--ltl", "--automaton", "--engine=jit", "--search=bfs(3)", "--json"}) {
    EXPECT_NE(complaint({option}), "") << option;
  }
  EXPECT_NE(complaint({"a.m", "b.m"}), "");
}

TEST(Manual, NamesEveryOption) {
  const std::string help = help_text();
  const std::string page = man_page();
  for (const OptionRow& row : option_table()) {
    const std::string name = std::string(row.names).substr(0, std::string(row.names).find(','));
    EXPECT_NE(help.find(name), std::string::npos) << name;
    for (const char* shell : {"bash", "zsh"}) EXPECT_NE(completions(shell).find(name), std::string::npos) << name;
  }
  EXPECT_NE(page.find("\\-\\-max\\-depth N"), std::string::npos);
  EXPECT_THROW(completions("tcsh"), UsageError);
}

}  // namespace
}  // namespace fathom
