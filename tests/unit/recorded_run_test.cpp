// Following recorded runs: written traces, and trails of Spin.
#include <gtest/gtest.h>

#include "report/saved_trace.hpp"
#include "trace/spin_trail.hpp"
#include "trace/trace_guide.hpp"

namespace fathom {
namespace {

TEST(Renaming, IsRecognisedWhenItIsConsistent) {
  EXPECT_TRUE(differ_in_names_only("x = x + 1", "count = count + 1"));
  EXPECT_TRUE(differ_in_names_only("q!msg,3", "out!msg,3"));
  EXPECT_FALSE(differ_in_names_only("x = x + 1", "y = x + 1"));
  EXPECT_FALSE(differ_in_names_only("x = y + 1", "z = z + 1"));
  EXPECT_FALSE(differ_in_names_only("x = 1", "x = 2"));
  EXPECT_FALSE(differ_in_names_only("x = 1", "x = 1;"));
}

TEST(SpinTrails, AreToldFromJson) {
  EXPECT_TRUE(looks_like_a_trail("-4:-4:-4\n1:0:3\n"));
  EXPECT_TRUE(looks_like_a_trail("1:0:3"));
  EXPECT_FALSE(looks_like_a_trail("{\"schema\": \"fathom/1\"}"));
  EXPECT_FALSE(looks_like_a_trail(""));
}

TEST(SpinTrails, HaveHeadersAndTransitions) {
  const SpinTrail trail = read_trail("-4:-4:-4\n1:0:3\n-1:-1:-1\n2:12:45\n");
  EXPECT_TRUE(trail.merged);
  EXPECT_FALSE(trail.with_claim);
  ASSERT_EQ(trail.entries.size(), 2U);
  EXPECT_EQ(trail.entries[1].process, "12");
  EXPECT_EQ(trail.entries[1].transition, 45U);
  EXPECT_EQ(trail.entries[1].line, 4U);
  EXPECT_EQ(trail.loop, 1U);
}

TEST(SpinTrails, LeaveOutTheStepsOfAClaim) {
  const SpinTrail trail = read_trail("-2:3:-2\n-4:-4:-4\n1:0:7\n2:1:3\n3:0:7\n4:2:5\n");
  EXPECT_TRUE(trail.with_claim);
  ASSERT_EQ(trail.entries.size(), 2U);
  EXPECT_EQ(trail.entries[0].process, "0");
  EXPECT_EQ(trail.entries[1].process, "1");
}

TEST(SpinTrails, SayWhichLineIsWrong) {
  try {
    read_trail("1:0:3\nnonsense\n");
    FAIL();
  } catch (const BadTrail& problem) {
    EXPECT_NE(std::string(problem.what()).find("line 2"), std::string::npos);
  }
}

TEST(SavedTraces, AreReadBackFromAReport) {
  const SavedTrace saved = read_trace(R"({"model": "m.m", "language": "murphi",
    "properties": [{"name": "a", "kind": "invariant", "verdict": "holds"},
                   {"name": "b", "kind": "invariant", "verdict": "violated"}],
    "trace": {"start": {"name": "s", "parameters": {"i": "1"}, "location": "", "state": {"x": "0"}},
              "steps": [{"rule": "r", "parameters": {"k": "2"}, "agents": ["2"], "location": "m.m:3:1",
                         "changes": [{"variable": "x", "before": "0", "after": "1"}]}],
              "loop": 1}})");
  EXPECT_EQ(saved.kind, "invariant");
  EXPECT_EQ(saved.name, "b");
  ASSERT_EQ(saved.trace.steps.size(), 1U);
  EXPECT_EQ(saved.trace.steps[0].parameters.front().second, "2");
  EXPECT_EQ(saved.trace.steps[0].changes.front().after, "1");
  EXPECT_EQ(saved.trace.loop, 1U);
}

TEST(SavedTraces, ThatAreNoneSayWhy) {
  for (const char* text : {"", "nonsense", "[]", "{}", R"({"trace": null})", R"({"trace": {}})", R"({"steps": [{}]})",
                           R"({"steps": [], "loop": 5})", R"({"steps": 3})"})
    EXPECT_THROW(read_trace(text), BadTrace) << text;
}

}  // namespace
}  // namespace fathom
