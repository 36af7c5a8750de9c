// What evaluators promise of their estimates, against the exact distances in the whole graph of random models.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <map>
#include <random>
#include <sstream>
#include <thread>

#include "exact_distances.hpp"
#include "heuristic/abstraction.hpp"
#include "heuristic/combination.hpp"
#include "heuristic/formula.hpp"
#include "heuristic/fsm_to_state.hpp"
#include "heuristic/hamming.hpp"
#include "heuristic/zero.hpp"
#include "random_networks.hpp"

namespace fathom {
namespace {

int models() {
  const char* const wanted = std::getenv("FATHOM_MODELS");
  return wanted != nullptr ? std::atoi(wanted) : 1000;
}

// The first state in which the promise is broken, in words; "" if it is kept.
std::string broken(Evaluator& evaluator, Promise promise, const Graph& graph, const std::vector<std::uint32_t>& exact) {
  std::vector<Cost> estimates;
  const Batch nothing;
  for (const StateBuffer& state : graph.states()) estimates.push_back(evaluator.estimate(state, nothing));
  std::ostringstream out;
  for (std::size_t k = 0; k < estimates.size(); ++k) {
    const bool too_much = exact[k] == unreached ? false : estimates[k] > exact[k];
    if (promise.admissible && too_much) out << "state " << k << ": " << estimates[k] << " instead of " << exact[k];
    for (const std::size_t next : graph.steps()[k])
      if (promise.consistent && out.str().empty() && exact[next] != unreached && estimates[k] > estimates[next] + 1)
        out << "step " << k << " to " << next << ": from " << estimates[k] << " to " << estimates[next];
    if (!out.str().empty()) return out.str();
  }
  return "";
}

AbstractionChoice automatic(std::size_t size, double seconds = 1) {
  return {.variables = {}, .processes = {}, .size = size, .seconds = seconds};
}

// What an abstraction promises must not depend on how far it came.
constexpr double short_time = 0.03;

struct Named {
  const char* name;
  std::unique_ptr<Evaluator> evaluator;
};

// Until the compiler is done.
bool becomes_native(Formula& formula, const StateBuffer& state) {
  const auto begin = std::chrono::steady_clock::now();
  while (!formula.is_compiled() && std::chrono::steady_clock::now() - begin < std::chrono::seconds(30)) {
    for (int k = 0; k < 20'000; ++k) static_cast<void>(formula.estimate(state, Batch()));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return formula.is_compiled();
}

std::vector<Named> all_that_promise(const Goals& goals) {
  ModelFacts facts(goals.program);
  std::vector<Named> all;
  const auto formula = [&](const char* name, Combine combine, Formula::Leaves leaves) {
    all.push_back({name, std::make_unique<Formula>(goals, facts, combine, leaves)});
  };
  formula("formula(max)", Combine::max, Formula::Leaves::all);
  formula("fsm(max)", Combine::max, Formula::Leaves::control);
  formula("fsm(divided)", Combine::divided, Formula::Leaves::control);
  all.push_back({"abstraction(2k)", std::make_unique<Abstraction>(goals, std::make_unique<ModelFacts>(goals.program),
                                                                  automatic(2000, short_time))});
  all.push_back({"abstraction(20)", std::make_unique<Abstraction>(goals, std::make_unique<ModelFacts>(goals.program),
                                                                  automatic(20, short_time))});
  return all;
}

TEST(EvaluatorPromise, IsKeptOnRandomModels) {
  int promises = 0;
  std::map<std::string, std::uint64_t> sums, kept;
  for (int seed = 0; seed < models(); ++seed) {
    const auto example = random_case(seed);
    if (!example) continue;
    InterpretedModel model(*example->loaded->program);
    const Graph graph(example->goals, model);
    if (!graph.is_small()) continue;
    const std::vector<std::uint32_t> exact = graph.to_violations();
    for (const Named& named : all_that_promise(example->goals)) {
      const Promise promise = named.evaluator->promise();
      promises += promise.admissible ? 1 : 0;
      kept[named.name] += promise.admissible ? 1 : 0;
      for (const StateBuffer& state : graph.states()) {
        const Cost estimate = named.evaluator->estimate(state, Batch());
        if (estimate < largest_estimate) sums[named.name] += estimate;
      }
      ASSERT_EQ(broken(*named.evaluator, promise, graph, exact), "") << named.name << ", seed " << seed << "\n"
                                                                     << example->loaded->text;
    }
  }
  for (const auto& [name, sum] : sums) {
    EXPECT_GT(sum, 0U) << name << " says nothing at all";
    RecordProperty(name, std::to_string(sum) + " in " + std::to_string(kept[name]) + " models");
  }
  EXPECT_GT(promises, models());
}

TEST(EvaluatorPromise, TowardsAStateIsKeptOnRandomModels) {
  for (int seed = 0; seed < models() / 2; ++seed) {
    const auto example = random_case(seed);
    if (!example) continue;
    InterpretedModel model(*example->loaded->program);
    const Graph graph(example->goals, model);
    if (!graph.is_small() || graph.states().empty()) continue;
    const std::size_t target = (static_cast<std::size_t>(seed) * 7919) % graph.states().size();
    const std::vector<std::uint32_t> exact = graph.to_state(target);
    ModelFacts facts(*example->loaded->program);
    const StateView state = graph.states()[target];
    Hamming hamming(*example->loaded->program, state, Hamming::Form::divided, facts);
    ASSERT_EQ(broken(hamming, hamming.towards_target(), graph, exact), "") << seed << "\n" << example->loaded->text;
    for (const Combine combine : {Combine::max, Combine::divided}) {
      FsmToState fsm(*example->loaded->program, state, combine, facts);
      ASSERT_EQ(broken(fsm, fsm.towards_target(), graph, exact), "") << seed << "\n" << example->loaded->text;
    }
  }
}

// A rendezvous moves two processes at once, so that the sum of their distances drops by two.
TEST(EvaluatorPromise, OfTheFsmSumIsFoundOutWhereProcessesMeet) {
  const char* const text =
      "chan r = [0] of { bit };\n"
      "active proctype A() { r!1; r!1; r!1 }\n"
      "active proctype B() { bit x; r?x; r?x; r?x }\n";
  const auto loaded = Loaded::of_promela(text);
  ASSERT_NE(loaded->program, nullptr);
  const Goals goals = goals_for(*loaded->program, false, false);
  InterpretedModel model(*loaded->program);
  const Graph graph(goals, model);
  std::size_t target = 0;  // both are through, and neither is gone
  while (graph.to_state(target)[0] != 3) ++target;
  ModelFacts facts(*loaded->program);
  FsmToState sum(*loaded->program, graph.states()[target], Combine::sum, facts);
  FsmToState most(*loaded->program, graph.states()[target], Combine::max, facts);
  FsmToState divided(*loaded->program, graph.states()[target], Combine::divided, facts);
  const Promise too_much{.admissible = true, .consistent = true};
  EXPECT_FALSE(sum.towards_target().admissible);
  EXPECT_NE(broken(sum, too_much, graph, graph.to_state(target)), "");
  EXPECT_EQ(broken(most, too_much, graph, graph.to_state(target)), "");
  EXPECT_EQ(broken(divided, too_much, graph, graph.to_state(target)), "");
  EXPECT_EQ(most.estimate(graph.states()[0], Batch()), 3U);
  EXPECT_EQ(divided.estimate(graph.states()[0], Batch()), 3U);
}

// The same towards violations: the sum over processes must not be called a lower bound.
TEST(EvaluatorPromise, OfTheFsmSumTowardsViolationsIsFoundOut) {
  int found_out = 0;
  for (int seed = 0; seed < models() && found_out == 0; ++seed) {
    const auto example = random_case(seed);
    if (!example) continue;
    InterpretedModel model(*example->loaded->program);
    const Graph graph(example->goals, model);
    if (!graph.is_small()) continue;
    ModelFacts facts(*example->loaded->program);
    Formula sum(example->goals, facts, Combine::sum, Formula::Leaves::control);
    EXPECT_FALSE(sum.promise().admissible);
    found_out += broken(sum, {true, true}, graph, graph.to_violations()).empty() ? 0 : 1;
  }
  EXPECT_GT(found_out, 0);
}

// ---- Small models with known answers --------------------------------------------------------------------------------

Cost at_start(Evaluator& evaluator, const ir::Program& program) {
  InterpretedModel model(program);
  Batch starts;
  model.initial(starts);
  return evaluator.estimate(starts.state(0), Batch());
}

TEST(Formula, AddsUpDistancesOfNumbers) {
  const auto loaded = Loaded::of_murphi(
      "var x: 0..9; y: 0..9; b: boolean;\n"
      "rule \"x\" x < 9 ==> begin x := x + 1; end;\n"
      "rule \"y\" y < 9 ==> begin y := y + 1; end;\n"
      "rule \"b\" begin b := !b; end;\n"
      "startstate begin x := 0; y := 1; b := false; end;\n"
      "invariant \"i\" !(x = 4 & y > 3 & b);\n");
  ASSERT_NE(loaded->program, nullptr);
  const Goals goals = goals_for(*loaded->program, true, true);
  ModelFacts facts(*loaded->program);
  Formula sum(goals, facts, Combine::sum, Formula::Leaves::all);
  EXPECT_EQ(at_start(sum, *loaded->program), 4U + 3U + 1U);
  EXPECT_EQ(sum.aim(), "invariants");
  Formula most(goals, facts, Combine::max, Formula::Leaves::all);
  EXPECT_TRUE(most.promise().consistent);
  EXPECT_EQ(at_start(most, *loaded->program), 1U);
}

TEST(Formula, TakesTheNearestOfSeveralInstances) {
  const auto loaded = Loaded::of_murphi(
      "type P: 0..2; S: enum { idle, trying, critical };\n"
      "var s: array [P] of S;\n"
      "ruleset p: P do\n"
      "  rule s[p] = idle ==> begin s[p] := trying; end;\n"
      "  rule s[p] = trying ==> begin s[p] := critical; end;\n"
      "  rule s[p] = critical ==> begin s[p] := idle; end;\n"
      "end;\n"
      "startstate begin for p: P do s[p] := idle; end; s[1] := trying; end;\n"
      "invariant \"mutex\" forall p: P do forall q: P do p != q -> !(s[p] = critical & s[q] = critical) end end;\n");
  ASSERT_NE(loaded->program, nullptr);
  const Goals goals = goals_for(*loaded->program, true, true);
  ModelFacts facts(*loaded->program);
  Formula sum(goals, facts, Combine::sum, Formula::Leaves::all);
  EXPECT_EQ(at_start(sum, *loaded->program), 1U + 2U);
  Formula fsm(goals, facts, Combine::max, Formula::Leaves::control);
  EXPECT_TRUE(fsm.promise().consistent);
  EXPECT_EQ(at_start(fsm, *loaded->program), 2U);
  Formula divided(goals, facts, Combine::divided, Formula::Leaves::control);
  EXPECT_EQ(at_start(divided, *loaded->program), 3U);
  Abstraction exact(goals, std::make_unique<ModelFacts>(*loaded->program), automatic(10'000));
  EXPECT_EQ(at_start(exact, *loaded->program), 3U);
}

TEST(Fsm, CountsTheStepsToAnAssertion) {
  const auto loaded = Loaded::of_promela(
      "byte x;\n"
      "active proctype A() { x = 1; x = 2; x = 3; assert(x == 3) }\n"
      "active proctype B() { do :: x = 4 od }\n");
  ASSERT_NE(loaded->program, nullptr);
  const Goals goals = goals_for(*loaded->program, true, false);
  ModelFacts facts(*loaded->program);
  Formula fsm(goals, facts, Combine::max, Formula::Leaves::control);
  EXPECT_TRUE(fsm.promise().consistent);
  EXPECT_EQ(at_start(fsm, *loaded->program), 4U);
}

TEST(Abstraction, ProvesThatNothingCanBeViolated) {
  const auto loaded = Loaded::of_murphi(
      "type P: 0..1;\n"
      "var s: array [P] of boolean; free: boolean; count: 0..99;\n"
      "ruleset p: P do\n"
      "  rule free & !s[p] ==> begin s[p] := true; free := false; end;\n"
      "  rule s[p] ==> begin s[p] := false; free := true; end;\n"
      "end;\n"
      "rule begin count := (count + 1) % 100; end;\n"
      "startstate begin for p: P do s[p] := false; end; free := true; count := 0; end;\n"
      "invariant \"mutex\" !(s[0] & s[1]);\n");
  ASSERT_NE(loaded->program, nullptr);
  const Goals goals = goals_for(*loaded->program, true, true);
  Abstraction abstraction(goals, std::make_unique<ModelFacts>(*loaded->program), automatic(1000));
  EXPECT_EQ(abstraction.complaint(), "");
  EXPECT_EQ(at_start(abstraction, *loaded->program), dead_end);
  EXPECT_LT(abstraction.states(), 200U);
}

// In a deadlock everybody is blocked, so what it takes to block each of them adds up.
TEST(Abstraction, AddsUpWhatItTakesToBlockEachAgent) {
  const auto loaded = Loaded::of_murphi(
      "const N: 6;\n"
      "type P: 0..N-1; S: enum { thinking, hungry };\n"
      "var s: array [P] of S; taken: array [P] of boolean;\n"
      "ruleset p: P do\n"
      "  rule s[p] = thinking & !taken[p] ==> begin s[p] := hungry; taken[p] := true; end;\n"
      "  rule s[p] = hungry & !taken[(p + 1) % N] ==> begin s[p] := thinking; taken[p] := false; end;\n"
      "end;\n"
      "startstate begin for p: P do s[p] := thinking; taken[p] := false; end; end;\n");
  ASSERT_NE(loaded->program, nullptr);
  Abstraction abstraction(goals_for(*loaded->program, true, true), std::make_unique<ModelFacts>(*loaded->program),
                          automatic(10'000));
  EXPECT_TRUE(abstraction.promise().consistent);
  EXPECT_EQ(at_start(abstraction, *loaded->program), 6U);
}

// One who holds a place and waits for a message can be blocked for as long as nobody looks at the one who sends it:
// only several agents together say what it takes.
TEST(Abstraction, LooksAtAgentsTogetherThatWaitForEachOther) {
  const auto loaded = Loaded::of_promela(
      "#define N 4\n"
      "bool up[N];\n"
      "chan ahead[N] = [1] of { bit };\n"
      "chan back[N] = [1] of { bit };\n"
      "active [N] proctype Sender() {\n"
      "  do :: atomic { !up[_pid] -> up[_pid] = true }; ahead[_pid]!1; back[_pid]?1; up[_pid] = false od\n"
      "}\n"
      "active [N] proctype Receiver() {\n"
      "  do :: ahead[(_pid - 1) % N]?1; atomic { !up[_pid - N] -> up[_pid - N] = true };\n"
      "        back[(_pid - 1) % N]!1; up[_pid - N] = false od\n"
      "}\n");
  ASSERT_NE(loaded->program, nullptr);
  Abstraction abstraction(goals_for(*loaded->program, true, false), std::make_unique<ModelFacts>(*loaded->program),
                          automatic(20'000, 5));
  EXPECT_TRUE(abstraction.promise().consistent);
  EXPECT_EQ(at_start(abstraction, *loaded->program), 4U * 3U);
  // That is exact, so that nothing else joins the patterns although there is room.
  EXPECT_EQ(abstraction.whole(), nullptr);
  EXPECT_LT(abstraction.states(), 2000U);
}

// Agents in a ring, each with some rules about its own cells and those of its neighbours.
std::string random_ring(std::mt19937& random) {
  const auto number = [&](unsigned count) { return std::to_string(random() % count); };
  const auto place = [&] { return std::string(random() % 2 == 0 ? "p" : "(p + 1) % N"); };
  std::string text = "const N: " + std::to_string(3 + random() % 3) + ";\ntype P: 0..N-1;\n" +
                     "var s: array [P] of 0..2; f: array [P] of 0..1;\n"
                     "startstate begin clear s; clear f; end;\nruleset p: P do\n";
  for (int rule = 0; rule < 4; ++rule)
    text += "  rule s[p] = " + number(3) + " & f[" + place() + "] = " + number(2) + " ==> begin s[p] := " + number(3) +
            "; f[" + place() + "] := " + number(2) + "; end;\n";
  return text + "end;\n";
}

TEST(Abstraction, KeepsItsPromiseAboutDeadlocksOfRings) {
  std::mt19937 random(7);
  std::uint64_t sum = 0;
  for (int round = 0; round < models() / 4; ++round) {
    const auto loaded = Loaded::of_murphi(random_ring(random));
    ASSERT_NE(loaded->program, nullptr);
    const Goals goals = goals_for(*loaded->program, true, round % 2 == 0);
    InterpretedModel model(*loaded->program);
    const Graph graph(goals, model);
    if (!graph.is_small()) continue;
    const std::vector<std::uint32_t> exact = graph.to_violations();
    for (const double seconds : {0.1, 0.002}) {
      Abstraction abstraction(goals, std::make_unique<ModelFacts>(*loaded->program), automatic(2000, seconds));
      ASSERT_EQ(broken(abstraction, abstraction.promise(), graph, exact), "") << loaded->text;
      const Cost estimate = at_start(abstraction, *loaded->program);
      sum += estimate < largest_estimate ? estimate : 0;
    }
  }
  EXPECT_GT(sum, 50U);
}

// A pattern of the property alone says 1; what it lacks is the counter that the last step waits for.
TEST(Abstraction, LooksForWhatItsPatternLacks) {
  const auto loaded = Loaded::of_murphi(
      "var bad, idle: boolean; count: 0..20;\n"
      "rule count < 20 ==> begin count := count + 1; end;\n"
      "rule begin idle := !idle; end;\n"
      "rule count = 20 ==> begin bad := true; end;\n"
      "startstate begin bad := false; idle := false; count := 0; end;\n"
      "invariant !bad;\n");
  ASSERT_NE(loaded->program, nullptr);
  Abstraction abstraction(goals_for(*loaded->program, true, false), std::make_unique<ModelFacts>(*loaded->program),
                          automatic(1000));
  EXPECT_EQ(at_start(abstraction, *loaded->program), 21U);
  EXPECT_LT(abstraction.states(), 50U);
}

// A fault in an invariant is a violation like others, as far away as it is.
TEST(Abstraction, FollowsPropertiesWhoseEvaluationMayFault) {
  const auto loaded = Loaded::of_murphi(
      "var has: boolean; value: 0..9; n: 0..5;\n"
      "rule n < 5 ==> begin n := n + 1; end;\n"
      "rule n = 5 & !has ==> begin has := true; value := 3; end;\n"
      "rule has ==> begin undefine value; end;\n"
      "startstate begin has := false; n := 0; undefine value; end;\n"
      "invariant has -> value != 4;\n");
  ASSERT_NE(loaded->program, nullptr);
  Abstraction abstraction(goals_for(*loaded->program, false, false), std::make_unique<ModelFacts>(*loaded->program),
                          automatic(1000));
  EXPECT_EQ(abstraction.complaint(), "");
  EXPECT_TRUE(abstraction.promise().consistent);
  EXPECT_EQ(at_start(abstraction, *loaded->program), 7U);
}

// Of eleven aims ten are soon found to be out of reach, and one needs a thousand states.
TEST(Abstraction, GivesTheRoomToTheAimThatNeedsIt) {
  const auto loaded = Loaded::of_murphi(
      "type P: 0..9;\n"
      "var bad: boolean; count: 0..1000; worse, a, b: array [P] of boolean;\n"
      "rule count < 1000 ==> begin count := count + 1; end;\n"
      "rule count = 1000 ==> begin bad := true; end;\n"
      "ruleset p: P do\n"
      "  rule !b[p] ==> begin a[p] := !a[p]; end;\n"
      "  rule !a[p] ==> begin b[p] := !b[p]; end;\n"
      "  rule a[p] & b[p] ==> begin worse[p] := true; end;\n"
      "end;\n"
      "startstate begin bad := false; count := 0;\n"
      "  for p: P do worse[p] := false; a[p] := false; b[p] := false; end; end;\n"
      "ruleset p: P do invariant !worse[p]; end;\n"
      "invariant !bad;\n");
  ASSERT_NE(loaded->program, nullptr);
  Abstraction abstraction(goals_for(*loaded->program, false, false), std::make_unique<ModelFacts>(*loaded->program),
                          automatic(2500));
  EXPECT_EQ(at_start(abstraction, *loaded->program), 1001U);
  EXPECT_EQ(abstraction.tables(), 1U);
}

TEST(Abstraction, CountsCosts) {
  const auto loaded = Loaded::of_murphi(
      "var x: 0..9;\n"
      "rule \"dear\" x < 9 ==> begin x := x + 1; end;\n"
      "rule \"cheap\" x < 8 ==> begin x := x + 2; end;\n"
      "startstate begin x := 0; end;\n"
      "invariant x < 9;\n");
  ASSERT_NE(loaded->program, nullptr);
  AbstractionChoice choice = automatic(1000);
  choice.costs = {7, 3};
  Abstraction abstraction(goals_for(*loaded->program, true, false), std::make_unique<ModelFacts>(*loaded->program),
                          choice);
  EXPECT_TRUE(abstraction.in_costs());
  EXPECT_EQ(at_start(abstraction, *loaded->program), 4U * 3U + 7U);
}

// Compiled, an estimate is the same.
TEST(Formula, IsTheSameAsNativeCode) {
  int compared = 0;
  for (int seed = 0; seed < 40 && compared < 6; ++seed) {
    const auto example = random_case(seed);
    if (!example) continue;
    InterpretedModel model(*example->loaded->program);
    const Graph graph(example->goals, model);
    ModelFacts facts(*example->loaded->program);
    for (const Combine combine : {Combine::sum, Combine::max}) {
      Formula plain(example->goals, facts, combine, Formula::Leaves::all);
      Formula native(example->goals, facts, combine, Formula::Leaves::all);
      native.compile_when([] { return true; });
      if (graph.states().empty() || plain.about().starts_with("0 ")) continue;
      ASSERT_TRUE(becomes_native(native, graph.states().front())) << seed;
      for (const StateBuffer& state : graph.states())
        ASSERT_EQ(native.estimate(state, Batch()), plain.estimate(state, Batch())) << seed;
      ++compared;
    }
  }
  EXPECT_GE(compared, 6);
}

TEST(Combination, PromisesWhatItsPartsPromise) {
  const auto parts = [](std::unique_ptr<Evaluator> other) {
    EvaluatorParts all;
    all.push_back(std::make_unique<Zero>());
    all.push_back(std::move(other));
    return all;
  };
  EXPECT_TRUE(Largest(parts(std::make_unique<Zero>())).promise().consistent);
  EXPECT_FALSE(Sum(parts(std::make_unique<Zero>())).promise().admissible);
  EXPECT_FALSE(Largest(parts(std::make_unique<Weighted>(std::make_unique<Zero>(), 2))).promise().admissible);
  EXPECT_TRUE(Largest(parts(std::make_unique<Weighted>(std::make_unique<Zero>(), 0.5))).promise().admissible);
}

}  // namespace
}  // namespace fathom
