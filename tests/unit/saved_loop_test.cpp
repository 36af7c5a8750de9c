// Lassos found as states that carry a saved copy of an earlier one, against what all-pairs distances say of random
// graphs: whether there is a loop through an accepting node, and how long the shortest lasso is.
#include "property/saved_loop.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "property/bad_runs.hpp"
#include "search/bfs.hpp"
#include "toy_graph.hpp"
#include "toy_store.hpp"

namespace fathom {
namespace {

// Nodes in graph.bad are those in which atom 0 holds.
class AtomModel : public ToyModel {
 public:
  explicit AtomModel(const ToyGraph& graph) : ToyModel(graph), graph_(graph) {}
  ir::SiteId atoms(StateView state, std::uint32_t, AtomValues& atoms) {
    atoms.holding = graph_.bad.contains(node_of(state)) ? 1 : 0;
    return ir::SiteId::none;
  }

 private:
  const ToyGraph& graph_;
};

constexpr std::uint32_t far = 1'000'000;

// Steps from each node to each; from a node to itself, round a cycle.
std::vector<std::vector<std::uint32_t>> distances(const ToyGraph& graph) {
  std::vector<std::vector<std::uint32_t>> result(graph.size(), std::vector<std::uint32_t>(graph.size(), far));
  for (std::uint32_t node = 0; node < graph.size(); ++node)
    for (const std::uint32_t next : graph.successors_of[node]) result[node][next] = 1;
  for (std::uint32_t via = 0; via < graph.size(); ++via)
    for (std::uint32_t from = 0; from < graph.size(); ++from)
      for (std::uint32_t to = 0; to < graph.size(); ++to)
        result[from][to] = std::min(result[from][to], result[from][via] + result[via][to]);
  return result;
}

std::optional<std::uint32_t> shortest_lasso(const ToyGraph& graph) {
  const auto steps = distances(graph);
  std::uint32_t best = far;
  for (const std::uint32_t start : graph.starts)
    for (std::uint32_t node = 0; node < graph.size(); ++node)
      for (const std::uint32_t accepting : graph.bad) {
        const std::uint32_t stem = start == node ? 0 : steps[start][node];
        const std::uint32_t loop =
            node == accepting ? steps[node][node] : steps[node][accepting] + steps[accepting][node];
        best = std::min(best, stem + loop);
      }
  return best < far ? std::optional(best) : std::nullopt;
}

TEST(SavedLoop, BreadthFirstSearchFindsAShortestLasso) {
  std::mt19937 random(7);
  unsigned found = 0;
  for (unsigned k = 0; k < 1000; ++k) {
    ToyGraph graph = random_graph(random, 2 + random() % 7, 1.3);
    graph.bad = {static_cast<std::uint32_t>(random() % graph.size())};
    AtomModel model(graph);
    ir::Claim claim;
    claim.kind = ir::Claim::Kind::accept_labels;
    claim.acceptance = 0;
    const ir::Automaton anything = all_runs();
    using Loops = SavedLoop<AtomModel>;
    Loops loops(model, claim, 0, anything, false, 1);
    SearchOptions options;
    options.shape = {2, Loops::property_count, 2};
    options.deadlock = DeadlockMode::off;
    options.selected.assign(Loops::property_count, true);
    ToyStore<true> store(loops.state_words());
    const SearchResult result = BreadthFirst(loops, store, options).run();
    const auto expected = shortest_lasso(graph);
    ASSERT_EQ(result.first.has_value(), expected.has_value()) << "graph " << k;
    if (!expected) continue;
    ++found;
    EXPECT_EQ(result.first->violation.property, Loops::closed_loop);
    EXPECT_EQ(result.first->states.size() - 1, *expected) << "graph " << k;
  }
  EXPECT_GT(found, 100U);
}

// A node without successors is no loop, unless runs that end are taken to stay where they are.
TEST(SavedLoop, ARunThatEndsIsALoopOnlyIfItStutters) {
  ToyGraph graph;
  graph.successors_of = {{1}, {}};
  graph.starts = {0};
  graph.bad = {1};
  AtomModel model(graph);
  ir::Claim claim;
  claim.acceptance = 0;
  const ir::Automaton anything = all_runs();
  for (const bool stutters : {false, true}) {
    SavedLoop<AtomModel> loops(model, claim, 0, anything, stutters, 1);
    SearchOptions options;
    options.shape = {2, SavedLoop<AtomModel>::property_count, 2};
    options.deadlock = DeadlockMode::off;
    options.selected.assign(SavedLoop<AtomModel>::property_count, true);
    ToyStore<true> store(loops.state_words());
    EXPECT_EQ(BreadthFirst(loops, store, options).run().first.has_value(), stutters);
  }
}

}  // namespace
}  // namespace fathom
