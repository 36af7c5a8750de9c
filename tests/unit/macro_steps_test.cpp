// Steps of processes: what happens between two states of the system, and that both executors and both ways to take a
// step agree on it.
#include "model/macro_steps.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <filesystem>
#include <optional>
#include <set>

#include "hand_built_network.hpp"
#include "ir/compose.hpp"
#include "model/interpreted.hpp"
#include "model/native.hpp"
#include "native/build.hpp"
#include "search/bfs.hpp"
#include "search/dfs.hpp"
#include "store/indexed_store.hpp"
#include "trace/concretise.hpp"
#include "trace/trace.hpp"

namespace fathom {
namespace {

using ir::Control;

struct Counts {
  std::size_t states = 0;
  std::size_t transitions = 0;
  std::vector<std::string> faults;  // texts of the sites, in the order in which they were met

  bool operator==(const Counts&) const = default;
};

void PrintTo(const Counts& counts, std::ostream* out) {
  *out << counts.states << " states, " << counts.transitions << " transitions";
  for (const std::string& fault : counts.faults) *out << ", " << fault;
}

void expect_same(const Batch& expected, const Batch& actual, bool with_states) {
  ASSERT_EQ(expected.size(), actual.size());
  for (std::uint32_t k = 0; k < expected.size(); ++k) {
    ASSERT_EQ(expected.instance(k), actual.instance(k));
    ASSERT_EQ(expected.outcome(k).raw(), actual.outcome(k).raw());
    if (with_states) {
      const StateView a = expected.state(k), b = actual.state(k);
      ASSERT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
    }
  }
}

class MacroStepsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.emplace(std::filesystem::temp_directory_path());
    ::setenv("FATHOM_CACHE", folder_->path().c_str(), 1);
    ::setenv("FATHOM_CFLAGS", "-O1", 1);
  }
  void TearDown() override {
    for (const char* name : {"FATHOM_CACHE", "FATHOM_CFLAGS"}) ::unsetenv(name);
  }

  // ---- Building

  const ir::Variable* byte(const std::string& name) {
    return net.build.variable(name, net.build.machine(8, false), net.here);
  }
  ir::Component& process(const std::string& name, std::uint32_t locations) {
    ir::Component& component = net.component(name, locations);
    component.agent = std::to_string(net.program.components.size() - 1);
    return component;
  }
  ir::Edge& step(ir::Component& process, const std::string& name, std::uint32_t source, std::uint32_t target,
                 Control control = Control::release) {
    ir::Edge& edge = net.edge(process, name, source, target);
    edge.control = control;
    if (control != Control::release) edge.endless = net.build.site(ir::FaultKind::endless, net.here, name);
    if (control == Control::keep_first) edge.blocked = net.build.site(ir::FaultKind::blocked, net.here, name);
    return edge;
  }
  ir::Edge& set(ir::Component& process, const ir::Variable* x, std::int64_t value, std::uint32_t source,
                std::uint32_t target, Control control = Control::release) {
    ir::Edge& edge = step(process, x->name + "=" + std::to_string(value), source, target, control);
    net.assign(edge, net.place(x), net.number(value));
    return edge;
  }
  ir::Edge& wait(ir::Component& process, const ir::Variable* x, std::int64_t value, std::uint32_t source,
                 std::uint32_t target, Control control = Control::release) {
    ir::Edge& edge = step(process, x->name + "==" + std::to_string(value), source, target, control);
    edge.guard = net.equal(net.read(x), net.number(value));
    return edge;
  }
  void remove(ir::Component& process, std::uint32_t source) {
    ir::Edge& edge = step(process, "-end-", source, source);
    ir::Stmt& leave = net.build.stmt(ir::Stmt::Kind::undefine, net.here);
    leave.place = net.place(process.location);
    edge.routine.body.push_back(&leave);
  }
  ir::Edge& check(ir::Component& process, const ir::Variable* x, std::int64_t value, std::uint32_t source,
                  std::uint32_t target, Control control = Control::release) {
    const std::string text = x->name + "==" + std::to_string(value);
    ir::Edge& edge = step(process, "assert(" + text + ")", source, target, control);
    ir::Stmt& check = net.build.stmt(ir::Stmt::Kind::check_and_go_on, net.here);
    check.value = net.equal(net.read(x), net.number(value));
    check.site = net.build.site(ir::FaultKind::assertion, net.here, text);
    edge.routine.body.push_back(&check);
    return edge;
  }
  void valid_end(const ir::Expr* condition) {
    ir::Property& property = *net.program.properties.emplace_back(std::make_unique<ir::Property>());
    property.kind = ir::Property::Kind::valid_end;
    property.name = "valid end";
    property.range = net.here;
    property.condition = condition;
  }
  const ir::Expr* timeout() { return &net.build.expr(ir::Expr::Kind::timeout, net.build.boolean(), net.here); }

