// What steers the biased searches: flows, marks with and without conditions, agents, and agents under symmetry.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <random>
#include <set>
#include <sstream>

#include "analysis/agents.hpp"
#include "analysis/marks.hpp"
#include "analysis/symmetry.hpp"
#include "cli/flows.hpp"
#include "lang/murphi/load.hpp"
#include "lang/murphi/load_conditions.hpp"
#include "model/interpreted.hpp"
#include "reduction/symmetry_agents.hpp"
#include "search/biased_bfs.hpp"
#include "search/biased_dfs.hpp"
#include "search/guidance_of_program.hpp"
#include "state/bits.h"
#include "store/indexed_store.hpp"

namespace fathom {
namespace {

constexpr std::uint64_t memory = std::uint64_t{1} << 30;

struct LoadedText {
  Sources sources;
  FileId file;
  std::unique_ptr<ir::Program> program;

  explicit LoadedText(std::string text, const murphi::Options& options = {}) {
    file = sources.add("model.m", std::move(text));
    Diagnostics diagnostics;
    program = murphi::load(sources, file, options, diagnostics).program;
    for (const Diagnostic& diagnostic : diagnostics.all()) {
      if (diagnostic.severity == Severity::error) ADD_FAILURE() << render(diagnostic, sources, false);
    }
  }
};

LoadedText shipped(const std::string& path, std::vector<std::pair<std::string, std::int64_t>> constants = {}) {
  std::ifstream stream(std::string(FATHOM_SOURCE_DIR) + "/models/" + path);
  std::ostringstream text;
  text << stream.rdbuf();
  murphi::Options options;
  options.constants = std::move(constants);
  return LoadedText(text.str(), options);
}

// ---- Flow files

struct Parsed {
  std::vector<Flow> flows;
  std::vector<std::string> errors;  // "2:3 message"
};

Parsed parse(const std::string& text) {
  Sources sources;
  const FileId file = sources.add("test.flows", text);
  Diagnostics diagnostics;
  Parsed parsed{parse_flows(sources, file, diagnostics), {}};
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    const Position at = sources.position(file, diagnostic.range.begin);
    parsed.errors.push_back(std::to_string(at.line) + ":" + std::to_string(at.column) + " " + diagnostic.message);
  }
  return parsed;
}

std::vector<std::string> marked_rules(const Flow& flow) {
  std::vector<std::string> names;
  for (const FlowMark& mark : flow.marks_of()) names.push_back(mark.rule.text);
  return names;
}

TEST(Flows, MarkEveryRuleButThoseTheyBeginWith) {
  const Parsed parsed = parse("-- two ways into one end\nflow f for P, \"Q r\" { a -> b -> \"c d\"; x -> b; y; }");
  ASSERT_TRUE(parsed.errors.empty()) << parsed.errors.front();
  ASSERT_EQ(parsed.flows.size(), 1U);
  EXPECT_EQ(parsed.flows[0].properties[1].text, "Q r");
  EXPECT_EQ(marked_rules(parsed.flows[0]), (std::vector<std::string>{"b", "c d"}));
}

TEST(Flows, MarkWhatTheySayWhereTheySayIt) {
  const std::string text = "flow f { a -> b; mark a, b when f(x, y) -> z[1]; }";
  Sources sources;
  const FileId file = sources.add("test.flows", text);
  Diagnostics diagnostics;
  const std::vector<Flow> flows = parse_flows(sources, file, diagnostics);
  ASSERT_EQ(flows.size(), 1U);
  EXPECT_EQ(marked_rules(flows[0]), (std::vector<std::string>{"a", "b"}));
  EXPECT_FALSE(flows[0].marks[0].condition);
  EXPECT_EQ(sources.text(*flows[0].marks[1].condition), "f(x, y) -> z[1]");
}

TEST(Flows, MistakesAreReportedWithTheirPlace) {
  EXPECT_EQ(parse("flow f { a -> b }").errors.at(0), "1:17 expected `;` after the rules that follow one another");
  EXPECT_EQ(parse("flow f {\n  a -> ;\n}").errors.at(0), "2:8 expected the name of a rule");
  EXPECT_EQ(parse("flw f { }").errors.at(0), "1:1 expected `flow` at the beginning of a flow");
  EXPECT_EQ(parse("flow f { mark a when ; }").errors.at(0), "1:22 expected an expression after `when`");
  EXPECT_EQ(parse("flow f { a -> b; b -> c; c -> a; }").errors.at(0),
            "1:10 the order of flow `f` goes in a circle: `a` would come before itself");
}

TEST(Flows, OneMistakeDoesNotHideTheNextFlow) {
  const Parsed parsed = parse("flow f { -> }\nflow g { a -> b; }\nflow h { ; }");
  EXPECT_EQ(parsed.errors.size(), 2U);
  ASSERT_EQ(parsed.flows.size(), 1U);
  EXPECT_EQ(parsed.flows[0].name.text, "g");
}

TEST(Marks, AreNamesWithAndWithoutConditions) {
  const std::string text = "Send request, \"a, b\" ,Put when count(n, 1) > 2 & x[n, m], whenever";
  Sources sources;
  const FileId file = sources.add("--mark", text);
  Diagnostics diagnostics;
  const std::vector<FlowMark> marks = parse_marks(sources, file, diagnostics);
  EXPECT_FALSE(diagnostics.failed());
  ASSERT_EQ(marks.size(), 4U);
  EXPECT_EQ(marks[0].rule.text, "Send request");
  EXPECT_EQ(marks[1].rule.text, "a, b");
  EXPECT_EQ(marks[2].rule.text, "Put");
  EXPECT_EQ(sources.text(*marks[2].condition), "count(n, 1) > 2 & x[n, m]");
  EXPECT_EQ(marks[3].rule.text, "whenever");
}

// ---- Marks of a model

const char* const counters = R"(
type pid: scalarset(3);
var count: array [pid] of 0..3; last: pid;
startstate begin for p: pid do count[p] := 0; end; undefine last; end;
rule "nobody" exists p: pid do count[p] = 3 end ==> begin for p: pid do count[p] := 0; end; end;
ruleset p: pid do
  rule "up" count[p] < 3 ==> begin count[p] := count[p] + 1; last := p; end;
  ruleset q: pid do
    rule "swap" p != q ==> var c: 0..3; begin c := count[p]; count[p] := count[q]; count[q] := c; end;
  end;
end;
invariant "few" forall p: pid do count[p] <= 3 end;
)";

