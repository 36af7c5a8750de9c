// For tests of directed searches: random graphs with costs on their edges, evaluators of every kind for them, and what
// the searches have to find, computed in the plainest way.
#pragma once

#include <array>
#include <cstdlib>
#include <map>
#include <numeric>
#include <utility>

#include "heuristic/evaluator.hpp"
#include "open/cost_algebra.hpp"
#include "toy_graph.hpp"

namespace fathom {

constexpr Cost unreached = UINT32_MAX;

inline int graphs() {
  const char* const wanted = std::getenv("FATHOM_GRAPHS");
  return wanted != nullptr ? std::atoi(wanted) : 5000;
}

// Says of each node what a table says.
class Table final : public Evaluator {
 public:
  explicit Table(std::vector<Cost> estimates, Promise promise = {})
      : estimates_(std::move(estimates)), promise_(promise) {}
  [[nodiscard]] Promise promise() const override { return promise_; }
  [[nodiscard]] Cost estimate(StateView state, const Batch&) override { return estimates_[ToyModel::node_of(state)]; }

  std::vector<Cost> estimates_;

 private:
  Promise promise_;
};

// The cost of the edge at each position of each node.
using Weights = std::vector<std::vector<Cost>>;

struct TableCosts {
  using Algebra = Additive;
  static constexpr bool unit = false;
  const Weights* weights = nullptr;
  [[nodiscard]] Cost of_step(StateView from, InstanceId step) const {
    return (*weights)[ToyModel::node_of(from)][parameters_of(step)];
  }
};

inline bool is_faulty(const ToyGraph& graph, std::uint32_t node, std::uint32_t k) {
  return graph.faulty.contains({node, k});
}

inline bool is_deadlocked(const ToyGraph& graph, std::uint32_t node, DeadlockMode mode) {
  const auto& successors = graph.successors_of[node];
  if (mode == DeadlockMode::off) return false;
  if (mode == DeadlockMode::stuck) return successors.empty();
  for (std::uint32_t k = 0; k < successors.size(); ++k)
    if (successors[k] != node || is_faulty(graph, node, k)) return false;
  return true;
}

// What a run from each node to some violation costs at least.
inline std::vector<Cost> cost_to_a_violation(const ToyGraph& graph, const Weights& weights, DeadlockMode deadlock) {
  std::vector<Cost> cost(graph.size(), unreached);
  for (bool changes = true; changes;) {
    changes = false;
    for (std::uint32_t node = 0; node < graph.size(); ++node) {
      Cost least = graph.bad.contains(node) || is_deadlocked(graph, node, deadlock) ? 0 : unreached;
      for (std::uint32_t k = 0; k < graph.successors_of[node].size(); ++k) {
        const Cost rest = is_faulty(graph, node, k) ? 0 : cost[graph.successors_of[node][k]];
        if (rest != unreached) least = std::min(least, weights[node][k] + rest);
      }
      changes = changes || least < cost[node];
      cost[node] = std::min(cost[node], least);
    }
  }
  return cost;
}

// What a run from a start state to each node costs at least.
inline std::vector<Cost> cost_from_start(const ToyGraph& graph, const Weights& weights) {
  std::vector<Cost> cost(graph.size(), unreached);
  for (const std::uint32_t start : graph.starts) cost[start] = 0;
  for (bool changes = true; changes;) {
    changes = false;
    for (std::uint32_t node = 0; node < graph.size(); ++node)
      for (std::uint32_t k = 0; k < graph.successors_of[node].size() && cost[node] != unreached; ++k) {
        Cost& known = cost[graph.successors_of[node][k]];
        if (is_faulty(graph, node, k) || cost[node] + weights[node][k] >= known) continue;
        known = cost[node] + weights[node][k];
        changes = true;
      }
  }
  return cost;
}

inline std::vector<bool> reachable(const ToyGraph& graph) {
  std::vector<bool> reached(graph.size());
  std::vector<std::uint32_t> open = graph.starts;
  while (!open.empty()) {
    const std::uint32_t node = open.back();
    open.pop_back();
    if (reached[node]) continue;
    reached[node] = true;
    for (std::uint32_t k = 0; k < graph.successors_of[node].size(); ++k)
      if (!is_faulty(graph, node, k)) open.push_back(graph.successors_of[node][k]);
  }
  return reached;
}

// The cheapest way to walk this run, or unreached if it is none that shows its violation.
inline Cost cost_of_run(const ToyGraph& graph, const Weights& weights, const Counterexample& run, DeadlockMode mode) {
  const auto node = [&](std::size_t k) { return ToyModel::node_of(run.states[k]); };
  if (run.states.empty() || std::ranges::count(graph.starts, node(0)) == 0) return unreached;
  Cost cost = 0;
  for (std::size_t k = 0; k + 1 < run.states.size(); ++k) {
    Cost cheapest = unreached;
    const auto& successors = graph.successors_of[node(k)];
    for (std::uint32_t e = 0; e < successors.size(); ++e)
      if (successors[e] == node(k + 1) && !is_faulty(graph, node(k), e))
        cheapest = std::min(cheapest, weights[node(k)][e]);
    if (cheapest == unreached) return unreached;
    cost += cheapest;
  }
  const std::uint32_t last = node(run.states.size() - 1);
  if (run.violation.kind == Violation::Kind::invariant) return graph.bad.contains(last) ? cost : unreached;
  if (run.violation.kind == Violation::Kind::deadlock) return is_deadlocked(graph, last, mode) ? cost : unreached;
  if (!run.failing_step || !is_faulty(graph, last, parameters_of(*run.failing_step))) return unreached;
  return cost + weights[last][parameters_of(*run.failing_step)];
}

class RandomCase {
 public:
  explicit RandomCase(std::mt19937& random, Cost largest_weight = 1) : random_(random) {
    graph = random_graph(random, 2 + random() % 60, 0.8 + double(random() % 20) / 10, 1 + random() % 3);
    if (random() % 3 == 0) stretch();
    for (std::uint32_t k = random() % 4; k > 0; --k) graph.bad.insert(random() % graph.size());
    for (std::uint32_t node = 0; node < graph.size(); ++node)
      if (!graph.successors_of[node].empty() && random() % 40 == 0) graph.faulty.insert({node, 0});
    for (const auto& successors : graph.successors_of) {
      weights.emplace_back();
      for (std::size_t k = 0; k < successors.size(); ++k)
        weights.back().push_back(largest_weight == 1 ? 1 : static_cast<Cost>(random() % (largest_weight + 1)));
    }
    options = toy_options();
    options.deadlock = std::array{DeadlockMode::off, DeadlockMode::stuck, DeadlockMode::stuttering}[random() % 3];
    options.order = std::array{Order::declared, Order::reverse, Order::random}[random() % 3];
    options.seed = random();
  }