  void finish() {
    net.finish();
    Diagnostics diagnostics;
    ir::compose(net.program, diagnostics);
    EXPECT_FALSE(diagnostics.failed());
    EXPECT_EQ(ir::validate(net.program), std::vector<std::string>{});
  }

  // ---- Running

  // Everything that can be reached, after comparing at every state both executors, the list of enabled steps, and the
  // steps taken one at a time.
  Counts explore() {
    finish();
    InterpretedModel model(net.program), counters(net.program);
    NativeModel native(net.program, std::make_shared<SharedObject>(NativeBuild(net.program).build({})), counters.hits(),
                       counters.pending());
    Counts counts;
    std::set<StateBuffer> seen;
    std::deque<StateBuffer> open;
    const auto add = [&](const Batch& batch) {
      for (std::uint32_t k = 0; k < batch.size(); ++k) {
        if (batch.outcome(k).is_fault()) counts.faults.push_back(net.program.site(batch.outcome(k).site()).text);
        const StateBuffer state(batch.state(k).begin(), batch.state(k).end());
        if (batch.outcome(k).has_successor() && seen.insert(state).second) open.push_back(state);
      }
    };
    Batch batch, others;
    model.initial(batch);
    native.initial(others);
    expect_same(batch, others, true);
    add(batch);
    while (!open.empty() && !::testing::Test::HasFatalFailure()) {
      const StateBuffer state = open.front();
      open.pop_front();
      batch.clear();
      others.clear();
      model.successors(state, batch);
      native.successors(state, others);
      expect_same(batch, others, true);
      expect_same_one_by_one(model, native, state, batch);
      counts.transitions += batch.size();
      add(batch);
    }
    counts.states = seen.size();
    return counts;
  }

  static void expect_same_one_by_one(InterpretedModel& model, NativeModel& native, const StateBuffer& state,
                                     const Batch& steps) {
    Batch enabled, others;
    model.enabled(state, enabled);
    native.enabled(state, others);
    expect_same(enabled, others, false);
    ASSERT_EQ(enabled.size(), steps.size());
    for (std::uint32_t k = 0; k < steps.size(); ++k) {
      ASSERT_EQ(enabled.instance(k), steps.instance(k));
      if (!enabled.outcome(k).ok()) continue;
      StateBuffer here = state, there = state;
      Undo undo, other_undo;
      ASSERT_EQ(model.apply(here, steps.instance(k), undo).raw(), steps.outcome(k).raw());
      ASSERT_EQ(native.apply(there, steps.instance(k), other_undo).raw(), steps.outcome(k).raw());
      ASSERT_TRUE(std::equal(here.begin(), here.end(), steps.state(k).begin(), steps.state(k).end()));
      ASSERT_EQ(here, there);
      const MicroPath path = model.micro_steps(state, steps.instance(k));
      ASSERT_EQ(path.state, here);
      ASSERT_EQ(path.outcome.raw(), steps.outcome(k).raw());
      model.undo(here, undo);
      ASSERT_EQ(here, state);
    }
  }

  SearchOptions options() const {
    SearchOptions options;
    options.shape = {net.program.edges().size(), net.program.properties.size(), net.program.sites.size()};
    options.max_errors = UINT64_MAX;
    options.selected.assign(net.program.properties.size(), true);
    options.valid_end = ir::valid_end_of(net.program);
    options.deadlock = DeadlockMode::stuck;
    return options;
  }
  SearchResult breadth_first(const SearchOptions& options) {
    InterpretedModel model(net.program);
    IndexedStore store(model.state_words(), UINT64_MAX);
    return BreadthFirst(model, store, options).run();
  }
  SearchResult depth_first(const SearchOptions& options) {
    InterpretedModel model(net.program);
    IndexedStore store(model.state_words(), UINT64_MAX);
    return DepthFirst(model, store, options).run();
  }
  Trace trace_of(const Counterexample& counterexample) {
    InterpretedModel model(net.program);
    const ConcreteRun run = concretise(counterexample, model);
    const Replayed replayed = replay(run, model, DeadlockMode::stuck);
    fault_ = replayed.fault;
    return describe(net.program, run, replayed, false);
  }
  static std::vector<std::string> rules(const Trace& trace) {
    std::vector<std::string> rules;
    for (const TraceStep& step : trace.steps) rules.push_back(step.rule);
    return rules;
  }

