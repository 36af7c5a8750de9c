// Rendezvous: which joint steps there are, what they do, and that both executors agree on them.
#include "ir/compose.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <set>

#include "hand_built_network.hpp"
#include "ir/instance.hpp"
#include "ir/print.hpp"
#include "lang/murphi/load.hpp"
#include "model/interpreted.hpp"
#include "model/native.hpp"
#include "native/build.hpp"
#include "state/bits.h"
#include "support/subprocess.hpp"

namespace fathom {
namespace {

namespace fs = std::filesystem;
using Steps = std::vector<std::string>;

// "x=1 y=?", all variables in the order of their declaration.
std::string show_state(const ir::Program& program, StateView state) {
  std::string text;
  for (const ir::Variable& variable : program.variables) {
    const std::uint64_t code = fathom_get(state.data(), variable.offset, variable.type->bits);
    const std::int64_t number = variable.type->decode(code);
    const std::string value = number == ir::undefined ? "?" : ir::show(*variable.type, number);
    text += (text.empty() ? "" : " ") + variable.name + "=" + value;
  }
  return text;
}

Steps show_steps(const ir::Program& program, const Batch& batch) {
  Steps steps;
  for (std::uint32_t k = 0; k < batch.size(); ++k) {
    const ir::Edge& edge = *program.edges()[edge_of(batch.instance(k))];
    const std::string parameters =
        ir::show_parameters(edge.parameters, ir::parameter_values(edge.parameters, parameters_of(batch.instance(k))));
    const Outcome outcome = batch.outcome(k);
    steps.push_back(
        edge.name + (parameters.empty() ? "" : " (" + parameters + ")") + ": " +
        (outcome.ok() ? show_state(program, batch.state(k)) : "fault " + program.site(outcome.site()).text));
  }
  return steps;
}

void expect_same(const Batch& expected, const Batch& actual) {
  ASSERT_EQ(expected.size(), actual.size());
  for (std::uint32_t k = 0; k < expected.size(); ++k) {
    ASSERT_EQ(parameters_of(expected.instance(k)), parameters_of(actual.instance(k)));
    ASSERT_EQ(edge_of(expected.instance(k)), edge_of(actual.instance(k)));
    ASSERT_EQ(expected.outcome(k).raw(), actual.outcome(k).raw());
    const StateView a = expected.state(k), b = actual.state(k);
    ASSERT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
  }
}

// Walks the states breadth first with both executors, which may run different programs with the same steps.
template <class Other>
void expect_same_steps(InterpretedModel& model, Other& other, std::size_t limit) {
  std::set<StateBuffer> seen;
  std::deque<StateBuffer> open;
  Batch batch, others;
  model.initial(batch);
  other.initial(others);
  for (std::size_t k = 0; k <= limit && !::testing::Test::HasFatalFailure(); ++k) {
    expect_same(batch, others);
    for (std::uint32_t step = 0; step < batch.size(); ++step) {
      const StateBuffer state(batch.state(step).begin(), batch.state(step).end());
      if (batch.outcome(step).ok() && seen.insert(state).second) open.push_back(state);
    }
    if (open.empty()) return;
    batch.clear();
    others.clear();
    model.enabled(open.front(), batch);
    other.enabled(open.front(), others);
    expect_same(batch, others);
    batch.clear();
    others.clear();
    model.successors(open.front(), batch);
    other.successors(open.front(), others);
    open.pop_front();
  }
}

class Compose : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.emplace(fs::temp_directory_path());
    ::setenv("FATHOM_CACHE", folder_->path().c_str(), 1);
    ::setenv("FATHOM_CFLAGS", "-O1", 1);
  }
  void TearDown() override {
    for (const char* name : {"FATHOM_CACHE", "FATHOM_CFLAGS"}) ::unsetenv(name);
  }

  void compose() {
    net.finish();
    Diagnostics diagnostics;
    ir::compose(net.program, diagnostics);
    EXPECT_FALSE(diagnostics.failed());
    EXPECT_EQ(ir::validate(net.program), Steps{});
  }

