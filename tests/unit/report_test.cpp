#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "counter_model.hpp"
#include "report/assess.hpp"
#include "report/exit_code.hpp"
#include "report/json.hpp"
#include "report/text.hpp"

namespace fathom {
namespace {

class Reporting : public ::testing::Test {
 protected:
  Reporting() {
    result_.fired = {7};
    result_.violations = {0};
    result_.faults.resize(counter_.program.sites.size());
    result_.statistics.states = 1234;
    report_.model = "counter.m";
    report_.language = "murphi";
  }

  void add_cover(std::uint64_t hits) {
    auto cover = std::make_unique<ir::Property>();
    cover->kind = ir::Property::Kind::cover;
    cover->name = "top";
    counter_.program.properties.push_back(std::move(cover));
    result_.violations.push_back(0);
    hits_ = {0, hits};
  }

  const Report& assessed() {
    Findings findings{counter_.program, result_};
    findings.selected.assign(counter_.program.properties.size(), true);
    findings.max_depth = max_depth_;
    findings.allow_lossy = allow_lossy_;
    findings.stop_reason = "the time limit of 1 s";
    findings.hits = hits_;
    findings.pending = {0};
    assess(findings, report_);
    return report_;
  }

  CounterModel counter_;
  SearchResult result_;
  std::vector<std::uint64_t> hits_{0};
  std::optional<std::uint64_t> max_depth_;
  bool allow_lossy_ = false;
  Report report_;
};

TEST_F(Reporting, SaysHoldsAfterAnExhaustiveExactSearch) {
  EXPECT_EQ(assessed().verdict, Verdict::holds);
  EXPECT_EQ(report_.scope.statement, "all 1,234 reachable states were checked");
  EXPECT_EQ(exit_code::of(report_), 0);
  EXPECT_TRUE(render_text(report_, {}).starts_with("holds: all 1,234 reachable states were checked\n"));
}

TEST_F(Reporting, SaysNoMoreThanTheBound) {
  max_depth_ = 40;
  result_.ending = Ending::bound;
  EXPECT_EQ(assessed().verdict, Verdict::holds_in_scope);
  EXPECT_FALSE(report_.scope.exhaustive);
  EXPECT_EQ(report_.scope.depth, 40U);
  EXPECT_EQ(exit_code::of(report_), 0);
  EXPECT_TRUE(render_text(report_, {}).starts_with("no violation within 40 steps: "));
}

TEST_F(Reporting, SaysHoldsWhenNothingLiesBeyondTheBound) {
  max_depth_ = 40;
  EXPECT_EQ(assessed().verdict, Verdict::holds);
  EXPECT_TRUE(report_.scope.exhaustive);
}

TEST_F(Reporting, IsInconclusiveAfterALimit) {
  for (const Ending ending : {Ending::time_or_user, Ending::memory_limit}) {
    report_ = {};
    result_.ending = ending;
    EXPECT_EQ(assessed().verdict, Verdict::inconclusive);
    EXPECT_EQ(exit_code::of(report_), 4);
    for (const PropertyReport& property : report_.properties) EXPECT_EQ(property.verdict, Verdict::inconclusive);
  }
}

TEST_F(Reporting, IsInconclusiveWithALossyStoreUnlessThatIsAllowed) {
  result_.exact = false;
  result_.omission_probability = 1e-9;
  EXPECT_EQ(assessed().verdict, Verdict::inconclusive);
  report_ = {};
  allow_lossy_ = true;
  EXPECT_EQ(assessed().verdict, Verdict::holds_in_scope);
  EXPECT_NE(report_.scope.statement.find("1e-09"), std::string::npos);
  EXPECT_EQ(report_.omission_probability, 1e-9);
}

TEST_F(Reporting, CountsACoverHitHoweverTheSearchEnded) {
  add_cover(3);
  result_.ending = Ending::memory_limit;
  EXPECT_EQ(assessed().properties[1].verdict, Verdict::holds);
  EXPECT_EQ(report_.covers.front().hits, 3U);
}

TEST_F(Reporting, TakesACompleteSearchToMissACover) {
  add_cover(0);
  EXPECT_EQ(assessed().verdict, Verdict::violated);
  EXPECT_EQ(report_.properties[1].kind, "cover");
  EXPECT_FALSE(report_.trace);

  report_ = {};
  max_depth_ = 3;
  result_.ending = Ending::bound;
  EXPECT_EQ(assessed().verdict, Verdict::inconclusive);
  EXPECT_EQ(exit_code::of(report_), 4);
}

TEST_F(Reporting, NamesTheViolatedInvariant) {
  result_.violations = {1};
  result_.ending = Ending::error_limit;
  result_.first = Counterexample{};
  EXPECT_EQ(assessed().verdict, Verdict::violated);
  EXPECT_EQ(report_.culprit, 0U);
  EXPECT_EQ(exit_code::of(report_), 1);
  EXPECT_TRUE(render_text(report_, {}).starts_with("violated: invariant \"small\" (counter.m:1:1)\n"));
}

TEST_F(Reporting, TellsAssertionsFromRunTimeErrors) {
  result_.faults[static_cast<std::size_t>(counter_.failed_assertion)] = 1;
  result_.faults[static_cast<std::size_t>(counter_.too_large)] = 2;
  assessed();
  const PropertyReport& first = report_.properties[report_.properties.size() - 2];
  EXPECT_EQ(first.kind, "run-time error");
  EXPECT_EQ(report_.properties.back().kind, "assertion");
  EXPECT_EQ(report_.properties.back().name, "x is small");
}

TEST_F(Reporting, LetsASignalDecideTheExitCode) {
  result_.ending = Ending::time_or_user;
  assessed();
  report_.signal = 2;
  EXPECT_EQ(exit_code::of(report_), 130);
}

TEST_F(Reporting, ListsRulesThatNeverFired) {
  result_.fired = {0};
  EXPECT_NE(render_text(assessed(), {}).find("never fired: rule \"count\" (counter.m:1:1)"), std::string::npos);
}

TEST_F(Reporting, WritesEveryFieldOfTheSchema) {
  const auto json = nlohmann::json::parse(render_json(assessed()));
  for (const char* field : {"schema", "model", "language", "verdict", "properties", "scope", "statistics", "coverage",
                            "trace", "diagnostics", "search", "reductions", "seed", "engine", "covers", "vacuous",
                            "warnings", "omission_probability"}) {
    EXPECT_TRUE(json.contains(field)) << field;
  }
  EXPECT_EQ(json["schema"], "fathom/1");
  EXPECT_EQ(json["properties"][0]["name"], "small");
  EXPECT_EQ(json["properties"][1]["name"], "deadlock");
  EXPECT_EQ(json["scope"]["depth"], nullptr);
  EXPECT_EQ(json["statistics"]["states"], 1234);
}

TEST_F(Reporting, WritesTheTrace) {
  report_.trace = Trace{{"zero", {}, "counter.m:1:1", {{"x", "0"}}},
                        {{"count", {{"by", "2"}}, {"2"}, "counter.m:1:1", {{"x", "0", "2"}, {"net{0}", {}, "1"}}, {}}},
                        {},
                        "shortest"};
  const auto json = nlohmann::json::parse(render_json(report_));
  EXPECT_EQ(json["trace"]["length"], 1);
  EXPECT_EQ(json["trace"]["start"]["state"]["x"], "0");
  EXPECT_EQ(json["trace"]["steps"][0]["changes"][1]["before"], nullptr);
  EXPECT_EQ(json["trace"]["steps"][0]["parameters"]["by"], "2");

  report_.verdict = Verdict::holds;
  const std::string text = render_text(report_, {});
  EXPECT_NE(text.find("    1  count (by: 2)  counter.m:1:1\n       x: 0 → 2\n     + net{0}: 1\n"), std::string::npos)
      << text;
}

TEST(Report, SurvivesTextThatIsNotUtf8) {
  Report report;
  report.model = "\xff.m";
  EXPECT_NO_THROW(nlohmann::json::parse(render_json(report)));
}

TEST(Report, GroupsDigits) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
}

}  // namespace
}  // namespace fathom