  HandBuiltNetwork net;
  std::optional<TemporaryFolder> folder_;
  std::string fault_;
};

// atomic { if :: x=1 :: x=2 fi; if :: x=3 :: x=4 fi }
TEST_F(MacroStepsTest, EachWayThroughAnAtomicSequenceIsAStep) {
  const ir::Variable* const x = byte("x");
  ir::Component& p = process("P", 3);
  set(p, x, 1, 0, 1, Control::keep);
  set(p, x, 2, 0, 1, Control::keep);
  set(p, x, 3, 1, 2);
  set(p, x, 4, 1, 2);
  remove(p, 2);
  EXPECT_EQ(explore(), (Counts{5, 6, {}}));
}

TEST_F(MacroStepsTest, ADeterministicSequenceTakesTheFirstEnabledEdge) {
  const ir::Variable* const x = byte("x");
  ir::Component& p = process("P", 4);
  for (const std::int64_t value : {1, 2}) set(p, x, value, 0, 1, Control::keep_first).first_of = 1;
  wait(p, x, 2, 1, 2, Control::keep_first);
  wait(p, x, 1, 1, 2, Control::keep_first);
  set(p, x, 3, 2, 3);
  set(p, x, 4, 2, 3);
  remove(p, 3);
  EXPECT_EQ(explore(), (Counts{3, 2, {}}));
}

TEST_F(MacroStepsTest, AProcessThatIsBlockedInAnAtomicSequenceLetsGoAndGoesOnLater) {
  const ir::Variable* const x = byte("x");
  const ir::Variable* const y = byte("y");
  ir::Component& p = process("P", 4);
  set(p, y, 1, 0, 1, Control::keep);
  wait(p, x, 1, 1, 2, Control::keep);
  set(p, y, 2, 2, 3);
  ir::Component& q = process("Q", 2);
  set(q, x, 1, 0, 1);
  // The start; P blocked behind y=1; then Q; Q alone; P through, from either of the last two.
  EXPECT_EQ(explore(), (Counts{5, 5, {}}));
}

TEST_F(MacroStepsTest, ADeterministicSequenceThatIsBlockedIsAFault) {
  const ir::Variable* const x = byte("x");
  ir::Component& p = process("P", 3);
  set(p, x, 1, 0, 1, Control::keep_first);
  wait(p, x, 2, 1, 2);
  EXPECT_EQ(explore(), (Counts{1, 1, {"x=1"}}));
}

TEST_F(MacroStepsTest, AnEndlessAtomicSequenceIsNoStepAndNoDeadlock) {
  const ir::Variable* const x = byte("x");
  ir::Component& p = process("P", 3);
  set(p, x, 1, 0, 1, Control::keep);
  set(p, x, 2, 1, 0, Control::keep);
  EXPECT_EQ(explore(), (Counts{1, 1, {}}));
  const SearchResult result = breadth_first(options());
  EXPECT_EQ(result.deadlocks, 0U);
  EXPECT_EQ(result.statistics.states, 1U);
}

TEST_F(MacroStepsTest, AWayOutOfALoopInAnAtomicSequenceIsTakenFromEveryState) {
  const ir::Variable* const x = byte("x");
  ir::Component& p = process("P", 3);
  set(p, x, 1, 0, 1, Control::keep);
  set(p, x, 2, 1, 1, Control::keep);
  step(p, "break", 1, 2);
  // Out at once, and after one round.
  EXPECT_EQ(explore(), (Counts{3, 2, {}}));
}

TEST_F(MacroStepsTest, AnEndlessDeterministicSequenceIsAFault) {
  const ir::Variable* const x = byte("x");
  ir::Component& p = process("P", 2);
  ir::Edge& count = step(p, "x++", 0, 0, Control::keep_first);
  net.assign(count, net.place(x), net.add(net.read(x), net.number(1)));
  EXPECT_EQ(explore(), (Counts{1, 1, {"x++"}}));
}

TEST_F(MacroStepsTest, AHandshakeOutOfAnAtomicSequencePassesControlToTheReceiver) {
  const ir::Variable* const x = byte("x");
  const ir::Variable* const y = byte("y");
  ir::Component& p = process("P", 3);
  net.offers(step(p, "c!", 0, 1, Control::keep), net.number(1));
  set(p, x, 1, 1, 2);
  ir::Component& q = process("Q", 3);
  net.accepts(step(q, "c?", 0, 1, Control::keep), net.number(1));
  set(q, y, 1, 1, 2);
  // The handshake and y=1 are one step, x=1 is another.
  EXPECT_EQ(explore(), (Counts{3, 2, {}}));
}

