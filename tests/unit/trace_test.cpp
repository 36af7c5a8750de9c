#include <gtest/gtest.h>

#include "counter_model.hpp"
#include "state/bits.h"
#include "state/leaves.hpp"
#include "trace/conclude.hpp"
#include "trace/concretise.hpp"
#include "trace/trace.hpp"

namespace fathom {
namespace {

// The packed state in which x has this value: code k + 1 in the only word.
StateBuffer x_is(std::uint64_t value) {
  return {value + 1};
}

Counterexample violated_invariant(std::vector<StateBuffer> states) {
  Counterexample result;
  result.states = std::move(states);
  return result;
}

// A symmetry in which nothing but the parity of x matters, and 0 and 1 are the representatives.
class Parity final : public Canonicaliser {
 public:
  void canonicalise(std::uint64_t* state) override { *state = (*state - 1) % 2 + 1; }
};

TEST(Concretise, FindsTheStepsBetweenTheStates) {
  CounterModel counter;
  InterpretedModel model(counter.program);
  const ConcreteRun run = concretise(violated_invariant({x_is(0), x_is(1), x_is(3)}), model);
  EXPECT_EQ(run.start, make_instance(0, 0));
  EXPECT_EQ(run.steps, (std::vector{make_instance(0, 0), make_instance(0, 1)}));
  EXPECT_FALSE(run.fails_inside);
}

TEST(Concretise, FollowsRepresentatives) {
  CounterModel counter;
  InterpretedModel model(counter.program);
  Parity parity;
  // 0, odd, even: the first steps that fit are by one each.
  const ConcreteRun run = concretise(violated_invariant({x_is(0), x_is(1), x_is(0)}), model, &parity);
  EXPECT_EQ(run.steps, (std::vector{make_instance(0, 0), make_instance(0, 0)}));
}

TEST(Concretise, FindsTheFailingStep) {
  CounterModel counter;
  InterpretedModel model(counter.program);
  Counterexample example;
  example.violation = {Violation::Kind::fault, 0, counter.too_large};
  example.states = {x_is(0), x_is(2)};
  example.failing_step = make_instance(0, 1);
  const ConcreteRun run = concretise(example, model);
  EXPECT_EQ(run.steps.back(), make_instance(0, 1));
  EXPECT_TRUE(run.fails_inside);
}

TEST(Concretise, RefusesStatesThatDoNotFollow) {
  CounterModel counter;
  InterpretedModel model(counter.program);
  EXPECT_THROW(concretise(violated_invariant({x_is(0), x_is(3)}), model), ReplayError);
  EXPECT_THROW(concretise(violated_invariant({x_is(1)}), model), ReplayError);
  EXPECT_THROW(concretise(violated_invariant({}), model), ReplayError);
}

class Replaying : public ::testing::Test {
 protected:
  ConcreteRun run_by(std::vector<std::uint32_t> parameters) const {
    ConcreteRun run;
    for (const std::uint32_t parameter : parameters) run.steps.push_back(make_instance(0, parameter));
    return run;
  }

  CounterModel counter_;
  InterpretedModel model_{counter_.program};
};

TEST_F(Replaying, GivesTheStatesOfTheRun) {
  const Replayed replayed = replay(run_by({0, 1}), model_, DeadlockMode::stuttering);
  EXPECT_EQ(replayed.states, (std::vector{x_is(0), x_is(1), x_is(3)}));
}

TEST_F(Replaying, RefusesAnInvariantThatHolds) {
  EXPECT_THROW(replay(run_by({0}), model_, DeadlockMode::stuttering), ReplayError);
}

TEST_F(Replaying, AcceptsTheFaultThatWasSeenAndNoOther) {
  ConcreteRun run = run_by({1, 1});
  run.fails_inside = true;
  run.violation = {Violation::Kind::fault, 0, counter_.too_large};
  EXPECT_FALSE(replay(run, model_, DeadlockMode::stuttering).fault.empty());
  run.violation.site = counter_.failed_assertion;
  EXPECT_THROW(replay(run, model_, DeadlockMode::stuttering), ReplayError);
}

TEST_F(Replaying, RefusesAFaultInTheMiddle) {
  EXPECT_THROW(replay(run_by({1, 1, 0}), model_, DeadlockMode::stuttering), ReplayError);
}

TEST_F(Replaying, RefusesADeadlockThatIsNone) {
  ConcreteRun run = run_by({0});
  run.violation.kind = Violation::Kind::deadlock;
  EXPECT_THROW(replay(run, model_, DeadlockMode::stuttering), ReplayError);
  EXPECT_THROW(replay(run, model_, DeadlockMode::stuck), ReplayError);
}

TEST_F(Replaying, IsToldInWords) {
  const ConcreteRun run = run_by({0, 1});
  const Trace trace = describe(counter_.program, run, replay(run, model_, DeadlockMode::stuttering), false);
  EXPECT_EQ(trace.start.name, "zero");
  EXPECT_EQ(trace.start.state, (NamedValues{{"x", "0"}}));
  ASSERT_EQ(trace.steps.size(), 2U);
  EXPECT_EQ(trace.steps[1].rule, "count");
  EXPECT_EQ(trace.steps[1].parameters, (NamedValues{{"by", "2"}}));
  EXPECT_EQ(trace.steps[1].agents, (std::vector<std::string>{"2"}));
  EXPECT_EQ(trace.steps[1].location, "counter.m:1:1");
  EXPECT_EQ(trace.steps[1].changes, (std::vector<LeafChange>{{"x", "1", "3"}}));
}

TEST_F(Replaying, EndsWithTheReason) {
  const ConcreteRun run = run_by({0, 1});
  const auto lines =
      conclude(counter_.program, run, replay(run, model_, DeadlockMode::stuttering), DeadlockMode::stuttering);
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines.front(), "false here: `x < 3` (counter.m:1:1)");
}

TEST(Leaves, NamesAndShowsEveryScalar) {
  ir::Program program;
  ir::Builder builder(program);
  const ir::Type* node = builder.named(builder.scalarset(2), "NODE");
  const ir::Type* message = builder.record({{"cmd", builder.enumeration({"Empty", "Inv"}), 0}, {"to", node, 0}});
  builder.variable("chan", builder.array(node, message), {});
  const ir::Variable* net = builder.variable("net", builder.multiset(2, builder.boolean()), {});
  const Leaves leaves(program);

  std::vector<std::string> names;
  for (const Leaf& leaf : leaves.all()) names.push_back(leaf.name);
  EXPECT_EQ(names, (std::vector<std::string>{"chan[NODE_1].cmd", "chan[NODE_1].to", "chan[NODE_2].cmd",
                                             "chan[NODE_2].to", "net{0}", "net{1}"}));

  const std::vector<std::uint64_t> before((program.state_bits + 63) / 64);
  std::vector<std::uint64_t> after = before;
  fathom_set(after.data(), leaves.all()[2].offset, leaves.all()[2].type->bits, 2);
  fathom_set(after.data(), net->offset, 1, 1);
  fathom_set(after.data(), net->offset + 1, builder.boolean()->bits, 2);
  EXPECT_EQ(leaves.diff(before, after),
            (std::vector<LeafChange>{{"chan[NODE_2].cmd", "Undefined", "Inv"}, {"net{0}", std::nullopt, "true"}}));
  EXPECT_EQ(leaves.values(before).size(), 4U);
}

}  // namespace
}  // namespace fathom