  // The steps from the start state, after native code was found to agree with the interpreter on all states.
  Steps steps() {
    compose();
    InterpretedModel model(net.program), counters(net.program);
    NativeModel native(net.program, std::make_shared<SharedObject>(NativeBuild(net.program).build({})), counters.hits(),
                       counters.pending());
    expect_same_steps(model, native, 100);
    Batch start, batch;
    model.initial(start);
    model.successors(start.state(0), batch);
    return show_steps(net.program, batch);
  }

  HandBuiltNetwork net;
  std::optional<TemporaryFolder> folder_;
};

TEST_F(Compose, OneStepMovesBothComponentsAndRunsTheOfferingBodyFirst) {
  const ir::Variable* const x = net.variable("x", 0);
  ir::Edge& send = net.offers(net.edge(net.component("sender", 2), "send", 0, 1), net.number(7));
  ir::Edge& receive = net.accepts(net.edge(net.component("receiver", 3), "receive", 0, 2), net.number(7));
  net.assign(send, net.place(x), net.number(2));
  net.assign(receive, net.place(x), net.add(net.read(x), net.read(x)));
  EXPECT_EQ(steps(), Steps{"send / receive: x=4 sender=1 receiver=2"});
  EXPECT_EQ(net.program.edges()[0]->participants, (std::vector<std::uint32_t>{0, 1}));
}

TEST_F(Compose, PortsAreReadFromVariablesBeforeTheStep) {
  const ir::Variable* const channel = net.variable("channel", 1);
  const ir::Variable* const x = net.variable("x");
  ir::Edge& send = net.offers(net.edge(net.component("sender"), "send"), net.read(channel));
  net.assign(send, net.place(channel), net.number(0));
  for (const std::int64_t port : {0, 1}) {
    const std::string name = "receiver " + std::to_string(port);
    ir::Edge& receive = net.accepts(net.edge(net.component(name), name), net.number(port));
    net.assign(receive, net.place(x), net.number(port));
  }
  EXPECT_EQ(steps(), Steps{"send / receiver 1: channel=0 x=1"});
}

TEST_F(Compose, ParametersAreThoseOfTheOfferingEdgeAndThenThoseOfTheAcceptingOne) {
  const ir::Variable* const x = net.variable("x");
  const ir::Variable* const y = net.variable("y");
  ir::Edge& send = net.edge(net.component("sender"), "send");
  const ir::Local* const i = net.parameter(send, "i", 1);
  net.offers(send, net.add(net.read(i), net.number(1)));
  net.assign(send, net.place(x), net.read(i));
  ir::Edge& receive = net.edge(net.component("receiver"), "receive");
  const ir::Local* const j = net.parameter(receive, "j", 2);
  net.accepts(receive, net.read(j));
  net.assign(receive, net.place(y), net.read(j));
  EXPECT_EQ(steps(), (Steps{"send / receive (i: 0, j: 1): x=0 y=1", "send / receive (i: 1, j: 2): x=1 y=2"}));
}

TEST_F(Compose, EveryComponentMayAnswerButNotTheOneThatOffers) {
  const ir::Variable* const x = net.variable("x");
  ir::Component& sender = net.component("sender");
  net.offers(net.edge(sender, "send"), net.number(0));
  net.accepts(net.edge(sender, "receive"), net.number(0));
  for (const std::int64_t k : {1, 2}) {
    const std::string name = "receiver " + std::to_string(k);
    ir::Edge& receive = net.accepts(net.edge(net.component(name), name), net.number(0));
    net.assign(receive, net.place(x), net.number(k));
  }
  EXPECT_EQ(steps(), (Steps{"send / receiver 1: x=1", "send / receiver 2: x=2"}));
}

TEST_F(Compose, AnEdgeWithoutAPartnerHasNoStep) {
  const ir::Variable* const x = net.variable("x", 0);
  ir::Component& sender = net.component("sender");
  net.offers(net.edge(sender, "send"), net.number(0));
  net.accepts(net.edge(sender, "receive"), net.number(0));
  net.accepts(net.edge(net.component("deaf"), "wait"), net.number(1));
  net.assign(net.edge(sender, "alone"), net.place(x), net.number(1));
  EXPECT_EQ(steps(), Steps{"alone: x=1"});
  EXPECT_EQ(net.program.edges().size(), 1U);
}

