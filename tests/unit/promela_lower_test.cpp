// Promela models of a line or two, lowered and explored: what is a step, what is a state, what is a fault. The numbers
// follow from the language; each was also seen from Spin (-o1 -o2 -o3, -DNOREDUCE), whose transition count is one more.
#include <gtest/gtest.h>

#include <deque>
#include <set>
#include <string>
#include <vector>

#include "ir/compose.hpp"
#include "ir/validate.hpp"
#include "lang/promela/load.hpp"
#include "model/interpreted.hpp"

namespace fathom {
namespace {

struct Explored {
  std::size_t states = 0;
  std::size_t transitions = 0;
  std::vector<std::uint64_t> faults;
};

Explored explore(const ir::Program& program) {
  Explored result;
  result.faults.resize(program.sites.size());
  InterpretedModel model(program);
  std::set<StateBuffer> known;
  std::deque<StateBuffer> waiting;
  Batch steps;
  const auto note = [&] {
    for (std::uint32_t k = 0; k < steps.size(); ++k) {
      if (steps.outcome(k).is_fault()) ++result.faults[static_cast<std::size_t>(steps.outcome(k).site())];
      if (!steps.outcome(k).has_successor()) continue;
      StateBuffer state(steps.state(k).begin(), steps.state(k).end());
      if (known.insert(state).second) waiting.push_back(std::move(state));
    }
  };
  model.initial(steps);
  note();
  while (!waiting.empty()) {
    steps.clear();
    model.successors(waiting.front(), steps);
    waiting.pop_front();
    result.transitions += steps.size();
    note();
  }
  result.states = known.size();
  return result;
}

// A model with room for all processes it creates.
struct Lowered {
  explicit Lowered(const std::string& text)
      : file(sources.add("test.pml", text)), model(sources, file, {}, {.optimise = false}, diagnostics) {
    do {
      program = model.program(diagnostics);
      if (program == nullptr) return;
      ir::compose(*program, diagnostics);
      EXPECT_EQ(ir::validate(*program), std::vector<std::string>{}) << text;
      explored = explore(*program);
    } while (model.extend_plan(explored.faults));
  }

  [[nodiscard]] std::vector<std::string> fault_texts() const {
    std::vector<std::string> texts;
    for (std::size_t k = 0; k < explored.faults.size(); ++k)
      if (explored.faults[k] > 0) texts.push_back(program->sites[k].text);
    return texts;
  }

  [[nodiscard]] std::vector<ir::FaultKind> fault_kinds() const {
    std::vector<ir::FaultKind> kinds;
    for (std::size_t k = 0; k < explored.faults.size(); ++k)
      if (explored.faults[k] > 0) kinds.push_back(program->sites[k].kind);
    return kinds;
  }

