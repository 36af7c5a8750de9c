// Native code against the interpreter, step for step, and the machinery around it: cache, compiler, change of engine.
#include "model/native.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "lang/murphi/load.hpp"
#include "model/executor.hpp"
#include "native/build.hpp"
#include "native/emit.hpp"
#include "support/errors.hpp"
#include "support/subprocess.hpp"

namespace fathom {
namespace {

namespace fs = std::filesystem;

// Reads, writes, indices, arithmetic, quantifiers, loops; several of the rules fault in some states.
const char* const arithmetic_model = R"(
const N: 3;
type Index: 0..N-1; Small: -2..4; Colour: enum {red, green, blue};
var a: array [Index] of Small; c: Colour; n: Small; u: Small; done: boolean;
function half(x: Small): Small; begin if x = 4 then undefine u; end; return x / 2; end;
function down(x: Small): Small; begin if x <= 0 then return 0; end; return down(x - 1); end;
ruleset i: Index do
  startstate for j: Index do a[j] := i; end; clear c; n := 0; done := false; end;
  rule "grow" a[i] < 4 & n < 4 ==> a[i] := a[i] + 1; n := n + i; end;
  rule "halve" a[i] > 2 ==> n := half(a[i]); c := (a[i] % 2 = 0 ? red : blue); end;
  rule "index" c = blue ==> a[n] := down(a[i]); end;
  rule "reads undefined" u = i & a[i] = 1 ==> end;
  ruleset j: Index do
    rule "hoisted fault" u > 0 & a[i] < a[j] ==> u := a[i]; end;
    rule "inner" a[i] != a[j] & exists k: Index do a[k] = n end ==> a[j] := a[i]; undefine c; end;
  end;
end;
rule "divide" n = 1 ==> n := 4 / (n - 1); end;
rule "while" n = 2 ==> var k: Small; k := 0; while k < 3 do k := k + 1; end; u := k; end;
rule "for" n = 3 ==> for k := 2 to 0 by -1 do a[k] := k; end; return; n := 0; end;
rule "endless" n = 4 & c = green ==> while true do done := !done; end; end;
rule "assert" forall k: Index do a[k] >= 2 end ==> assert n < 3 "n is small"; put "done"; put n; put a; end;
rule "colour" !isundefined(c) ==> switch c case red: c := green; case green: c := blue; else c := red; end; end;
invariant "bounded" forall k: Index do a[k] > 2 -> n >= 0 end;
invariant "reads" a[0] < 4 | u = u;
cover a[1] = 3;
)";

// Records, by-value and by-reference aggregates, aliases, unions, multisets.
const char* const aggregate_model = R"(
type Node: scalarset(2); Home: enum {home}; Any: union {Node, Home};
     Message: record kind: enum {get, give}; from: Any; end;
var net: multiset [3] of Message; owner: Any; last: Message; seen: array [Any] of boolean; held: array [Node] of Message;
procedure send(k: Message; var copy: Message); begin multisetadd(k, net); copy := k; end;
procedure deliver(m: Message); begin owner := m.from; seen[m.from] := true; end;
startstate owner := home; for a: Any do seen[a] := false; end; end;
ruleset n: Node do
  rule "send" multisetcount(m: net, true) < 3 ==> var msg: Message;
    msg.kind := (owner = n ? give : get); msg.from := n; send(msg, held[n]); end;
  rule "home" ismember(owner, Node) & owner = n ==>
    alias l: last do l.kind := get; l.from := home; multisetadd(l, net); end; end;
  rule "compare" held[n].from = n & !isundefined(last.from) ==> if last.kind = held[n].kind then clear last; end; end;
end;
choose m: net do
  rule "receive" true ==> deliver(net[m]); multisetremove(m, net); end;
end;
rule "purge" owner = home ==> multisetremovepred(m: net, net[m].kind = get); undefine owner; end;
invariant "few" multisetcount(m: net, net[m].kind = give) < 3;
)";

