#include "report/chart.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "trace/messages.hpp"

namespace fathom {
namespace {

TraceStep step(const std::string& rule, const std::string& actor, std::vector<LeafChange> changes = {}) {
  TraceStep result;
  result.rule = rule;
  result.agents = result.actors = {actor};
  result.changes = std::move(changes);
  return result;
}

LeafChange change(const std::string& name, const std::string& before, const std::string& after) {
  return {name, before, after};
}

// Two messages are sent, and received in order while the queue shifts.
Trace queue_trace() {
  Trace trace;
  trace.actors = {"A[0]", "B[1]"};
  trace.start.state = {{"q.length", "0"}, {"q.message[0].0", "0"}, {"q.message[1].0", "0"}};
  trace.steps = {step("q!red", "A[0]", {change("q.length", "0", "1"), change("q.message[0].0", "0", "red")}),
                 step("q!blue", "A[0]", {change("q.length", "1", "2"), change("q.message[1].0", "0", "blue")}),
                 step("q?x", "B[1]",
                      {change("q.length", "2", "1"), change("q.message[0].0", "red", "blue"),
                       change("q.message[1].0", "blue", "0")}),
                 step("q?x", "B[1]", {change("q.length", "1", "0"), change("q.message[0].0", "blue", "0")})};
  return trace;
}

TEST(Messages, AreMatchedInTheOrderOfTheQueue) {
  const auto messages = messages_of(queue_trace());
  ASSERT_EQ(messages[2].size(), 1U);
  EXPECT_EQ(messages[2][0].kind, MessageEvent::Kind::received);
  EXPECT_EQ(messages[2][0].text, "red");
  EXPECT_EQ(messages[2][0].sender, 0U);
  EXPECT_EQ(messages[3][0].text, "blue");
  EXPECT_EQ(messages[3][0].sender, 1U);
}

TEST(Messages, OfAMultisetAreMatchedByWhatTheySay) {
  Trace trace;
  trace.steps = {step("send 1", "N_1", {{"net{0}", std::nullopt, "b"}}),
                 step("send 2", "N_2", {{"net{0}", "b", "a"}, {"net{1}", std::nullopt, "b"}}),
                 step("receive", "N_3", {{"net{0}", "a", "b"}, {"net{1}", "b", std::nullopt}})};
  const auto messages = messages_of(trace);
  EXPECT_EQ(messages[1][0].text, "a");
  ASSERT_EQ(messages[2].size(), 1U);
  EXPECT_EQ(messages[2][0].text, "a");
  EXPECT_EQ(messages[2][0].sender, 1U);
}

TEST(Messages, ThatWereThereAtTheStartHaveNoSender) {
  Trace trace = queue_trace();
  trace.start.state = {{"q.length", "1"}, {"q.message[0].0", "red"}};
  trace.steps = {step("q?x", "B[1]", {change("q.length", "1", "0"), change("q.message[0].0", "red", "0")})};
  EXPECT_FALSE(messages_of(trace)[0][0].sender.has_value());
}

TEST(Chart, DrawsAnArrowWhereAMessageIsReceived) {
  EXPECT_EQ(draw_chart(queue_trace(), {true, 46}),
            "      A[0]                B[1]\n"
            "   1  o q!red             |\n"
            "   2  o q!blue            |\n"
            "   3  |--------red------->|\n"
            "   4  |-------blue------->|\n");
}

TEST(Chart, DrawsARendezvousInOneRow) {
  Trace trace;
  trace.actors = {"A[0]", "B[1]"};
  trace.steps = {step("r!7 / r?y", "A[0]")};
  trace.steps[0].agents = {"1", "0"};
  trace.steps[0].actors = {"B[1]", "A[0]"};
  const std::string chart = draw_chart(trace, {true, 40});
  EXPECT_NE(chart.find("|<"), std::string::npos) << chart;
  EXPECT_NE(chart.find("r!7"), std::string::npos) << chart;
  EXPECT_EQ(chart.find("r?y"), std::string::npos) << chart;
}

TEST(Chart, CutsWhatDoesNotFit) {
  Trace trace;
  trace.steps = {step("a rule with a very long name that no column can hold", "N_1")};
  const std::string chart = draw_chart(trace, {true, 30});
  for (std::size_t at = 0; at < chart.size();) {
    const std::size_t end = chart.find('\n', at);
    EXPECT_LE(end - at, 36U);
    at = end + 1;
  }
  EXPECT_NE(chart.find('~'), std::string::npos);
}

TEST(Chart, IsMadeOfAsciiOrOfBoxCharacters) {
  const auto is_ascii = [](const std::string& text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 128; });
  };
  EXPECT_TRUE(is_ascii(draw_chart(queue_trace(), {true, 60})));
  EXPECT_FALSE(is_ascii(draw_chart(queue_trace(), {false, 60})));
}

}  // namespace
}  // namespace fathom
