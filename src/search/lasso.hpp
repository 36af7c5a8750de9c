// Paths in a product graph, and the shortest of them inside what a search has visited: the lasso that a depth-first
// search stumbles over is rarely the one to show.
#pragma once

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <vector>

#include "property/product.hpp"
#include "support/plain_list.hpp"

namespace fathom {

// Nodes and the steps between them: one step less than there are nodes, or nothing at all.
struct NodePath {
  std::vector<Node> nodes;
  std::vector<InstanceId> steps;

  void append(const NodePath& more) {
    nodes.insert(nodes.end(), more.nodes.begin() + 1, more.nodes.end());
    steps.insert(steps.end(), more.steps.begin(), more.steps.end());
  }
};

// A run that ends stays where it is: steps of the automaton alone are not shown.
inline void drop_stuttering(Counterexample& run) {
  const auto first = std::ranges::find(run.steps, stuttering_step);
  if (first == run.steps.end()) return;
  const auto length = static_cast<std::size_t>(first - run.steps.begin());
  run.steps.resize(length);
  run.states.resize(length + 1);
  run.loop = length;
}

template <class Graph>
Counterexample counterexample(const Graph& graph, const Violation& violation, const NodePath& path) {
  Counterexample result;
  result.violation = violation;
  for (const Node node : path.nodes) {
    const StateView state = graph.state(node);
    result.states.emplace_back(state.begin(), state.end());
  }
  result.steps = path.steps;
  drop_stuttering(result);
  return result;
}

// The stem leads to the first node of the loop, and the loop comes back to that.
struct Lasso {
  NodePath stem;
  NodePath loop;
};

template <class Graph>
Counterexample counterexample(const Graph& graph, const Violation& violation, const Lasso& lasso) {
  NodePath all = lasso.stem;
  all.append(lasso.loop);
  Counterexample result = counterexample(graph, violation, all);
  if (!result.loop) result.loop = lasso.stem.nodes.size() - 1;
  return result;
}

// Breadth-first search for a shortest path inside a part of the graph.
template <class Graph>
class PathFinder {
 public:
  using Allowed = std::function<bool(Node)>;
  using Goal = std::function<bool(const ProductEdge&)>;  // the edge that completes the path

  PathFinder(Graph& graph, Allowed allowed, Goal passable = {}, std::size_t limit = SIZE_MAX)
      : graph_(graph), allowed_(std::move(allowed)), passable_(std::move(passable)), limit_(limit) {}

  // From one of these nodes to the target of the first edge that is a goal. Empty if there is none, or if it was not
  // found by expanding as many nodes as the limit says.
  NodePath find(const std::vector<Node>& from, const Goal& goal) {
    queue_.clear();
    arrivals_.assign(graph_.size(), {});
    for (const Node node : from) arrive(node, {node, InstanceId{}});
    for (std::size_t k = 0; k < std::min(queue_.size(), limit_); ++k) {
      edges_.clear();
      const Node node = queue_[k];
      graph_.expand(node, false, edges_, [](InstanceId) {});
      for (const ProductEdge& edge : edges_) {
        if (!allowed_(edge.target) || (passable_ && !passable_(edge))) continue;
        if (goal(edge)) return path(node, edge);
        arrive(edge.target, {node, edge.step});
      }
    }
    return {};
  }

 private:
  struct Arrival {
    Node from = UINT64_MAX;
    InstanceId step{};
  };

  void arrive(Node node, const Arrival& arrival) {
    if (node >= arrivals_.size()) arrivals_.resize(std::max<std::size_t>(graph_.size(), node + 1));
    if (arrivals_[node].from != UINT64_MAX) return;
    arrivals_[node] = arrival;
    queue_.push_back(node);
  }

  [[nodiscard]] NodePath path(Node last, const ProductEdge& edge) const {
    NodePath backwards{{edge.target, last}, {edge.step}};
    for (Node node = last; arrivals_[node].from != node; node = arrivals_[node].from) {
      backwards.nodes.push_back(arrivals_[node].from);
      backwards.steps.push_back(arrivals_[node].step);
    }
    std::ranges::reverse(backwards.nodes);
    std::ranges::reverse(backwards.steps);
    return backwards;
  }

  Graph& graph_;
  Allowed allowed_;
  Goal passable_;  // empty: every edge between allowed nodes is
  std::size_t limit_;
  PlainList<Node> queue_;
  PlainList<Arrival> arrivals_;
  std::vector<ProductEdge> edges_;
};

// A shortest way from the start to one of the wanted nodes; a start node that is wanted is a path of its own.
template <class Graph>
NodePath shortest_stem(Graph& graph, const std::function<bool(Node)>& allowed, const std::function<bool(Node)>& wanted,
                       std::size_t limit = SIZE_MAX) {
  std::vector<Node> starts;
  graph.starts(starts);
  for (const Node start : starts)
    if (wanted(start)) return {{start}, {}};
  return PathFinder<Graph>(graph, allowed, {}, limit).find(starts, [&](const ProductEdge& edge) {
    return wanted(edge.target);
  });
}

// The same loop, begun at another of its nodes.
inline NodePath begun_at(const NodePath& loop, Node node) {
  const auto place = std::ranges::find(loop.nodes, node) - loop.nodes.begin();
  NodePath result = loop;
  result.nodes.pop_back();
  std::rotate(result.nodes.begin(), result.nodes.begin() + place, result.nodes.end());
  std::rotate(result.steps.begin(), result.steps.begin() + place, result.steps.end());
  result.nodes.push_back(node);
  return result;
}

// A lasso whose loop passes a node that lies on a cycle of known nodes: a shortest loop through it, and then a shortest
// way to whatever node of the loop is nearest (Edelkamp, Leue, Lluch-Lafuente, STTT 2004).
// With `effort`, so many nodes are expanded in the hope that a way through unknown ones is shorter still.
template <class Graph>
Lasso short_lasso(Graph& graph, const std::function<bool(Node)>& known, Node node, std::size_t effort) {
  const auto all = [](Node) { return true; };
  const auto leads_to_it = [node](const ProductEdge& edge) { return edge.target == node; };
  NodePath loop = PathFinder<Graph>(graph, all, {}, effort).find({node}, leads_to_it);
  if (loop.nodes.empty()) loop = PathFinder<Graph>(graph, known).find({node}, leads_to_it);
  if (loop.nodes.empty()) throw std::logic_error("a cycle was found and is not there");
  const auto on_loop = [&loop](Node other) { return std::ranges::find(loop.nodes, other) != loop.nodes.end(); };
  NodePath stem = shortest_stem<Graph>(graph, all, on_loop, effort);
  if (stem.nodes.empty()) stem = shortest_stem<Graph>(graph, known, on_loop);
  if (stem.nodes.empty()) throw std::logic_error("no way leads to a cycle that was found");
  return {stem, begun_at(loop, stem.nodes.back())};
}

}  // namespace fathom