// Numbers of 2^63 and more: every operation, at both ends of what there is, and its faults.
const char* const natural_model = R"(
const max: 0xfffffffffffffffe; half: 0x8000000000000000;
type Top: max-2..max;
var x: 0..max; y: 0..max; t: Top; a: array [Top] of 0..2; net: multiset [2] of Top; count: 0..2;
function twice(n: 0..max): 0..max; begin return n * 2; end;
startstate x := half; y := 3; t := max; count := 0; for i: Top do a[i] := max - i; end; end;
rule "add" true ==> x := x + y; end;
rule "subtract" true ==> x := x - y; end;
rule "multiply" true ==> x := twice(x); end;
rule "divide" true ==> x := x / y; end;
rule "modulo" true ==> x := x % (y - 1); end;
rule "negate" true ==> y := -y; end;
rule "up" true ==> x := x << y; end;
rule "down" true ==> x := x >> y; end;
rule "bits" true ==> y := (x & 12) | (y & 3); end;
rule "all ones" true ==> y := max | 1; end;
rule "range" true ==> t := x; put t; end;
rule "index" true ==> a[x] := a[t]; end;
rule "count" true ==> multisetadd(t, net); count := multisetcount(i: net, net[i] >= max - 1); end;
rule "leap" true ==> for i := 0 to max by 0x7fffffffffffffff do y := i; end; put y; end;
ruleset i := 1 to max by 0x7ffffffffffffffe do
  rule "set" x != i ==> x := i; end;
  invariant "no jump" x != i + 4;
end;
ruleset i: Top do rule "choose" y < 4 & t != i ==> t := i; y := a[i]; end; end;
invariant "order" x > y -> (x >= half | x < half & y < half);
cover exists i: Top do i = x end;
)";

const char* const tiny_model = "var x: 0..200; startstate x := 0; end; rule x < 200 ==> x := x + 1; end;";
const char* const broad_model =
    "var a: array [0..5] of 0..9; startstate for i: 0..5 do a[i] := 0; end; end;"
    "ruleset i: 0..5 do rule a[i] < 9 ==> a[i] := a[i] + 1; end; end;";

struct LoadedModel {
  Sources sources;
  std::unique_ptr<ir::Program> program;

  explicit LoadedModel(const std::string& text) {
    Diagnostics diagnostics;
    program = murphi::load(sources, sources.add("test.m", text), {}, diagnostics).program;
    for (const Diagnostic& diagnostic : diagnostics.all()) ADD_FAILURE() << render(diagnostic, sources, false);
  }
};

// Every test compiles into a folder of its own, quickly rather than well.
class Native : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.emplace(fs::temp_directory_path());
    ::setenv("FATHOM_CACHE", folder_->path().c_str(), 1);
    ::setenv("FATHOM_CFLAGS", "-O1", 1);
    ::unsetenv("FATHOM_CC");
  }
  void TearDown() override {
    for (const char* name : {"FATHOM_CACHE", "FATHOM_CFLAGS", "FATHOM_CC"}) ::unsetenv(name);
  }
  [[nodiscard]] std::vector<fs::path> files() const {
    std::vector<fs::path> out;
    for (const auto& file : fs::directory_iterator(folder_->path())) out.push_back(file.path());
    return out;
  }
  std::optional<TemporaryFolder> folder_;
};

struct TextSink : PutSink {
  std::string text;
  void put(std::string_view more) override { text += more; }
};

void expect_same(Batch& expected, Batch& actual, bool with_states) {
  ASSERT_EQ(expected.size(), actual.size());
  for (std::uint32_t k = 0; k < expected.size(); ++k) {
    ASSERT_EQ(expected.instance(k), actual.instance(k));
    ASSERT_EQ(expected.outcome(k).raw(), actual.outcome(k).raw()) << "edge " << edge_of(expected.instance(k));
    if (with_states) {
      const StateView a = expected.state(k), b = actual.state(k);
      ASSERT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end())) << "edge " << edge_of(expected.instance(k));
    }
  }
}

