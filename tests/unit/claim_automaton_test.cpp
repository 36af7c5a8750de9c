// Never claims as automata, and the marks of fairness, on small programs.
#include "lang/promela/claim_automaton.hpp"

#include <gtest/gtest.h>

#include "ir/compose.hpp"
#include "lang/promela/load.hpp"
#include "model/interpreted.hpp"
#include "property/fairness.hpp"

namespace fathom {
namespace {

struct Loaded {
  Sources sources;
  Diagnostics diagnostics;
  std::unique_ptr<promela::Model> model;
  std::unique_ptr<ir::Program> program;

  explicit Loaded(const std::string& text) {
    const FileId file = sources.add("claim.pml", text);
    promela::LowerOptions lower;
    lower.claims = true;
    model = std::make_unique<promela::Model>(sources, file, promela::Options{}, lower, diagnostics);
    if (model->parsed()) program = model->program(diagnostics);
    if (program != nullptr) ir::compose(*program, diagnostics);
  }
  [[nodiscard]] const ir::Automaton& automaton() const { return *program->claims.front().automaton; }
};

std::vector<std::uint32_t> targets(const ir::Automaton& automaton, std::uint32_t state, std::uint64_t letter) {
  std::vector<std::uint32_t> result;
  for (const ir::Automaton::Edge& edge : automaton.states[state].edges)
    if (edge.condition.admits(letter) && std::ranges::count(result, edge.target) == 0) result.push_back(edge.target);
  std::ranges::sort(result);
  return result;
}

constexpr const char* model = "byte x; active proctype P() { do :: x = 1 :: x = 0 od }\n";

TEST(ClaimAutomaton, ConditionsAreAtomsAndLabelsAccept) {
  const Loaded loaded(std::string(model) + R"(
never {
T0: do
    :: x == 1 -> goto accept_stays
    :: true
    od;
accept_stays:
    do
    :: x == 1
    od
})");
  ASSERT_NE(loaded.program, nullptr);
  const ir::Automaton& automaton = loaded.automaton();
  const auto without = targets(automaton, automaton.initial, 0);
  ASSERT_EQ(without.size(), 1U);
  EXPECT_FALSE(automaton.states[without.front()].accepting);
  const auto with = targets(automaton, automaton.initial, ~std::uint64_t{0});
  ASSERT_EQ(with.size(), 2U);
  const std::uint32_t accepting = automaton.states[with[0]].accepting ? with[0] : with[1];
  EXPECT_TRUE(automaton.states[accepting].accepting);
  EXPECT_TRUE(targets(automaton, accepting, 0).empty());
  EXPECT_EQ(targets(automaton, accepting, ~std::uint64_t{0}), std::vector{accepting});
}

TEST(ClaimAutomaton, TheEndOfAClaimIsAViolation) {
  const Loaded loaded(std::string(model) + "never { do :: x == 1 -> break :: else od }");
  ASSERT_NE(loaded.program, nullptr);
  const ir::Automaton& automaton = loaded.automaton();
  const auto at_end = [&](std::uint64_t letter) {
    const auto found = targets(automaton, automaton.initial, letter);
    return std::ranges::any_of(found, [&](std::uint32_t state) { return automaton.states[state].end; });
  };
  EXPECT_FALSE(at_end(0));
  EXPECT_TRUE(at_end(~std::uint64_t{0}));
}

TEST(ClaimAutomaton, AnAtomicSequenceIsOneMove) {
  const Loaded loaded(std::string(model) + "never { do :: atomic { !(x == 0) -> assert(x == 0) } :: true od }");
  ASSERT_NE(loaded.program, nullptr);
  const ir::Automaton& automaton = loaded.automaton();
  const auto& edges = automaton.states[automaton.initial].edges;
  EXPECT_EQ(std::ranges::count_if(edges, [](const auto& edge) { return edge.asserted.has_value(); }), 1);
}

// Mark 0 is the automaton's; a process that cannot move has its mark in the state, one that moves has it on the step.
TEST(WeakFairness, MarksThoseWhoCannotMoveAndThoseWhoDo) {
  const Loaded loaded(R"(
bool go;
active proctype runs() { do :: true od }
active proctype waits() { go -> skip }
)");
  ASSERT_NE(loaded.program, nullptr);
  RunRules rules;
  rules.fair = true;
  Fairness fairness(*loaded.program, rules);
  EXPECT_EQ(fairness.all(), Marks(0b111));
  InterpretedModel interpreted(*loaded.program);
  Batch starts, steps;
  interpreted.initial(starts);
  interpreted.successors(starts.state(0), steps);
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(fairness.of_state(steps) & Marks(0b110), Marks(0b100));
  EXPECT_EQ(fairness.moving(starts.state(0), steps.instance(0)), Marks(0b010));
}

}  // namespace
}  // namespace fathom
