// Numbered states with steps between them, and the least cost from each of them to an end, found backwards from all
// ends at once (Dijkstra).
#pragma once

#include <cstdint>
#include <vector>

#include "heuristic/evaluator.hpp"

namespace fathom {

class StepGraph {
 public:
  static constexpr std::uint32_t never = UINT32_MAX;
  using Distances = std::vector<std::uint32_t>;

  struct Edge {
    std::uint32_t from, to;
    Cost cost;
    std::uint32_t owner = 0;
  };

  [[nodiscard]] std::size_t size() const { return edges_.size(); }
  [[nodiscard]] std::size_t bytes() const { return edges_.capacity() * sizeof(Edge); }
  void add(const Edge& edge) { edges_.push_back(edge); }
  // Of several steps of an owner between two states the cheapest counts. The edges from `first` on are looked at.
  void add_cheapest(const Edge& edge, std::size_t first);

  // When all edges are there, before distances are asked for.
  void sort(std::size_t states);
  // `ends`: per state, the cost after which there is an end without any edge, or never. The steps of other owners than
  // these cost nothing.
  [[nodiscard]] Distances distances(const Distances& ends, const std::vector<bool>& owners) const;

 private:
  std::vector<Edge> edges_;  // by their targets, once they are sorted
  std::vector<std::size_t> first_edge_;
};

}  // namespace fathom
