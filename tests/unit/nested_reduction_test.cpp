// Nested searches whose steps are chosen with an eye on the stack. Two graphs on which such searches miss a cycle: that
// of Fig. 3 of Holzmann, Peled, Yannakakis, "On nested depth first search" (SPIN 1996), and one for the failure that
// its section 5.2 describes, a part of the graph that the first search leaves without a second one and that a later
// second search comes back to. For each there is a search without the cure, which must fail, and one with it; and what
// we do instead, settle the choices before there is any search for cycles, must find the cycle in both.
#include <gtest/gtest.h>

#include <algorithm>

#include "property/bad_runs.hpp"
#include "property/product.hpp"
#include "property/reduced_graph.hpp"
#include "search/ndfs.hpp"
#include "store/indexed_store.hpp"
#include "toy_graph.hpp"

namespace fathom {
namespace {

using Nodes = std::vector<std::uint32_t>;

struct ChoosyGraph {
  std::vector<Nodes> successors;            // all of them
  std::vector<std::vector<Nodes>> subsets;  // which a reduction tries one after the other
  std::uint32_t start = 0;
  std::set<std::uint32_t> accepting;
};

// s1 = 0, s2 = 1 (accepting), s3 = 2, s4 = 3. From s1 either both s2 and s3 are taken, or s4 alone.
ChoosyGraph figure_3() {
  return {{{1, 2, 3}, {2}, {0}, {}}, {{{1, 2}, {3}}, {{2}}, {{0}}, {}}, 0, {1}};
}

// 0 -> 1 -> 2, where 2 takes {1} or {3}, and 3 -> 0 closes a cycle through 0, which is accepting. In the first search 1
// is on the stack when 2 is reached, so 2 takes {3}. Behind that, 4 (accepting) leads to 2 once more.
ChoosyGraph left_and_entered_again() {
  return {{{1, 4}, {2}, {1, 3}, {0}, {2}}, {{{1, 4}}, {{2}}, {{1}, {3}}, {{0}}, {{2}}}, 0, {0, 4}};
}

struct Cures {
  bool stops_at_stack = false;       // the second search may end at any node on the stack of the first ...
  bool looks_at_stack_first = true;  // ... and asks that before it asks whether it has been there
  bool keeps_selection = false;      // it takes the steps that the first search chose
};

// The paper's search, written down for small graphs: a node takes the first of its subsets that does not lead back into
// the stack of the search at hand, or everything.
class StackDependentSearch {
 public:
  StackDependentSearch(const ChoosyGraph& graph, Cures cures)
      : graph_(graph), cures_(cures), selected_(graph.successors.size()) {}

  bool finds_cycle() {
    first(graph_.start);
    return found_;
  }

 private:
  [[nodiscard]] Nodes choose(std::uint32_t node, const Nodes& stack) const {
    const auto closes = [&](std::uint32_t next) { return std::ranges::count(stack, next) > 0; };
    for (const Nodes& subset : graph_.subsets[node])
      if (std::ranges::none_of(subset, closes)) return subset;
    return graph_.successors[node];
  }

  void first(std::uint32_t node) {
    visited_.insert(node);
    stack_.push_back(node);
    selected_[node] = choose(node, stack_);
    for (const std::uint32_t next : selected_[node])
      if (!visited_.contains(next)) first(next);
    if (graph_.accepting.contains(node)) {
      seed_ = node;
      second(node);
    }
    stack_.pop_back();
  }

  void second(std::uint32_t node) {
    nested_.insert(node);
    second_stack_.push_back(node);
    for (const std::uint32_t next : cures_.keeps_selection ? selected_[node] : choose(node, second_stack_)) {
      if (cures_.looks_at_stack_first && closes(next)) {
        found_ = true;
      } else if (!nested_.contains(next)) {
        second(next);
      } else if (closes(next)) {
        found_ = true;
      }
    }
    second_stack_.pop_back();
  }

  [[nodiscard]] bool closes(std::uint32_t next) const {
    return cures_.stops_at_stack ? std::ranges::count(stack_, next) > 0 : next == seed_;
  }

