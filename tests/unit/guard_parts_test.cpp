// The interpreter leaves out instances of a rule whose guards need not be looked at: it must miss none that is enabled
// or whose guard fails.
#include <gtest/gtest.h>

#include <deque>
#include <set>

#include "ir/program.hpp"
#include "lang/murphi/load.hpp"
#include "model/guard_parts.hpp"
#include "model/instance_walk.hpp"
#include "model/interpreted.hpp"

namespace fathom {
namespace {

struct Loaded {
  Sources sources;
  std::unique_ptr<ir::Program> program;

  explicit Loaded(const std::string& text) {
    Diagnostics diagnostics;
    program = murphi::load(sources, sources.add("test.m", text), {}, diagnostics).program;
    for (const Diagnostic& diagnostic : diagnostics.all()) ADD_FAILURE() << render(diagnostic, sources, false);
  }
};

// Guards that fail by the outer parameter, by the inner one, by both and by none; in parts that come before and after
// one that is false; inside functions and by their arguments.
const char* const model = R"(
type Id: 0..2;
var a: array [Id] of 0..2; b: array [Id] of Id; u: Id; v: array [Id] of Id; seen: 0..3;
function is(x: Id; y: Id): boolean; begin return x != y & a[x] = y & b[y] = x; end;
function low(x: 0..1; y: Id): boolean; begin return a[y] > 0 & x = 0; end;
function odd(x: Id): boolean; begin return b[x] = 1 & v[x] = 1; end;
function prints(x: Id): boolean; begin put "looked"; return a[x] = 1; end;
startstate for i: Id do a[i] := 0; b[i] := 2 - i; end; seen := 0; end;
ruleset i: Id do
  rule "up" a[i] < 2 ==> a[i] := a[i] + 1; end;
  rule "note" a[i] = 2 & isundefined(v[i]) ==> v[i] := i; end;
  rule "set" a[i] = 1 & isundefined(u) ==> u := i; end;
  ruleset j: Id do
    rule "turn" a[i] = 2 & a[j] = 1 & b[i] != j ==> b[i] := j; end;
    rule "outer fails" v[i] = 1 & a[j] = 1 ==> seen := 1; end;
    rule "inner fails first" v[j] = 1 & a[i] = 1 ==> seen := 1; end;
    rule "inner fails late" a[i] = 1 & v[j] = 1 ==> seen := 2; end;
    rule "none decides" i != j & u = 1 & a[i] = 2 ==> seen := 2; end;
    rule "sometimes" (i = j | v[j] = 0) & a[i] = 1 ==> seen := 2; end;
    rule "sum" v[j] + i < 3 & a[i] = 0 ==> seen := 2; end;
    rule "call" is(i, j) & seen < 3 ==> seen := seen + 1; end;
    rule "call backwards" is(j, i) & seen > 0 ==> seen := seen - 1; end;
    rule "bad argument" a[i] = 1 & low(j, i) ==> seen := 0; end;
    rule "bad argument first" low(j, i) & a[i] = 1 ==> seen := 0; end;
    rule "fails inside" odd(j) & a[i] = 1 ==> seen := 0; end;
    rule "prints" i != j & prints(i) & a[j] = 2 ==> seen := 0; end;
    rule "quantified" a[i] = 1 & exists k: Id do k != j & v[k] = i end ==> seen := 0; end;
    ruleset k: Id do
      rule "three" a[i] = 1 & b[j] = k & u = k & v[j] = i ==> seen := 3; end;
    end;
  end;
end;
)";

std::vector<std::uint64_t> tried_one_by_one(InterpretedModel& run, const ir::Program& program, StateView state) {
  std::vector<std::uint64_t> found;
  const std::vector<const ir::Edge*> edges = program.edges();
  for (std::uint32_t edge = 0; edge < edges.size(); ++edge)
    for (std::uint32_t k = 0; k < edges[edge]->instances(); ++k) {
      Outcome guard;
      const InstanceId step = make_instance(edge, k);
      if (run.is_enabled(state, step, guard) || guard.is_fault())
        found.insert(found.end(), {static_cast<std::uint64_t>(step), guard.raw()});
    }
  return found;
}

std::vector<std::uint64_t> tried_together(InterpretedModel& run, StateView state) {
  std::vector<std::uint64_t> found;
  Batch batch;
  run.enabled(state, batch);
  for (std::uint32_t k = 0; k < batch.size(); ++k)
    found.insert(found.end(), {static_cast<std::uint64_t>(batch.instance(k)), batch.outcome(k).raw()});
  return found;
}

TEST(GuardParts, NoInstanceIsMissed) {
  const Loaded loaded(model);
  InterpretedModel run(*loaded.program);
  std::set<StateBuffer> seen;
  std::deque<StateBuffer> waiting;
  Batch batch;
  const auto take_all = [&] {
    for (std::uint32_t k = 0; k < batch.size(); ++k) {
      if (!batch.outcome(k).has_successor()) continue;
      const StateView state = batch.state(k);
      const auto [at, fresh] = seen.insert(StateBuffer(state.begin(), state.end()));
      if (fresh) waiting.push_back(*at);
    }
  };
  run.initial(batch);
  take_all();
  for (; !waiting.empty() && seen.size() < 5000; waiting.pop_front()) {
    ASSERT_EQ(tried_one_by_one(run, *loaded.program, waiting.front()), tried_together(run, waiting.front()));
    batch.clear();
    run.successors(waiting.front(), batch);
    take_all();
  }
  EXPECT_GT(seen.size(), 1000U);
}

// How many evaluations a rule takes whose guards are all false.
std::size_t looks(const std::string& guard) {
  const Loaded loaded(
      "type Id: 0..4; var a: array [Id] of Id; b: array [Id] of Id; u: Id;"
      "function f(x: Id; y: Id): boolean; begin return x != y & u != y & a[x] = 1; end;"
      "startstate for i: Id do a[i] := 0; b[i] := 0; end; u := 4; end;"
      "ruleset i: Id; j: Id do rule " +
      guard + " ==> u := 0; end; end;");
  InterpretedModel start(*loaded.program);
  Batch batch;
  start.initial(batch);
  StateBuffer state(batch.state(0).begin(), batch.state(0).end());
  Interpreter run(*loaded.program);
  const ir::Edge& edge = *loaded.program->edges().front();
  const GuardParts parts(edge);
  InstanceWalk walk(edge.parameters);
  std::size_t count = 0;
  std::optional<std::size_t> differs_in;
  for (bool more = walk.begin(); more; more = walk.advance_in(*differs_in)) {
    run.enter(edge.routine, state.data());
    walk.load(run);
    ++count;
    differs_in = parts.false_within(run);
    if (!differs_in) return SIZE_MAX;
  }
  return count;
}

TEST(GuardParts, LeavesOutWhatCannotMatter) {
  EXPECT_EQ(looks("a[i] = 1 & b[j] = 0"), 5U);
  EXPECT_EQ(looks("u = 1 & b[j] = 0"), 1U);
  EXPECT_EQ(looks("b[j] = 0 & a[i] = 1"), 25U);  // b[j] may fail for another j
  EXPECT_EQ(looks("j = j & a[i] = 1"), 5U);      // what does not fail may stand before it
  EXPECT_EQ(looks("f(i, j)"), 5U + 1U);          // for 0 and 0 it is the first part that is false
  EXPECT_EQ(looks("b[j] = 1"), 25U);
}

}  // namespace
}  // namespace fathom