TEST_F(MacroStepsTest, AProcessInAnAtomicSequenceCanOfferButNotAccept) {
  const ir::Variable* const x = byte("x");
  ir::Component& p = process("P", 3);
  set(p, x, 1, 0, 1, Control::keep);
  net.accepts(step(p, "c?", 1, 2), net.number(1));
  ir::Component& q = process("Q", 2);
  net.offers(step(q, "c!", 0, 1), net.number(1));
  // P lets go before the receive, because only somebody else can send.
  EXPECT_EQ(explore(), (Counts{3, 2, {}}));
}

TEST_F(MacroStepsTest, AnElseBesideAnOfferIsThereOnlyWhileNobodyAccepts) {
  const ir::Variable* const x = byte("x");
  ir::Component& p = process("P", 3);
  net.offers(step(p, "c!", 0, 1), net.number(1));
  step(p, "else", 0, 2).rank = 1;
  ir::Component& q = process("Q", 3);
  set(q, x, 1, 0, 1);
  net.accepts(step(q, "c?", 1, 2), net.number(1));
  // Start -else-> a -x=1-> b; start -x=1-> c -handshake-> d.
  EXPECT_EQ(explore(), (Counts{5, 4, {}}));
}

TEST_F(MacroStepsTest, AnElseBesideAReceiveIsNotDisturbedByAnOffer) {
  ir::Component& p = process("P", 2);
  net.offers(step(p, "c!", 0, 1), net.number(1));
  ir::Component& q = process("Q", 3);
  net.accepts(step(q, "c?", 0, 1), net.number(1));
  step(q, "else", 0, 2).rank = 1;
  EXPECT_EQ(explore(), (Counts{3, 2, {}}));
}

TEST_F(MacroStepsTest, OfTheWaysToAcceptOneOfferTheSmallestRankCounts) {
  ir::Component& p = process("P", 2);
  net.offers(step(p, "c!", 0, 1), net.number(1));
  ir::Component& q = process("Q", 3);
  net.accepts(step(q, "body c?", 0, 1), net.number(1)).rank = 1;
  net.accepts(step(q, "escape c?", 0, 2), net.number(1)).rank = 0;
  EXPECT_EQ(explore(), (Counts{2, 1, {}}));
}

TEST_F(MacroStepsTest, TimeoutIsTrueOnlyWhereNothingElseIsPossible) {
  const ir::Variable* const x = byte("x");
  ir::Component& p = process("P", 3);
  step(p, "timeout", 0, 1, Control::keep).guard = timeout();
  set(p, x, 7, 1, 2);
  ir::Component& q = process("Q", 3);
  set(q, x, 1, 0, 1);
  wait(q, x, 7, 1, 2);
  EXPECT_EQ(explore(), (Counts{4, 3, {}}));
}

TEST_F(MacroStepsTest, AProcessIsCreatedAndRemoved) {
  const ir::Variable* const x = byte("x");
  ir::Component& p = process("P", 2);
  ir::Component& q = process("Q", 2);
  q.present_at_start = false;
  ir::Edge& run = step(p, "run Q", 0, 1);
  net.assign(run, net.place(q.location), net.number(0));
  set(q, x, 1, 0, 1);
  remove(q, 1);
  step(p, "never used", 0, 1, Control::keep).guard = timeout();
  EXPECT_EQ(explore(), (Counts{4, 3, {}}));
}

TEST_F(MacroStepsTest, HiddenVariablesAreForgottenBetweenSteps) {
  ir::Variable* const x = const_cast<ir::Variable*>(byte("x"));
  const ir::Variable* const y = byte("y");
  x->hidden = true;
  ir::Component& p = process("P", 4);
  set(p, x, 5, 0, 1, Control::keep);
  net.assign(step(p, "y=x", 1, 2), net.place(y), net.read(x));
  net.assign(step(p, "y=x", 2, 3), net.place(y), net.read(x));
  EXPECT_EQ(explore(), (Counts{3, 2, {}}));
}