TEST(Marks, MayDependOnTheStateAndTheParameters) {
  LoadedText text(counters);
  const std::string condition = "count[p] = 2 & last = p";
  const FileId file = text.sources.add("--mark", condition);
  const murphi::RuleCondition wanted{1, {file, 0, static_cast<std::uint32_t>(condition.size())}};
  Diagnostics diagnostics;
  const auto loaded = murphi::load_conditions(text.sources, text.file, {}, std::span(&wanted, 1), diagnostics);
  ASSERT_NE(loaded.program, nullptr);
  RuleMarks marks;
  marks.all = {{1, loaded.edges[0]}};
  marks.conditions = loaded.program.get();
  const ProgramGuidance guidance(*text.program, Agents(*text.program), marks);
  InterpretedModel model(*text.program);
  Batch starts;
  model.initial(starts);
  StateBuffer state(starts.state(0).begin(), starts.state(0).end());
  Undo undo;
  const InstanceId up_by_second = make_instance(1, 1);
  EXPECT_FALSE(guidance.marked(up_by_second, state));  // `last` is undefined
  for (int k = 0; k < 2; ++k) {
    EXPECT_FALSE(guidance.marked(up_by_second, state));
    ASSERT_TRUE(model.apply(state, up_by_second, undo).ok());
  }
  EXPECT_TRUE(guidance.marked(up_by_second, state));
  EXPECT_FALSE(guidance.marked(make_instance(1, 0), state));
  EXPECT_FALSE(guidance.marked(make_instance(2, 1), state));
}

TEST(Marks, WithAWrongConditionAreRefusedAtItsPlace) {
  LoadedText text(counters);
  const FileId file = text.sources.add("--mark", "up when cuont[p] = 2");
  const murphi::RuleCondition wanted{1, {file, 8, 20}};
  Diagnostics diagnostics;
  EXPECT_EQ(murphi::load_conditions(text.sources, text.file, {}, std::span(&wanted, 1), diagnostics).program, nullptr);
  ASSERT_TRUE(diagnostics.failed());
  EXPECT_EQ(text.sources.location(diagnostics.all().front().range), "--mark:1:9");
}

TEST(Marks, ThatTellElementsApartAreNotSymmetric) {
  LoadedText text(counters);
  const FileId file = text.sources.add("--mark", "exists q: pid do q < p & count[q] = 0 end");
  const murphi::RuleCondition wanted{1, {file, 0, 41}};
  Diagnostics diagnostics;
  const auto loaded = murphi::load_conditions(text.sources, text.file, {}, std::span(&wanted, 1), diagnostics);
  EXPECT_EQ(analyse_symmetry(*text.program).safe.size(), 1U);
  if (loaded.program != nullptr) {
    EXPECT_TRUE(analyse_symmetry(*loaded.program).safe.empty());
  }
}

