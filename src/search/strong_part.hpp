// Parts of a graph in which a run can stay for ever and be strongly fair.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "property/fairness.hpp"
#include "property/product.hpp"

namespace fathom {

// A part of a product graph, written out.
struct PartialGraph {
  struct Edge {
    std::uint32_t target = 0;  // in `nodes`
    Marks marks;
  };
  struct Vertex {
    Node node = 0;
    Marks marks;
    std::vector<Edge> edges;
  };
  std::vector<Vertex> nodes;
};

// A strongly connected part with an edge that has all wanted marks and keeps all pairs.
struct StrongPart {
  std::vector<Node> nodes;
  Marks marks;
};

// Nothing: every run that stays in this graph and has the wanted marks again and again breaks a pair.
std::optional<StrongPart> strong_part(const PartialGraph& graph, const Marks& wanted,
                                      const std::vector<StrongPair>& pairs);

}  // namespace fathom