  [[nodiscard]] std::vector<Cost> truth() const { return cost_to_a_violation(graph, weights, options.deadlock); }
  [[nodiscard]] Cost cheapest() const {
    const std::vector<Cost> cost = truth();
    Cost least = unreached;
    for (const std::uint32_t start : graph.starts) least = std::min(least, cost[start]);
    return least;
  }
  [[nodiscard]] Cost cost_of(const Counterexample& run) const {
    return cost_of_run(graph, weights, run, options.deadlock);
  }

  Table any_table() {
    std::vector<Cost> estimates(graph.size());
    for (Cost& estimate : estimates) estimate = random_() % 12;
    return Table(std::move(estimates));
  }

  // Never more than the truth, but as uneven as it can be; now and then it knows that nothing can go wrong.
  Table admissible_table() {
    std::vector<Cost> estimates = truth();
    for (Cost& estimate : estimates) {
      const bool known = estimate == unreached && random_() % 2 == 0;
      if (estimate == unreached) estimate = graph.size();
      estimate = known ? dead_end : random_() % (1 + estimate);
    }
    return Table(std::move(estimates), {.admissible = true});
  }

  // As large as it may be and no larger, or half of that.
  Table consistent_table() {
    std::vector<Cost> estimates = truth();
    const Cost divisor = 1 + random_() % 2;
    for (Cost& estimate : estimates) estimate = estimate == unreached ? dead_end : estimate / divisor;
    return Table(std::move(estimates), {.admissible = true, .consistent = true});
  }

  // The largest consistent one below something uneven that is admissible.
  Table uneven_consistent_table() {
    std::vector<Cost> estimates = admissible_table().estimates_;
    for (bool changes = true; changes;) {
      changes = false;
      for (std::uint32_t node = 0; node < graph.size(); ++node)
        for (std::uint32_t k = 0; k < graph.successors_of[node].size(); ++k) {
          if (is_faulty(graph, node, k)) continue;
          const Cost most = Additive::then(weights[node][k], estimates[graph.successors_of[node][k]]);
          changes = changes || most < estimates[node];
          estimates[node] = std::min(estimates[node], most);
        }
    }
    return Table(std::move(estimates), {.admissible = true, .consistent = true});
  }

  ToyGraph graph;
  Weights weights;
  SearchOptions options;

 private:
  // Long ways, and many of different lengths between the same nodes.
  void stretch() {
    graph.starts = {0};
    for (std::uint32_t node = 0; node < graph.size(); ++node) {
      graph.successors_of[node].clear();
      for (std::uint32_t k = 1 + random_() % 3; k > 0; --k)
        graph.successors_of[node].push_back(std::min<std::uint32_t>(node + 1 + random_() % 5, graph.size() - 1));
    }
    graph.bad.insert(graph.size() - 1);
  }

  std::mt19937& random_;
};

}  // namespace fathom