std::set<std::string> automatic_marks(const ir::Program& program, const std::vector<bool>& selected) {
  InterpretedModel model(program);
  Batch starts, steps;
  model.initial(starts);
  StartFacts facts;
  facts.enabled.assign(program.edges().size(), false);
  for (std::uint32_t k = 0; k < starts.size(); ++k) {
    facts.states.emplace_back(starts.state(k).begin(), starts.state(k).end());
    model.enabled(starts.state(k), steps);
  }
  for (std::uint32_t k = 0; k < steps.size(); ++k) facts.enabled[edge_of(steps.instance(k))] = true;
  std::set<std::string> names;
  for (const std::uint32_t edge : derive_marks(program, selected, facts)) names.insert(program.edges()[edge]->name);
  return names;
}

TEST(AutomaticMarks, AreThoseOfThePaperForGerman) {
  const LoadedText german = shipped("coherence/german.m");
  const std::vector<bool> all(german.program->properties.size(), true);
  EXPECT_EQ(automatic_marks(*german.program, all), (std::set<std::string>{"RecvReqE", "SendGntE", "RecvGntE"}));
}

TEST(AutomaticMarks, AreTheExclusiveFlowForFlash) {
  const LoadedText flash = shipped("coherence/flash.m");
  std::vector<bool> selected(flash.program->properties.size(), false);
  selected[0] = true;
  EXPECT_EQ(
      automatic_marks(*flash.program, selected),
      (std::set<std::string>{"ni_local_getx_putx", "ni_remote_getx_putx", "ni_remote_putx", "ni_local_putxacksdone"}));
}

// Something is in the cache and not in the store, which it was at the start, too: what brings that back is marked, with
// the recall that stands before it (`in_use` was lost in the step that lost it), and unrelated rules are not.
TEST(AutomaticMarks, BringBackWhatGotLostOnTheWay) {
  const LoadedText text(R"(
type call: enum { none, asked, done };
var cached, stored, in_use, waiting, noise: boolean; recall: call;
startstate begin
  cached := false; stored := false; in_use := false; waiting := false; noise := false; recall := none;
end;
rule "want" !waiting ==> begin waiting := true; end;
rule "store" waiting & !stored ==> begin stored := true; in_use := true; end;
rule "cache" stored & waiting ==> begin cached := true; waiting := false; end;
rule "ask" in_use & recall = none ==> begin recall := asked; end;
rule "answer" recall = asked ==> begin recall := done; end;
rule "release" recall = done ==> begin in_use := false; recall := none; end;
rule "drop" stored & !in_use ==> begin stored := false; end;
rule "noise" stored ==> begin noise := !noise; end;
invariant "inclusion" cached -> stored;
)");
  EXPECT_EQ(automatic_marks(*text.program, {true}),
            (std::set<std::string>{"store", "cache", "ask", "answer", "release", "drop"}));
}

// ---- Agents

TEST(Agents, AreTheValuesOfTheTypeMostRulesBeginWith) {
  const LoadedText text(counters);
  const Agents agents(*text.program);
  ASSERT_NE(agents.type(), nullptr);
  EXPECT_EQ(agents.type()->name, "pid");
  EXPECT_EQ(agents.count(), 4U);
}

TEST(Agents, OwnTheirRulesAloneOrTwoTogether) {
  const LoadedText text(counters);
  const ProgramGuidance guidance(*text.program, Agents(*text.program), {});
  EXPECT_EQ(guidance.owners(make_instance(0, 0)), (Owners{0, 0}));
  EXPECT_EQ(guidance.owners(make_instance(1, 2)), (Owners{3, 3}));
  EXPECT_EQ(guidance.owners(make_instance(2, 5)), (Owners{2, 3}));  // p is the second element, q the third
}

TEST(Agents, MayBeTheNumbersOfALoop) {
  const LoadedText text(
      "var x: array [1..3] of boolean; startstate begin clear x; end;"
      "ruleset i := 1 to 3 do rule !x[i] ==> begin x[i] := true; end; end;"
      "ruleset i := 1 to 3; b: boolean do rule true ==> begin x[i] := b; end; end;");
  const Agents agents(*text.program);
  EXPECT_EQ(agents.count(), 4U);
  const ProgramGuidance guidance(*text.program, agents, {});
  EXPECT_EQ(guidance.owners(make_instance(1, 3)), (Owners{2, 2}));
}

// ---- Agents under symmetry

const char* const pointers = R"(
type pid: scalarset(4);
var next: array [pid] of pid; on: array [pid] of boolean; head: pid;
startstate begin clear on; undefine next; undefine head; end;
ruleset p: pid do rule true ==> begin on[p] := true; end; end;
)";

class AgentsUnderSymmetry : public testing::Test {
 protected:
  using State = std::vector<std::uint64_t>;