  Sources sources;
  Diagnostics diagnostics;
  FileId file;
  promela::Model model;
  std::unique_ptr<ir::Program> program;
  Explored explored;
};

struct Counted {
  const char* text;
  std::size_t states;
  std::size_t transitions;
};

class PromelaCounts : public testing::TestWithParam<Counted> {};

TEST_P(PromelaCounts, AreThoseOfTheLanguage) {
  const Lowered model(GetParam().text);
  ASSERT_NE(model.program, nullptr) << GetParam().text;
  EXPECT_EQ(model.explored.states, GetParam().states) << GetParam().text;
  EXPECT_EQ(model.explored.transitions, GetParam().transitions) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(Steps, PromelaCounts,
                         testing::Values(Counted{"active proctype P() { printf(\"\") }", 3, 2},
                                         Counted{"active proctype P() { skip }", 3, 2},
                                         Counted{"active proctype P() { skip; byte b; skip }", 5, 4},
                                         Counted{"active proctype P() { skip; byte b, c = 2; skip }", 6, 5},
                                         Counted{"byte v; active proctype P() { for (v : 1 .. 3) { skip } }", 13, 12},
                                         Counted{"byte v; active proctype P() { select (v : 1 .. 3) }", 7, 6},
                                         Counted{"byte v; active proctype P() { select (v : 1 .. 40) }", 160, 159},
                                         Counted{"active proctype P() { goto L; L: skip }", 3, 2},
                                         Counted{"active proctype P() { if :: goto L fi; L: skip }", 4, 3},
                                         Counted{"byte x; active proctype P() { if :: x = 1 :: x = 2 fi }", 5, 4}));

INSTANTIATE_TEST_SUITE_P(
    Sequences, PromelaCounts,
    testing::Values(
        Counted{"byte x; active proctype P() { atomic { if :: x=1 :: x=2 fi; if :: x=3 :: x=4 fi } }", 5, 6},
        Counted{"byte x; active proctype P() { d_step { if :: x = 1 :: x = 2 fi }; assert(x == 1) }", 4, 3},
        Counted{"byte x; active proctype A() { atomic { x=1; x==2; x=3 }; assert(x==3) }"
                "active proctype B() { x==1; x=2 }",
                10, 11},
        Counted{
            "chan c = [0] of {byte}; byte x; active proctype S() { atomic { x = 1; if :: c!1 :: x == 5 fi }; x = 2 }"
            "active proctype R() { c?_; x = 4 }",
            14, 16},
        Counted{
            "byte n; active proctype P() { { if :: n == 0 -> n = 1 :: n == 1 fi; do :: n < 5 -> n++ :: else -> break "
            "od } unless { if :: n == 5 :: n == 6 fi; n = 8 }; atomic { n = 2; goto L; n = 3 }; L: n = 4 }",
            16, 15}));

INSTANTIATE_TEST_SUITE_P(
    Messages, PromelaCounts,
    testing::Values(
        Counted{"chan c = [0] of {byte}; active proctype S() { if :: c!1 :: c!2 fi } active proctype R() { c?_ }", 4,
                4},
        Counted{"chan c = [4] of {byte,byte}; active proctype A() { byte x,y; c!!3,0; c!!1,9; c!!2,5; c!!1,2;"
                "assert(c?[1,2]); c??3,y; assert(y==0); assert(!(c??[3,_])); c?<x,y>;"
                "assert(x==1&&y==2&&len(c)==3); x=2; c??eval(x),y; assert(y==5) }",
                15, 14},
        Counted{"chan c = [2] of {byte}; active proctype A() { byte v; c!1; do :: c?v -> skip :: else -> break od;"
                "assert(empty(c)) }",
                7, 6},
        Counted{"chan g = [1] of {chan,byte};"
                "active proctype A() { chan mine=[1] of {byte}; byte v; g!mine,3; mine?v; assert(v==4) }"
                "active proctype B() { chan r; byte n; g?r,n; r!n+1 }",
                10, 11}));

INSTANTIATE_TEST_SUITE_P(Processes, PromelaCounts,
                         testing::Values(Counted{"init { run f() } active proctype f() { skip }", 11, 14},
                                         Counted{"chan c=[0] of {bit}; proctype Q() { skip } proctype L() { c?_ }"
                                                 "init { run Q(); run L(); timeout; c!1; _nr_pr==1 }",
                                                 15, 16},
                                         Counted{"byte x; active proctype A() provided (x != 1) { x = 1; x = 3 }"
                                                 "active proctype B() { x == 1; x = 2 }",
                                                 8, 8}));

TEST(PromelaLowering, ReportsFaultsWhereTheyHappen) {
  const auto kinds = [](const char* text) { return Lowered(text).fault_kinds(); };
  using Kinds = std::vector<ir::FaultKind>;
  EXPECT_EQ(kinds("int a; active proctype P() { a = 1 / a }"), Kinds{ir::FaultKind::division_by_zero});
  EXPECT_EQ(kinds("byte a[3]; byte i = 3; active proctype P() { a[i] = 1 }"), Kinds{ir::FaultKind::bad_index});
  EXPECT_EQ(kinds("byte x; active proctype P() { d_step { x = 1; x == 2 } }"), Kinds{ir::FaultKind::blocked});
  EXPECT_EQ(kinds("chan c; chan d = [1] of {byte}; active proctype P() { c!1 }"), Kinds{ir::FaultKind::bad_channel});
  EXPECT_EQ(kinds("active proctype P() { assert(false) }"), Kinds{ir::FaultKind::assertion});
}

TEST(PromelaLowering, GoesOnBehindAFailedAssertion) {
  const Lowered model("byte x; active proctype P() { assert(x == 1); x = 2 }");
  EXPECT_EQ(model.explored.states, 4U);
  EXPECT_EQ(model.fault_texts(), std::vector<std::string>{"assert(x == 1)"});
}

TEST(PromelaLowering, MakesRoomForProcessesAsTheyAreCreated) {
  const Lowered model(
      "proctype P(byte n) { assert(n == _pid) } init { byte k; do :: k < 3 -> k++; run P(k) :: else -> break od }");
  ASSERT_NE(model.program, nullptr);
  EXPECT_EQ(model.program->components.size(), 4U);
}

TEST(PromelaLowering, MakesRoomInAdvanceForOneOfMany) {
  const Lowered model("proctype P() { skip } init { byte k; do :: k < 9 -> k++; run P() :: else -> break od }");
  ASSERT_NE(model.program, nullptr);
  EXPECT_EQ(model.program->components.size(), 1U + 8U + 5U);
}

TEST(PromelaLowering, CutsValuesToTheirTypes) {
  const Lowered model(
      "byte b=255; short s=32767; bit t=1; unsigned u:3 = 7; int i=2147483647;"
      "active proctype A() { b++; assert(b==0); s++; assert(s==-32768); t++; assert(t==0); u++; assert(u==0); i++;"
      "assert(i<0); b=-1; assert(b==255); t=2; assert(t==0); u=9; assert(u==1) }");
  EXPECT_EQ(model.fault_texts(), std::vector<std::string>{});
  EXPECT_EQ(model.explored.states, 18U);
}

TEST(PromelaLowering, RefusesWhatItCannotDo) {
  for (const char* text :
       {"active proctype P() { c_code { x = 1; } }", "active proctype P() { skip } never { (timeout) }",
        "chan c = [0] of {bit}; active proctype P() { enabled(0); c!1 }"}) {
    const Lowered model(text);
    EXPECT_EQ(model.program, nullptr) << text;
    EXPECT_TRUE(model.diagnostics.failed()) << text;
  }
}

TEST(PromelaLowering, RefusesJumpsThatNeverReachAStatement) {
  const Lowered model("active proctype P() { skip; L: goto M; M: goto L }");
  EXPECT_EQ(model.program, nullptr);
}

}  // namespace
}  // namespace fathom
