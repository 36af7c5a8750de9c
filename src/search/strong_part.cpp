#include "search/strong_part.hpp"

#include <algorithm>

namespace fathom {

namespace {

using Vertices = std::vector<std::uint32_t>;

// Strongly connected components among some of the vertices (Tarjan 1972, with a stack of our own).
class Components {
 public:
  Components(const PartialGraph& graph, const Vertices& among) : graph_(graph) {
    ranks_.assign(graph.nodes.size(), outside);
    lows_.assign(graph.nodes.size(), 0);
    for (const std::uint32_t vertex : among) ranks_[vertex] = unseen;
    for (const std::uint32_t vertex : among)
      if (ranks_[vertex] == unseen) visit(vertex);
  }

  std::vector<Vertices> take() { return std::move(found_); }

 private:
  static constexpr std::uint32_t unseen = 0;
  static constexpr std::uint32_t outside = UINT32_MAX;

  struct Frame {
    std::uint32_t vertex;
    std::size_t next = 0;
  };

  void enter(std::uint32_t vertex) {
    ranks_[vertex] = lows_[vertex] = ++last_;
    open_.push_back(vertex);
    frames_.push_back({vertex});
  }

  void visit(std::uint32_t start) {
    enter(start);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const auto& edges = graph_.nodes[frame.vertex].edges;
      if (frame.next == edges.size()) {
        leave();
        continue;
      }
      const std::uint32_t target = edges[frame.next++].target;
      if (ranks_[target] == unseen) {
        enter(target);
      } else if (ranks_[target] != outside) {
        lows_[frame.vertex] = std::min(lows_[frame.vertex], ranks_[target]);
      }
    }
  }

  void leave() {
    const std::uint32_t vertex = frames_.back().vertex;
    frames_.pop_back();
    if (!frames_.empty()) lows_[frames_.back().vertex] = std::min(lows_[frames_.back().vertex], lows_[vertex]);
    if (lows_[vertex] != ranks_[vertex]) return;
    Vertices& component = found_.emplace_back();
    do {
      component.push_back(open_.back());
      ranks_[open_.back()] = outside;
      open_.pop_back();
    } while (component.back() != vertex);
  }

  const PartialGraph& graph_;
  std::vector<std::uint32_t> ranks_, lows_;
  std::uint32_t last_ = 0;
  Vertices open_;
  std::vector<Frame> frames_;
  std::vector<Vertices> found_;
};

// What a run gets that goes everywhere in a component again and again; nothing where it cannot move.
std::optional<Marks> marks_of(const PartialGraph& graph, const Vertices& component) {
  std::vector<bool> inside(graph.nodes.size());
  for (const std::uint32_t vertex : component) inside[vertex] = true;
  Marks marks;
  bool moves = false;
  for (const std::uint32_t vertex : component) {
    marks |= graph.nodes[vertex].marks;
    for (const PartialGraph::Edge& edge : graph.nodes[vertex].edges) {
      if (!inside[edge.target]) continue;
      moves = true;
      marks |= edge.marks;
    }
  }
  return moves ? std::optional(marks) : std::nullopt;
}

}  // namespace

std::optional<StrongPart> strong_part(const PartialGraph& graph, const Marks& wanted,
                                      const std::vector<StrongPair>& pairs) {
  std::vector<Vertices> waiting(1);
  for (std::uint32_t k = 0; k < graph.nodes.size(); ++k) waiting.front().push_back(k);
  while (!waiting.empty()) {
    const Vertices among = std::move(waiting.back());
    waiting.pop_back();
    for (Vertices& component : Components(graph, among).take()) {
      const std::optional<Marks> marks = marks_of(graph, component);
      if (!marks || (*marks & wanted) != wanted) continue;
      Marks broken;
      for (const StrongPair& pair : pairs)
        if (!pair.is_kept(*marks)) broken.set(pair.able);
      if (broken.none()) {
        StrongPart part{{}, *marks};
        for (const std::uint32_t vertex : component) part.nodes.push_back(graph.nodes[vertex].node);
        return part;
      }
      std::erase_if(component, [&](std::uint32_t k) { return (graph.nodes[k].marks & broken).any(); });
      if (!component.empty()) waiting.push_back(std::move(component));
    }
  }
  return std::nullopt;
}

}  // namespace fathom