  State random_state() {
    State state(1);
    for (const ir::Variable& variable : text_.program->variables) {
      const bool scalar = variable.type->is_scalar();
      const ir::Type& type = scalar ? *variable.type : *variable.type->element;
      for (std::uint32_t k = 0; k < (scalar ? 1 : 4); ++k)
        fathom_set(state.data(), variable.offset + k * type.bits, type.bits,
                   random_() % (random_() % 2 == 0 ? 2 : type.cardinality() + 1));
    }
    return state;
  }

  static std::vector<std::vector<std::uint32_t>> permutations() {
    std::vector<std::vector<std::uint32_t>> all;
    std::vector<std::uint32_t> image(4);
    std::iota(image.begin(), image.end(), 0);
    do all.push_back(image);
    while (std::ranges::next_permutation(image).found);
    return all;
  }

  State permuted(State state, const std::vector<std::uint32_t>& image) {
    permuter_.apply(state.data(), image);
    return state;
  }

  std::mt19937 random_{7};
  LoadedText text_{pointers};
  std::vector<const ir::Type*> sets_ = scalarsets(*text_.program);
  SymmetryLayout layout_{*text_.program, sets_};
  StatePermuter permuter_{layout_};
  Symmetry states_{*text_.program, sets_};
  AgentSymmetry pairs_{states_, *text_.program, sets_, *sets_.front()};
};

TEST_F(AgentsUnderSymmetry, AreAlikeExactlyWhenAPermutationThatKeepsTheStateMapsThem) {
  const auto all = permutations();
  for (int round = 0; round < 500; ++round) {
    const State state = random_state();
    for (std::uint32_t a = 0; a < 4; ++a)
      for (std::uint32_t b = 0; b < 4; ++b) {
        const bool alike = std::ranges::any_of(
            all, [&](const auto& image) { return image[a] == b && permuted(state, image) == state; });
        ASSERT_EQ(pairs_.is_alike(state.data(), a + 1, b + 1), alike);
      }
  }
}

TEST_F(AgentsUnderSymmetry, AreRenamedWithTheState) {
  const auto all = permutations();
  for (int round = 0; round < 500; ++round) {
    State one = random_state();
    const auto& image = all[random_() % all.size()];
    const std::uint32_t agent = random_() % 4;
    State other = permuted(one, image);
    const std::uint32_t here = pairs_.canonicalise(one.data(), agent + 1);
    const std::uint32_t there = pairs_.canonicalise(other.data(), image[agent] + 1);
    ASSERT_EQ(one, other);
    ASSERT_TRUE(pairs_.is_alike(one.data(), here, there));
    State again = one;
    states_.canonicalise(again.data());
    ASSERT_EQ(again, one);
  }
}

// The classes that the search visits under symmetry are those of the states it visits without.
TEST(AgentsOfGerman, ContextBoundedSearchVisitsTheSameUpToSymmetry) {
  const LoadedText german = shipped("coherence/german.m", {{"Nodes", 3}, {"Values", 1}});
  const ir::Program& program = *german.program;
  const std::vector<const ir::Type*> sets = analyse_symmetry(program).safe;
  ASSERT_FALSE(sets.empty());
  InterpretedModel model(program);
  const Agents agents(program);
  const ProgramGuidance guidance(program, agents, {});
  SearchOptions options;
  options.shape = {program.edges().size(), program.properties.size(), program.sites.size()};
  options.selected.assign(program.properties.size(), true);
  options.memory_limit = memory;
  for (std::uint64_t switches = 0; switches < 5; ++switches) {
    const BiasedDfsSettings settings{BiasedDfsSettings::never, false, false, switches};
    IndexedStore all(model.state_words(), memory);
    options.canonicaliser = nullptr;
    const SearchResult plain = BiasedDepthFirst(model, all, options, guidance, settings).run();
    Symmetry symmetry(program, sets);
    AgentSymmetry pairs(symmetry, program, sets, *agents.type());
    std::set<StateBuffer> classes;
    for (std::uint64_t id = 0; id < plain.statistics.states; ++id) {
      StateBuffer state(all.state(StateId{id}).begin(), all.state(StateId{id}).end());
      symmetry.canonicalise(state.data());
      classes.insert(state);
    }
    IndexedStore representatives(model.state_words(), memory);
    options.canonicaliser = &symmetry;
    const SearchResult reduced = BiasedDepthFirst(model, representatives, options, guidance, settings, &pairs).run();
    EXPECT_EQ(reduced.statistics.states, classes.size()) << switches << " switches";
    EXPECT_EQ(reduced.ending, plain.ending);
  }
}

}  // namespace
}  // namespace fathom
