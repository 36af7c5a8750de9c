// Properties of runs on a reduced graph: random networks of processes with formulas that cannot tell how often a state
// repeats must have the same verdict with and without the reduction. Without the rule that a state which leaves out
// steps changes no atom, or without the one about cycles, they do not.
#include "property/reduced_graph.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "ir/compose.hpp"
#include "lang/promela/load.hpp"
#include "model/interpreted.hpp"
#include "property/bad_runs.hpp"
#include "property/product.hpp"
#include "random_networks.hpp"
#include "reduction/partial_order.hpp"
#include "search/checkpoint.hpp"
#include "search/ndfs.hpp"

namespace fathom {
namespace {

constexpr std::uint64_t largest = 20000;  // nodes; models with more are left out

constexpr const char* formulas[] = {
    "[]<>(x == 1)",
    "<>[](y == 0)",
    "[]((x == 1) -> <>(y == 1))",
    "(x == 0) U (y == 1)",
    "!(<>(x == 1) && <>(y == 2))",
    "([]<>(x == 1)) -> ([]<>(y == 1))",
    "[]((z == 0) || (x == y))",
};

using Rules = ReducedGraph<InterpretedModel>::Rules;

struct Loaded {
  Sources sources;
  Diagnostics diagnostics;
  std::unique_ptr<promela::Model> model;
  std::unique_ptr<ir::Program> program;

