// Cost algebras: which of them keep their order, and that searches find cheapest paths in those that do.
#include "open/cost_algebra.hpp"

#include <gtest/gtest.h>

#include "directed_testing.hpp"
#include "heuristic/zero.hpp"
#include "open/ordered_list.hpp"
#include "search/best_first.hpp"
#include "toy_store.hpp"

namespace fathom {
namespace {

using CostThenCapacity = Lexicographic<Additive, Capacity>;
using CapacityThenCost = Lexicographic<Capacity, Additive>;
using PeakThenCost = Lexicographic<Peak, Additive>;

// A value of the algebra for a number.
template <class A>
typename A::Value value(Cost weight) {
  if constexpr (std::is_same_v<A, Probability>)
    return 1.0 / (1 << (weight % 8));
  else if constexpr (requires { typename A::Value::first_type; })
    return {weight / 4, weight % 4};
  else
    return weight;
}

template <class A>
bool isotone() {
  std::vector<typename A::Value> values{A::none(), A::worst()};
  for (Cost weight = 0; weight < 30; ++weight) values.push_back(value<A>(weight));
  return is_isotone<A>(values);
}

TEST(CostAlgebra, KnowsItselfWhetherItIsIsotone) {
  EXPECT_TRUE(isotone<Additive>());
  EXPECT_TRUE(isotone<Peak>());
  EXPECT_TRUE(isotone<Capacity>());
  EXPECT_TRUE(isotone<Probability>());
  EXPECT_TRUE(isotone<CostThenCapacity>());
  EXPECT_FALSE(isotone<CapacityThenCost>());
  EXPECT_FALSE(isotone<PeakThenCost>());
}

template <class A>
struct AlgebraCosts {
  using Algebra = A;
  static constexpr bool unit = false;
  const Weights* weights = nullptr;
  [[nodiscard]] typename A::Value of_step(StateView from, InstanceId step) const {
    return value<A>((*weights)[ToyModel::node_of(from)][parameters_of(step)]);
  }
};

// The best value of any run to each node, by relaxation until nothing changes.
template <class A>
std::vector<typename A::Value> best_values(const RandomCase& c) {
  std::vector<typename A::Value> best(c.graph.size(), A::worst());
  for (const std::uint32_t start : c.graph.starts) best[start] = A::none();
  for (bool changes = true; changes;) {
    changes = false;
    for (std::uint32_t node = 0; node < c.graph.size(); ++node)
      for (std::uint32_t k = 0; k < c.graph.successors_of[node].size(); ++k) {
        const auto next = A::then(best[node], value<A>(c.weights[node][k]));
        typename A::Value& known = best[c.graph.successors_of[node][k]];
        if (!A::better(next, known)) continue;
        known = next;
        changes = true;
      }
  }
  return best;
}

template <class A>
typename A::Value value_of(const RandomCase& c, const Counterexample& run) {
  typename A::Value total = A::none();
  for (std::size_t k = 0; k + 1 < run.states.size(); ++k) {
    const std::uint32_t node = ToyModel::node_of(run.states[k]);
    typename A::Value step = A::worst();
    for (std::uint32_t e = 0; e < c.graph.successors_of[node].size(); ++e) {
      const auto weight = value<A>(c.weights[node][e]);
      if (c.graph.successors_of[node][e] == ToyModel::node_of(run.states[k + 1]) && A::better(weight, step))
        step = weight;
    }
    total = A::then(total, step);
  }
  return total;
}

template <class A>
void finds_best_runs() {
  std::mt19937 random(11);
  for (int round = 0; round < graphs() / 10 && !testing::Test::HasFailure(); ++round) {
    RandomCase c(random, 1 + random() % 29);
    c.graph.faulty.clear();
    c.options.deadlock = DeadlockMode::off;
    typename A::Value best = A::worst();
    const auto values = best_values<A>(c);
    for (const std::uint32_t node : c.graph.bad)
      if (reachable(c.graph)[node] && A::better(values[node], best)) best = values[node];
    using Search = BestFirst<ToyModel, ToyStore<true>, AlgebraCosts<A>>;
    ToyModel model(c.graph);
    ToyStore<true> store(c.graph.words);
    Zero zero;
    std::vector<Evaluator*> evaluators{&zero};
    RankedList<A, typename Search::Entry> open({1, 0});
    BestFirstPlan plan{.cost_counts = true, .in_turn = true, .promise = zero.promise()};
    const SearchResult result =
        Search(model, store, c.options, evaluators, open, plan, AlgebraCosts<A>{&c.weights}).run();
    if (!result.first) continue;
    const auto found = value_of<A>(c, *result.first);
    EXPECT_FALSE(A::better(best, found));
    EXPECT_FALSE(A::better(found, best));
  }
}

TEST(CostAlgebra, BestFirstSearchFindsTheBestRunInEveryIsotoneAlgebra) {
  finds_best_runs<Additive>();
  finds_best_runs<Peak>();
  finds_best_runs<Capacity>();
  finds_best_runs<Probability>();
  finds_best_runs<CostThenCapacity>();
}

}  // namespace
}  // namespace fathom