void expect_same_steps(InterpretedModel& expected, NativeModel& actual, const StateBuffer& state, Batch& successors) {
  Batch native, enabled, native_enabled;
  expected.successors(state, successors);
  actual.successors(state, native);
  expect_same(successors, native, true);
  expected.enabled(state, enabled);
  actual.enabled(state, native_enabled);
  expect_same(enabled, native_enabled, false);
  for (std::uint32_t k = 0; k < enabled.size(); ++k) {
    if (!enabled.outcome(k).ok()) continue;
    StateBuffer here = state, there = state;
    Undo undo, native_undo;
    ASSERT_EQ(expected.apply(here, enabled.instance(k), undo).raw(),
              actual.apply(there, enabled.instance(k), native_undo).raw());
    ASSERT_EQ(here, there);
    actual.undo(there, native_undo);
    ASSERT_EQ(there, state);
  }
}

void expect_same_findings(InterpretedModel& expected, NativeModel& actual, const StateBuffer& state) {
  StateCheck interpreted, native;
  expected.check(state, interpreted);
  actual.check(state, native);
  ASSERT_EQ(interpreted.result, native.result);
  ASSERT_EQ(interpreted.site, native.site);
  ASSERT_EQ(interpreted.violated, native.violated);
  std::uint64_t holding = 0, native_holding = 0;
  ASSERT_EQ(expected.live(state, &holding), actual.live(state, &native_holding));
  ASSERT_EQ(holding, native_holding);
}

// Walks the states breadth first with both; returns the sites of all faults seen.
std::set<ir::SiteId> compare(const std::string& text, std::size_t limit) {
  const LoadedModel model(text);
  std::set<ir::SiteId> faults;
  if (model.program == nullptr) return faults;
  InterpretedModel interpreted(*model.program), counters(*model.program);
  NativeModel native(*model.program, std::make_shared<SharedObject>(NativeBuild(*model.program).build({})),
                     counters.hits(), counters.pending());
  TextSink sink, native_sink;
  std::set<StateBuffer> seen;
  std::deque<StateBuffer> open;
  const auto add = [&](Batch& batch) {
    for (std::uint32_t k = 0; k < batch.size(); ++k) {
      if (batch.outcome(k).is_fault()) faults.insert(batch.outcome(k).site());
      if (!batch.outcome(k).ok()) continue;
      const StateBuffer state(batch.state(k).begin(), batch.state(k).end());
      if (seen.insert(state).second) open.push_back(state);
    }
  };
  Batch batch, native_batch;
  interpreted.set_put_sink(&sink);
  native.set_put_sink(&native_sink);
  interpreted.initial(batch);
  native.initial(native_batch);
  expect_same(batch, native_batch, true);
  add(batch);
  for (std::size_t k = 0; k < limit && !open.empty() && !::testing::Test::HasFatalFailure(); ++k) {
    const StateBuffer state = open.front();
    open.pop_front();
    batch.clear();
    expect_same_steps(interpreted, native, state, batch);
    expect_same_findings(interpreted, native, state);
    add(batch);
  }
  EXPECT_EQ(interpreted.hits(), counters.hits());
  EXPECT_EQ(interpreted.pending(), counters.pending());
  EXPECT_EQ(sink.text, native_sink.text);
  return faults;
}

TEST_F(Native, AgreesOnArithmeticAndItsFaults) {
  EXPECT_GE(compare(arithmetic_model, 400).size(), 8U);
}

TEST_F(Native, AgreesOnAggregatesUnionsAndMultisets) {
  EXPECT_GE(compare(aggregate_model, 400).size(), 1U);
}

TEST_F(Native, AgreesOnNumbersBeyondTheSignedRange) {
  EXPECT_GE(compare(natural_model, 300).size(), 8U);
}

TEST_F(Native, ReadsARangeOfAllSignedNumbers) {
  compare(
      "const max: 9223372036854775807; var x: -max..max; startstate x := -max; end;"
      "rule true ==> x := -x; end; rule true ==> x := x / 2; end; rule true ==> x := x + 1; end;"
      "invariant x < max | x > 0;",
      300);
}

TEST_F(Native, TextIsDeterministicAndHoldsNoNameOfTheModel) {
  const LoadedModel model(
      "var quite_a_name: 0..2; startstate \"startle\" quite_a_name := 0; put \"*/ boo\"; end;"
      "rule \"ruin\" true ==> end;");
  const std::string text = emit_model(*model.program);
  EXPECT_EQ(text, emit_model(*model.program));
  for (const char* name : {"quite_a_name", "startle", "ruin", "boo"}) EXPECT_EQ(text.find(name), std::string::npos);
}

