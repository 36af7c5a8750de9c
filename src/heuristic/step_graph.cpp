#include "heuristic/step_graph.hpp"

#include <algorithm>

#include "open/bucket_list.hpp"

namespace fathom {

void StepGraph::add_cheapest(const Edge& edge, std::size_t first) {
  for (std::size_t k = first; k < edges_.size(); ++k) {
    if (edges_[k].to != edge.to || edges_[k].owner != edge.owner) continue;
    edges_[k].cost = std::min(edges_[k].cost, edge.cost);
    return;
  }
  edges_.push_back(edge);
}

void StepGraph::sort(std::size_t states) {
  first_edge_.assign(states + 1, 0);
  for (const Edge& edge : edges_) ++first_edge_[edge.to + 1];
  for (std::size_t k = 1; k < first_edge_.size(); ++k) first_edge_[k] += first_edge_[k - 1];
  std::vector<std::size_t> next(first_edge_.begin(), first_edge_.end() - 1);
  std::vector<Edge> sorted(edges_.size());
  for (const Edge& edge : edges_) sorted[next[edge.to]++] = edge;
  edges_ = std::move(sorted);
}

StepGraph::Distances StepGraph::distances(const Distances& ends, const std::vector<bool>& owners) const {
  Distances distances(ends);
  BucketList<std::uint32_t> open;
  for (std::uint32_t number = 0; number < distances.size(); ++number)
    if (distances[number] != never) open.push(distances[number], number);
  std::vector<bool> done(distances.size());
  while (!open.empty()) {
    const std::uint32_t to = open.pop();
    if (done[to]) continue;
    done[to] = true;
    for (std::size_t k = first_edge_[to]; k < first_edge_[to + 1]; ++k) {
      const std::uint64_t through = std::uint64_t{distances[to]} + (owners[edges_[k].owner] ? edges_[k].cost : 0);
      if (through >= distances[edges_[k].from]) continue;
      distances[edges_[k].from] = static_cast<std::uint32_t>(through);
      open.push(through, edges_[k].from);
    }
  }
  return distances;
}

}  // namespace fathom