  explicit Loaded(const std::string& text) {
    const FileId file = sources.add("random.pml", text);
    model = std::make_unique<promela::Model>(sources, file, promela::Options{}, promela::LowerOptions{}, diagnostics);
    if (model->parsed()) lower();
  }
  void lower() {
    program = model->program(diagnostics);
    if (program != nullptr) ir::compose(*program, diagnostics);
  }
};

struct Verdict {
  bool decided = false;
  bool violated = false;
  std::uint64_t states = 0, reduced_states = 0;  // these leave out steps
  std::vector<std::uint64_t> faults;
};

SearchOptions options_for(const ir::Program& program) {
  SearchOptions options;
  options.shape = {program.edges().size(), program.properties.size(), program.sites.size()};
  options.assertions = false;
  options.selected.assign(program.properties.size(), false);
  options.max_nodes = largest;
  return options;
}

// Settles a graph that is ended again and again after some states, saved, and read by another one with a reduction of
// its own. Returns how often.
template <class MakeReduction, class Make>
unsigned settle_in_pieces(const MakeReduction& make_reduction, const Make& make, SearchOptions& options,
                          IndexedStore& store) {
  const std::filesystem::path file = testing::TempDir() + "reduced.checkpoint";
  for (unsigned pieces = 0;; ++pieces) {
    PartialOrder reduction = make_reduction();
    options.reduction = &reduction;
    unsigned left = pieces % 2;
    options.tick = [&](const Progress&) { return left-- > 0; };
    auto graph = make(store);
    graph.set_pace(1);
    graph.save = [&] {
      SealedWriter out(file, checkpoint_kind);
      graph.write(out);
      out.commit();
    };
    if (pieces > 0) {
      SealedReader in(file, checkpoint_kind);
      graph.read(in);
    }
    if (graph.settle() == decltype(graph)::End::stopped) continue;
    SealedWriter out(file, checkpoint_kind);
    graph.write(out);
    out.commit();
    return pieces;
  }
}

// `watches`: whether the reduction knows of the atoms. `pieces`: it is settled in pieces, which are counted.
Verdict check(const ir::Program& program, bool reduce, bool watches = true, Rules rules = Rules::sound,
              unsigned* pieces = nullptr) {
  const ir::Claim& claim = program.claims.front();
  const ir::Automaton automaton = bad_runs(claim);
  InterpretedModel model(program);
  SearchOptions options = options_for(program);
  std::vector<bool> atoms(program.properties.size(), false);
  if (watches)
    for (const std::uint32_t atom : claim.atoms) atoms[atom] = true;
  const auto make_reduction = [&] { return PartialOrder(program, atoms); };
  PartialOrder reduction = make_reduction();
  if (reduce && !reduction.refusal().empty()) return {};
  options.reduction = &reduction;
  IndexedStore store(model.state_words(), UINT64_MAX);
  ReducedGraph graph(model, store, options, rules);
  Product product(model, store, 0, automaton, claim.acceptance, stutters(claim), nullptr, RunRules{});
  if (reduce) {
    if (pieces == nullptr) {
      graph.settle();
    } else {
      *pieces += settle_in_pieces(
          make_reduction, [&](IndexedStore& known) { return ReducedGraph(model, known, options, rules); }, options,
          store);
      options.reduction = &reduction;
      SealedReader in(testing::TempDir() + "reduced.checkpoint", checkpoint_kind);
      graph.read(in);
      options.tick = [](const Progress&) { return true; };
    }
    product.restrict_to(graph);
  }
  const SearchResult result = NestedDfs(product, options, 0, NestedVariant::se).run();
  const bool decided = result.ending == Ending::exhausted || result.claim_violations > 0;
  return {decided, result.claim_violations > 0, result.statistics.states, graph.reduced_states(), result.faults};
}

struct Totals {
  unsigned compared = 0, violated = 0, smaller = 0;
};

void compare(std::uint64_t seed, Totals& totals) {
  const char* const formula = formulas[seed % std::size(formulas)];
  const std::string text = RandomPromela(seed).text() + "ltl p { " + formula + " }\n";
  Loaded loaded(text);
  if (loaded.program == nullptr) return;
  Verdict full = check(*loaded.program, false);
  while (loaded.model->extend_plan(full.faults)) {
    loaded.lower();
    full = check(*loaded.program, false);
  }
  if (!full.decided) return;
  const Verdict reduced = check(*loaded.program, true);
  if (!reduced.decided) return;
  ++totals.compared;
  totals.violated += full.violated;
  totals.smaller += reduced.states < full.states;
  EXPECT_EQ(full.violated, reduced.violated) << "seed " << seed << "\n" << text;
}

std::uint64_t number_of_networks() {
  const char* const wanted = std::getenv("FATHOM_RANDOM_NETWORKS");
  return wanted == nullptr ? 1000 : std::strtoull(wanted, nullptr, 10);
}

TEST(ReducedGraph, KeepsTheVerdictsOfFormulas) {
  Totals totals;
  for (std::uint64_t seed = 1; seed <= number_of_networks() && !HasFailure(); ++seed) compare(seed, totals);
  EXPECT_GT(totals.compared, number_of_networks() / 2);
  EXPECT_GT(totals.violated, number_of_networks() / 20);
  EXPECT_GT(totals.smaller, number_of_networks() / 20);
}

// The states that leave out steps are the same, and so is what a search of the graph finds.
TEST(ReducedGraph, IsTheSameWhenItIsSavedAndReadOnTheWay) {
  unsigned pieces = 0, compared = 0;
  for (std::uint64_t seed = 1; seed <= number_of_networks() / 10 && !HasFailure(); ++seed) {
    const Loaded loaded(RandomPromela(seed).text() + "ltl p { " + formulas[seed % std::size(formulas)] + " }\n");
    if (loaded.program == nullptr) continue;
    const Verdict whole = check(*loaded.program, true);
    if (!whole.decided) continue;
    const Verdict again = check(*loaded.program, true, true, Rules::sound, &pieces);
    EXPECT_EQ(again.violated, whole.violated) << "seed " << seed;
    EXPECT_EQ(again.states, whole.states) << "seed " << seed;
    EXPECT_EQ(again.reduced_states, whole.reduced_states) << "seed " << seed;
    ++compared;
  }
  EXPECT_GT(compared, number_of_networks() / 20);
  EXPECT_GT(pieces, 2 * compared);
}

// Processes are created in any order, and there are tables for some of the many ways in which their channels can be:
// who goes on must use the same ones.
TEST(ReducedGraph, IsTheSameWhereThereAreMoreValuationsThanTables) {
  Loaded loaded(R"(
chan c[4] = [1] of { byte };
byte x;
proctype sender(chan own) { own!1; own?_ }
proctype starter(byte i) { run sender(c[i]) }
init { atomic { run starter(0); run starter(1); run starter(2); run starter(3) }; x = 1 }
ltl p { [](x <= 1) }
)");
  ASSERT_NE(loaded.program, nullptr);
  while (loaded.model->extend_plan(check(*loaded.program, false).faults)) loaded.lower();
  const Verdict whole = check(*loaded.program, true);
  ASSERT_TRUE(whole.decided);
  unsigned pieces = 0;
  const Verdict again = check(*loaded.program, true, true, Rules::sound, &pieces);
  EXPECT_GT(pieces, 100U);
  EXPECT_EQ(again.states, whole.states);
  EXPECT_EQ(again.reduced_states, whole.reduced_states);
}

// Only while `left` goes round and round can x stay 1: who takes no other step than its own puts `right` off for ever,
// though one of them leads away. After that x is 1 at most once.
constexpr const char* goes_round = R"(
byte x;
active proctype left() {
  do
  :: true
  :: break
  od;
  atomic { x == 1 -> x = 0 }
}
active proctype right() { x = 1 }
ltl p { <>[](x == 0) }
)";

TEST(ReducedGraph, NoChosenStepMayLeadBackIntoTheStack) {
  const Loaded loaded(goes_round);
  ASSERT_NE(loaded.program, nullptr);
  EXPECT_TRUE(check(*loaded.program, false).violated);
  EXPECT_TRUE(check(*loaded.program, true).violated);
  EXPECT_FALSE(check(*loaded.program, true, true, Rules::one_step_leads_away).violated);
  EXPECT_FALSE(check(*loaded.program, true, true, Rules::no_proviso).violated);
}

TEST(ReducedGraph, TheSearchForCyclesHasToRepeatTheChoices) {
  const Loaded loaded(goes_round);
  ASSERT_NE(loaded.program, nullptr);
  EXPECT_FALSE(check(*loaded.program, true, true, Rules::choices_not_repeated).violated);
}

// Two steps that have nothing to do with each other, except that the formula tells which came first.
TEST(ReducedGraph, NeedsToKnowTheAtoms) {
  const std::string steps = "byte x, y;\nactive proctype left() { x = 1 }\nactive proctype right() { y = 1 }\n";
  unsigned found = 0;
  for (const char* const formula : {"[] !(x == 1 && y == 0)", "[] !(x == 0 && y == 1)"}) {
    const Loaded loaded(steps + "ltl p { " + formula + " }\n");
    ASSERT_NE(loaded.program, nullptr);
    EXPECT_TRUE(check(*loaded.program, false).violated);
    EXPECT_TRUE(check(*loaded.program, true).violated);
    found += check(*loaded.program, true, false).violated ? 1 : 0;
  }
  EXPECT_LT(found, 2U);
}

}  // namespace
}  // namespace fathom