TEST_F(Compose, AFaultInTheAcceptingGuardIsAFaultOfTheStep) {
  const ir::Variable* const nothing = net.variable("nothing");
  const ir::Variable* const x = net.variable("x", 0);
  ir::Component& sender = net.component("sender");
  net.offers(net.edge(sender, "closed"), net.number(0)).guard = net.equal(net.read(x), net.number(1));
  net.offers(net.edge(sender, "open"), net.number(0)).guard = net.equal(net.read(x), net.number(0));
  ir::Edge& receive = net.accepts(net.edge(net.component("receiver"), "receive"), net.number(0));
  receive.guard = net.equal(net.read(nothing), net.number(0));
  EXPECT_EQ(steps(), Steps{"open / receive: fault nothing"});
}

TEST_F(Compose, TheOfferedPortIsEvaluatedBeforeTheAcceptingGuard) {
  const ir::Variable* const port = net.variable("port");
  const ir::Variable* const x = net.variable("x", 0);
  net.offers(net.edge(net.component("sender"), "send"), net.read(port));
  ir::Edge& receive = net.accepts(net.edge(net.component("receiver"), "receive"), net.number(0));
  receive.guard = net.equal(net.read(x), net.number(1));
  EXPECT_EQ(steps(), Steps{"send / receive: fault port"});
}

TEST_F(Compose, NothingIsEvaluatedUnlessBothComponentsAreInPlace) {
  const ir::Variable* const nothing = net.variable("nothing");
  const ir::Expr* const faulty = net.equal(net.read(nothing), net.number(0));
  net.offers(net.edge(net.component("sender"), "send"), net.number(0)).guard = faulty;
  net.accepts(net.edge(net.component("receiver", 2), "receive", 1, 0), net.number(0)).guard = faulty;
  EXPECT_EQ(steps(), Steps{});
}

TEST_F(Compose, QuantifiersOfBothSidesKeepTheirOwnCounters) {
  const ir::Variable* const x = net.variable("x", 3);
  const auto some_counter_is_x = [&](ir::Edge& edge) {
    const ir::Type* const type = net.build.range(0, 9);
    const ir::Local* const k = net.local(edge, "k", type);
    ir::Domain domain;
    domain.type = type;
    ir::Expr& exists = net.build.expr(ir::Expr::Kind::exists, net.build.boolean(), net.here);
    exists.binding = net.build.binding(k, domain);
    exists.a = net.equal(net.read(k), net.read(x));
    return &exists;
  };
  ir::Edge& send = net.edge(net.component("sender"), "send");
  const ir::Local* const i = net.parameter(send, "i", 1);
  net.offers(send, net.read(i)).guard = some_counter_is_x(send);
  ir::Edge& receive = net.accepts(net.edge(net.component("receiver"), "receive"), net.number(1));
  receive.guard = some_counter_is_x(receive);
  EXPECT_EQ(steps(), Steps{"send / receive (i: 1): x=3"});
}

TEST_F(Compose, AReturnEndsTheOfferingBodyButNotTheStep) {
  const ir::Variable* const x = net.variable("x", 0);
  const ir::Variable* const y = net.variable("y", 0);
  ir::Edge& send = net.offers(net.edge(net.component("sender"), "send"), net.number(0));
  ir::Stmt& leave = net.build.stmt(ir::Stmt::Kind::branch, net.here);
  leave.branches.push_back(
      {net.equal(net.read(x), net.number(0)), {&net.build.stmt(ir::Stmt::Kind::give_back, net.here)}});
  send.routine.body.push_back(&leave);
  net.assign(send, net.place(x), net.number(1));
  ir::Edge& receive = net.accepts(net.edge(net.component("receiver"), "receive"), net.number(0));
  net.assign(receive, net.place(y), net.add(net.read(y), net.number(1)));
  EXPECT_EQ(steps(), Steps{"send / receive: x=0 y=1"});
}