TEST_F(Native, KeepsCompiledCodeAndRebuildsDamagedOne) {
  const LoadedModel model(tiny_model);
  const NativeBuild build(*model.program);
  EXPECT_FALSE(build.cached().has_value());
  (void)build.build({});
  ASSERT_EQ(files().size(), 1U);
  EXPECT_TRUE(build.cached().has_value());
  fs::resize_file(files()[0], fs::file_size(files()[0]) / 2);
  EXPECT_FALSE(build.cached().has_value());
  (void)build.build({});
  EXPECT_TRUE(build.cached().has_value());
}

TEST_F(Native, UsesNoCacheThatOthersCanWriteTo) {
  fs::permissions(folder_->path(), fs::perms::all);
  const LoadedModel model(tiny_model);
  (void)NativeBuild(*model.program).build({});
  EXPECT_TRUE(files().empty());
}

TEST_F(Native, SaysWhyWhenThereIsNoCompiler) {
  ::setenv("FATHOM_CC", "no-such-compiler", 1);
  const LoadedModel model(tiny_model);
  EXPECT_THROW(Executor(*model.program, EngineChoice::native), EnvironmentError);
  const Executor executor(*model.program, EngineChoice::automatic);
  EXPECT_NE(executor.use().note.find("no-such-compiler"), std::string::npos);
}

TEST_F(Native, ReportsWhatTheCompilerSaid) {
  ::setenv("FATHOM_CC", "false", 1);
  const LoadedModel model(tiny_model);
  EXPECT_THROW(Executor(*model.program, EngineChoice::native), EnvironmentError);
  EXPECT_TRUE(files().empty());
}

// Expands the start state again and again until `ready` says enough.
template <class Ready>
void keep_expanding(Executor& executor, Ready ready) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  Batch start, batch;
  executor.initial(start);
  while (!ready() && std::chrono::steady_clock::now() < deadline) {
    batch.clear();
    executor.successors(start.state(0), batch);
    ASSERT_EQ(batch.size(), 6U);
  }
}

TEST_F(Native, AutomaticChangesOverWhileItRuns) {
  const LoadedModel model(broad_model);
  Executor executor(*model.program, EngineChoice::automatic);
  keep_expanding(executor, [&] { return executor.use().native > 100; });
  EXPECT_GT(executor.use().native, 100U);
  EXPECT_GT(executor.use().interpreted, 0U);
  EXPECT_GT(executor.use().compile_seconds, 0);
  Executor again(*model.program, EngineChoice::automatic);
  keep_expanding(again, [&] { return again.use().native > 0; });
  EXPECT_EQ(again.use().interpreted, 0U);
}

TEST_F(Native, EndsARunningCompilerAtOnceAndLeavesNothing) {
  const fs::path compiler = folder_->path() / "slow-compiler";
  std::ofstream(compiler) << "#!/bin/sh\nsleep 60\n";
  fs::permissions(compiler, fs::perms::owner_all);
  ::setenv("FATHOM_CC", compiler.c_str(), 1);
  const LoadedModel model(broad_model);
  auto begin = std::chrono::steady_clock::now();
  {
    Executor executor(*model.program, EngineChoice::automatic);
    keep_expanding(executor, [&] { return files().size() > 1; });
    begin = std::chrono::steady_clock::now();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  EXPECT_EQ(files().size(), 1U);
}

TEST(Subprocess, KeepsOutputAndStatus) {
  const ProcessResult result = run_process({"sh", "-c", "echo out; echo err >&2; exit 7"});
  EXPECT_EQ(result.status, 7);
  EXPECT_EQ(result.output, "out\nerr\n");
  EXPECT_EQ(run_process({"no-such-program"}).status, 127);
}

TEST(Batch, GrowsAndKeepsItsEntries) {
  Batch batch;
  for (std::uint32_t k = 0; k < 1000; ++k) {
    batch.spare(3)[0] = k;
    batch.push(make_instance(k, 0), {}, 3);
  }
  for (std::uint32_t k = 0; k < 1000; ++k) ASSERT_EQ(batch.state(k)[0], k);
}

}  // namespace
}  // namespace fathom