TEST_F(MacroStepsTest, AFailedAssertionIsAViolationAndTheSearchGoesOnBehindIt) {
  const ir::Variable* const x = byte("x");
  ir::Component& p = process("P", 5);
  set(p, x, 1, 0, 1);
  set(p, x, 2, 1, 2, Control::keep);
  check(p, x, 1, 2, 3, Control::keep);
  set(p, x, 3, 3, 4);
  EXPECT_EQ(explore(), (Counts{3, 2, {"x==1"}}));
  for (const SearchResult& result : {breadth_first(options()), depth_first(options())}) {
    EXPECT_EQ(result.statistics.states, 3U);
    EXPECT_EQ(result.statistics.transitions, 2U);
    EXPECT_EQ(result.statistics.errors, 2U);  // and the deadlock at the end
    ASSERT_TRUE(result.first.has_value());
    EXPECT_EQ(result.first->violation.kind, Violation::Kind::fault);
    // The failing assertion is the last step that is shown.
    const Trace trace = trace_of(*result.first);
    EXPECT_EQ(rules(trace), (std::vector<std::string>{"x=1", "x=2", "assert(x==1)"}));
    EXPECT_EQ(trace.steps[1].agents, std::vector<std::string>{"0"});
    EXPECT_EQ(fault_, "assertion failed: x==1");
  }
}

TEST_F(MacroStepsTest, AssertionsCanBeIgnored) {
  const ir::Variable* const x = byte("x");
  ir::Component& p = process("P", 3);
  check(p, x, 1, 0, 1);
  set(p, x, 1, 1, 2);
  finish();
  SearchOptions options = this->options();
  options.assertions = false;
  for (const SearchResult& result : {breadth_first(options), depth_first(options)}) {
    EXPECT_EQ(result.statistics.states, 3U);
    EXPECT_EQ(result.statistics.errors, 1U);
    EXPECT_EQ(result.deadlocks, 1U);
  }
}

TEST_F(MacroStepsTest, AStateWithoutStepsIsADeadlockUnlessItIsAValidEnd) {
  const ir::Variable* const x = byte("x");
  ir::Component& p = process("P", 3);
  set(p, x, 1, 0, 1);
  set(p, x, 2, 0, 1);
  wait(p, x, 3, 1, 2);
  valid_end(net.equal(net.read(x), net.number(1)));
  finish();
  for (const SearchResult& result : {breadth_first(options()), depth_first(options())}) {
    EXPECT_EQ(result.deadlocks, 1U);
    ASSERT_TRUE(result.first.has_value());
    EXPECT_EQ(rules(trace_of(*result.first)), std::vector<std::string>{"x=2"});
  }
}

TEST_F(MacroStepsTest, ATraceShowsTheStatementsOfAnAtomicSequenceButADeterministicOneAsAWhole) {
  const ir::Variable* const x = byte("x");
  ir::Component& p = process("P", 6);
  set(p, x, 1, 0, 1, Control::keep);
  set(p, x, 2, 1, 2, Control::keep_first);
  set(p, x, 3, 2, 3, Control::keep_first);
  set(p, x, 4, 3, 4, Control::keep);
  set(p, x, 5, 4, 5);
  finish();
  const SearchResult result = breadth_first(options());
  ASSERT_TRUE(result.first.has_value());
  const Trace trace = trace_of(*result.first);
  EXPECT_EQ(rules(trace), (std::vector<std::string>{"x=1", "x=2", "x=5"}));
  const auto changes_x = [&](std::size_t k) {
    for (const LeafChange& change : trace.steps[k].changes)
      if (change.variable == "x") return *change.before + " " + *change.after;
    return std::string();
  };
  EXPECT_EQ(changes_x(1), "1 4");
  EXPECT_EQ(changes_x(2), "4 5");
}

TEST_F(MacroStepsTest, AHandshakeInATraceHasTwoAgents) {
  ir::Component& p = process("P", 2);
  net.offers(step(p, "c!1", 0, 1), net.number(1));
  ir::Component& q = process("Q", 2);
  net.accepts(step(q, "c?1", 0, 1), net.number(1));
  finish();
  const SearchResult result = breadth_first(options());
  ASSERT_TRUE(result.first.has_value());
  const Trace trace = trace_of(*result.first);
  EXPECT_EQ(rules(trace), std::vector<std::string>{"c!1 / c?1"});
  EXPECT_EQ(trace.steps[0].agents, (std::vector<std::string>{"0", "1"}));
}

TEST_F(MacroStepsTest, AFaultInsideASequenceIsReplayedUpToIt) {
  const ir::Variable* const x = byte("x");
  ir::Component& p = process("P", 3);
  set(p, x, 1, 0, 1, Control::keep_first);
  wait(p, x, 2, 1, 2);
  finish();
  const SearchResult result = breadth_first(options());
  ASSERT_TRUE(result.first.has_value());
  EXPECT_EQ(rules(trace_of(*result.first)), std::vector<std::string>{"x=1"});
  EXPECT_EQ(fault_, "a deterministic sequence cannot go on after `x=1`");
}

}  // namespace
}  // namespace fathom