  const ChoosyGraph& graph_;
  const Cures cures_;
  std::vector<Nodes> selected_;
  std::set<std::uint32_t> visited_, nested_;
  Nodes stack_, second_stack_;
  std::uint32_t seed_ = 0;
  bool found_ = false;
};

bool finds_cycle(const ChoosyGraph& graph, Cures cures) {
  return StackDependentSearch(graph, cures).finds_cycle();
}

class ChoosyModel : public ToyModel {
 public:
  ChoosyModel(const ToyGraph& graph, const ChoosyGraph& choosy) : ToyModel(graph), choosy_(choosy) {}
  ir::SiteId atoms(StateView state, std::uint32_t, AtomValues& atoms) {
    atoms.holding = choosy_.accepting.contains(node_of(state)) ? 1 : 0;
    return ir::SiteId::none;
  }

 private:
  const ChoosyGraph& choosy_;
};

// Proposes the first subset of every node.
class FirstSubset : public Reduction {
 public:
  explicit FirstSubset(const ChoosyGraph& graph) : graph_(graph) {}
  bool select(StateView state, const Batch&, std::uint32_t, std::uint32_t,
              std::vector<std::uint32_t>& chosen) override {
    const std::uint32_t node = ToyModel::node_of(state);
    chosen.clear();
    for (std::uint32_t k = 0; k < graph_.successors[node].size(); ++k)
      if (!graph_.subsets[node].empty() &&
          std::ranges::count(graph_.subsets[node].front(), graph_.successors[node][k]) > 0)
        chosen.push_back(k);
    return !chosen.empty() && chosen.size() < graph_.successors[node].size();
  }
  bool pays() override { return true; }

 private:
  const ChoosyGraph& graph_;
};

bool settled_search_finds_cycle(const ChoosyGraph& choosy, NestedVariant variant) {
  ToyGraph graph;
  graph.successors_of = choosy.successors;
  graph.starts = {choosy.start};
  ChoosyModel model(graph, choosy);
  FirstSubset reduction(choosy);
  SearchOptions options;
  options.shape = {1, 0, 2};
  options.reduction = &reduction;
  IndexedStore store(1, UINT64_MAX);
  ReducedGraph reduced(model, store, options);
  EXPECT_EQ(reduced.settle(), ReducedGraph<ChoosyModel>::End::complete);
  const ir::Automaton anything = all_runs();
  Product product(model, store, 0, anything, 0, false, nullptr);
  product.restrict_to(reduced);
  return NestedDfs(product, options, 0, variant).run().first.has_value();
}

constexpr Cures as_in_figure_2{};
constexpr Cures as_printed_in_figure_4{.stops_at_stack = true, .looks_at_stack_first = false};
constexpr Cures as_meant_in_figure_4{.stops_at_stack = true};
constexpr Cures with_selection{.stops_at_stack = true, .keeps_selection = true};

TEST(NestedReduction, FailsOnFigure3UntilTheStackOfTheFirstSearchIsAskedFirst) {
  EXPECT_FALSE(finds_cycle(figure_3(), as_in_figure_2));
  EXPECT_FALSE(finds_cycle(figure_3(), as_printed_in_figure_4));
  EXPECT_TRUE(finds_cycle(figure_3(), as_meant_in_figure_4));
}

TEST(NestedReduction, FailsWhereAPartIsEnteredAgainUntilTheSelectionIsKept) {
  EXPECT_FALSE(finds_cycle(left_and_entered_again(), as_in_figure_2));
  EXPECT_FALSE(finds_cycle(left_and_entered_again(), as_meant_in_figure_4));
  EXPECT_TRUE(finds_cycle(left_and_entered_again(), with_selection));
}

TEST(NestedReduction, FindsBothCyclesWhereTheChoicesAreSettledFirst) {
  for (const NestedVariant variant : {NestedVariant::cvwy, NestedVariant::hpy, NestedVariant::se}) {
    EXPECT_TRUE(settled_search_finds_cycle(figure_3(), variant));
    EXPECT_TRUE(settled_search_finds_cycle(left_and_entered_again(), variant));
  }
}

}  // namespace
}  // namespace fathom