TEST_F(Compose, TheSmallerPriorityNumberCounts) {
  ir::Component& sender = net.component("sender");
  net.edge(sender, "alone").priority = 1;
  net.offers(net.edge(sender, "send"), net.number(0)).priority = 5;
  net.accepts(net.edge(net.component("receiver"), "receive"), net.number(0)).priority = 0;
  net.variable("x", 0);
  EXPECT_EQ(steps(), Steps{"send / receive: x=0"});
}

TEST_F(Compose, ValuesTravelToTheGuardAndTheBodyOfTheAcceptingSide) {
  const ir::Variable* const x = net.variable("x", 2);
  const ir::Variable* const y = net.variable("y", 5);
  // The receiver stores what was sent the other way round: both values are those before the step.
  net.offers(net.edge(net.component("sender"), "swap"), net.number(0), {net.read(y), net.read(x)});
  for (const std::int64_t wanted : {5, 6}) {
    const std::string name = "receiver of " + std::to_string(wanted);
    ir::Edge& receive = net.edge(net.component(name), name);
    const ir::Local* const first = net.local(receive, "first", net.build.range(0, 9));
    const ir::Local* const second = net.local(receive, "second", net.build.range(0, 9));
    net.accepts(receive, net.number(0), {first, second}).guard = net.equal(net.read(first), net.number(wanted));
    net.assign(receive, net.place(x), net.read(first));
    net.assign(receive, net.place(y), net.read(second));
  }
  EXPECT_EQ(steps(), Steps{"swap / receiver of 5: x=5 y=2"});
}

TEST_F(Compose, AReceivedMachineIntegerIsCutToItsSizeInTheGuardAndInTheBody) {
  const ir::Type* const byte = net.build.machine(8, false);
  const ir::Type* const small = net.build.machine(4, true);
  const ir::Variable* const x = net.build.variable("x", &ir::machine_int(), net.here);
  const ir::Variable* const y = net.build.variable("y", &ir::machine_int(), net.here);
  net.assign(*net.program.starts[0], net.place(x), net.number(299));  // 43 in eight bits, -5 in four
  net.offers(net.edge(net.component("sender"), "send"), net.number(0), {net.read(x), net.read(x)});
  ir::Edge& receive = net.edge(net.component("receiver"), "receive");
  const ir::Local* const first = net.local(receive, "first", byte);
  const ir::Local* const second = net.local(receive, "second", small);
  net.accepts(receive, net.number(0), {first, second}).guard =
      net.binary(ir::Expr::Kind::logical_and, net.equal(net.read(first), net.number(43)),
                 net.equal(net.read(second), net.number(-5)));
  net.assign(receive, net.place(x), net.read(first));
  net.assign(receive, net.place(y), net.read(second));
  EXPECT_EQ(steps(), Steps{"send / receive: x=43 y=-5"});
}

TEST_F(Compose, SidesWithDifferentNumbersOfValuesDoNotMeet) {
  net.variable("x", 0);
  net.offers(net.edge(net.component("sender"), "send"), net.number(0), {net.number(1)});
  net.accepts(net.edge(net.component("receiver"), "receive"), net.number(0));
  EXPECT_EQ(steps(), Steps{});
}

TEST_F(Compose, AJointEdgeHasTheRanksOfBothSidesAndTheControlOfTheAcceptingOne) {
  ir::Edge& send = net.offers(net.edge(net.component("sender"), "send"), net.number(0));
  send.rank = 2;
  send.control = ir::Control::keep;
  ir::Edge& receive = net.accepts(net.edge(net.component("receiver"), "receive"), net.number(0));
  receive.rank = 3;
  compose();
  const ir::Edge& joint = *net.program.edges()[0];
  EXPECT_EQ(joint.rank, 2);
  EXPECT_EQ(joint.accepting_rank, 3);
  EXPECT_EQ(joint.control, ir::Control::release);
}

TEST_F(Compose, LeavesAProgramWithoutSynchronisationAlone) {
  net.assign(net.edge(net.component("one", 2), "move", 0, 1), net.place(net.variable("x", 0)), net.number(1));
  net.finish();
  const std::string before = ir::print(net.program);
  const ir::Edge* const edge = net.program.edges()[0];
  Diagnostics diagnostics;
  ir::compose(net.program, diagnostics);
  EXPECT_EQ(ir::print(net.program), before);
  EXPECT_EQ(net.program.edges()[0], edge);
}

TEST_F(Compose, ReportsAJointStepWithTooManyInstances) {
  ir::Edge& send = net.edge(net.component("sender"), "send");
  net.offers(send, net.read(net.parameter(send, "i", 99'999)));
  ir::Edge& receive = net.edge(net.component("receiver"), "receive");
  net.accepts(receive, net.read(net.parameter(receive, "j", 99'999)));
  net.finish();
  Diagnostics diagnostics;
  ir::compose(net.program, diagnostics);
  ASSERT_EQ(diagnostics.all().size(), 1U);
  EXPECT_EQ(diagnostics.all()[0].code, "F310");
}

TEST_F(Compose, TheListingShowsPortsAndParticipants) {
  net.offers(net.edge(net.component("sender"), "send"), net.number(4));
  net.accepts(net.edge(net.component("receiver"), "receive"), net.number(4));
  const std::string apart = ir::print(net.program);
  EXPECT_NE(apart.find("edge \"send\"\n  offers 4\n"), std::string::npos) << apart;
  EXPECT_NE(apart.find("edge \"receive\"\n  accepts 4\n"), std::string::npos) << apart;
  compose();
  const std::string joint = ir::print(net.program);
  EXPECT_NE(joint.find("  step of component 0 \"sender\"\n  step of component 1 \"receiver\"\n"), std::string::npos)
      << joint;
}

TEST(Validate, APortMustBeScalar) {
  HandBuiltNetwork net;
  net.offers(net.edge(net.component("sender"), "send"), nullptr);
  EXPECT_EQ(ir::validate(net.program), Steps{"send: an expression is missing"});
  const ir::Type* const bits = net.build.array(net.build.range(0, 3), net.build.boolean());
  net.offers(*net.program.components[0].edges[0], net.build.constant(0, bits, net.here));
  EXPECT_EQ(ir::validate(net.program), Steps{"send: a port is not scalar"});
}

std::unique_ptr<ir::Program> load(Sources& sources, const fs::path& path) {
  std::ifstream file(path);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  Diagnostics diagnostics;
  return murphi::load(sources, sources.add(path.string(), text), {}, diagnostics).program;
}

// Lets every rule synchronise with a silent component, which copies the rule but must not change what it does.
void give_a_silent_partner(ir::Program& program, ir::Synchronisation::Side side) {
  using Side = ir::Synchronisation::Side;
  ir::Expr& port = program.exprs.emplace_back();  // the constant 0
  port.type = &ir::integer();
  for (const auto& edge : program.components[0].edges) edge->synchronisation = {side, &port};
  auto silent = std::make_unique<ir::Edge>();
  silent->priority = std::numeric_limits<std::int64_t>::max();
  silent->synchronisation = {side == Side::offers ? Side::accepts : Side::offers, &port};
  program.components.emplace_back().edges.push_back(std::move(silent));
  Diagnostics diagnostics;
  ir::compose(program, diagnostics);
}

TEST_F(Compose, CopiesOfTheRulesOfAllTestModelsDoWhatTheRulesDo) {
  std::size_t models = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(FATHOM_SOURCE_DIR) / "tests" / "models")) {
    for (const auto side : {ir::Synchronisation::Side::offers, ir::Synchronisation::Side::accepts}) {
      SCOPED_TRACE(entry.path().string());
      Sources sources;
      const auto plain = load(sources, entry.path());
      const auto composed = load(sources, entry.path());
      if (plain == nullptr || composed == nullptr) continue;
      ++models;
      give_a_silent_partner(*composed, side);
      EXPECT_EQ(ir::validate(*composed), Steps{});
      EXPECT_EQ(composed->edges().size(), plain->edges().size());
      InterpretedModel expected(*plain), actual(*composed);
      expect_same_steps(expected, actual, 200);
      EXPECT_EQ(expected.hits(), actual.hits());
    }
  }
  EXPECT_GT(models, 20U);
}

}  // namespace
}  // namespace fathom
