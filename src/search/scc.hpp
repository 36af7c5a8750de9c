// Search for a strongly connected component that has every mark a violation needs: the acceptance of the automaton and,
// under fairness, a mark for everyone who must not be kept waiting. Components are joined while they are found, so a
// violation is seen as soon as its last edge is (Couvreur, FM 1999; the stack of roots is that of Gabow, 2000).
#pragma once

#include <map>
#include <set>

#include "search/graph_search.hpp"
#include "search/strong_part.hpp"

namespace fathom {

template <class Graph>
class ComponentSearch : GraphSearch<Graph> {
  using Base = GraphSearch<Graph>;
  using typename Base::Frame;
  using typename Base::Stack;

 public:
  ComponentSearch(Graph& graph, const SearchOptions& options, std::uint32_t claim)
      : Base(graph, options, claim), wanted_(graph.all_marks()), pairs_(graph.strong_pairs()) {}

  SearchResult run() {
    this->from_starts([this](Node start) {
      if (rank_of(start) == unseen) explore(start);
    });
    return this->finish();
  }

 private:
  using Rank = std::uint64_t;
  static constexpr Rank unseen = 0;
  static constexpr Rank left = UINT64_MAX;  // its component is complete

  // A component as far as it is known.
  struct Component {
    Rank rank;          // of the node it was entered by
    std::size_t first;  // its nodes are those of active_ from here on, up to the next component's
    Marks marks;        // of its nodes and edges
    Marks entrance;     // of the edge that led here from the component before
    bool reported = false;
  };

  void explore(Node start) {
    enter(start, {});
    while (this->going_ && !stack_.empty()) {
      if (!this->has_edge(stack_.back())) {
        leave();
        continue;
      }
      const ProductEdge edge = this->next_edge(stack_.back());
      const Rank rank = rank_of(edge.target);
      if (rank == unseen) {
        enter(edge.target, this->graph_.marks(edge));
      } else if (rank != left) {
        join(rank, this->graph_.marks(edge));
      }
    }
  }

  void enter(Node node, const Marks& entrance) {
    set_rank(node, ++last_rank_);
    this->open(node, stack_);
    components_.push_back({last_rank_, active_.size(), this->graph_.node_marks(), entrance});
    active_.push_back(node);
  }

  // An edge leads back to a node of this rank: all components from there on are one.
  void join(Rank rank, const Marks& marks) {
    Marks found = marks;
    bool reported = false;
    while (components_.back().rank > rank) {
      found |= components_.back().marks | components_.back().entrance;
      reported |= components_.back().reported;
      components_.pop_back();
    }
    Component& component = components_.back();
    component.marks |= found;
    component.reported |= reported;
    if (component.reported || !has_wanted(component.marks) || !keeps_pairs(component.marks)) return;
    component.reported = true;
    this->found_cycle([&] {
      const auto inside = [&](Node node) {
        return rank_of(node) != unseen && rank_of(node) >= component.rank && rank_of(node) != left;
      };
      return lasso_in(inside, component.marks);
    });
  }

  [[nodiscard]] bool has_wanted(const Marks& marks) const { return (marks & wanted_) == wanted_; }
  [[nodiscard]] bool keeps_pairs(const Marks& marks) const {
    return std::ranges::all_of(pairs_, [&](const StrongPair& pair) { return pair.is_kept(marks); });
  }

  void leave() {
    if (components_.back().rank == rank_of(stack_.back().node)) {
      if (!pairs_.empty() && has_wanted(components_.back().marks) && !components_.back().reported) look_inside();
      if (!this->going_) return;
      for (; active_.size() > components_.back().first; active_.pop_back()) set_rank(active_.back(), left);
      components_.pop_back();
    }
    this->close(stack_);
  }

  // The whole component violates strong fairness: somebody is able to move in it and never does. Runs that are fair
  // stay where nobody of that kind is able to move, so we look there, and again, until nothing is left (emptiness of
  // Streett automata; Emerson, Lei 1987).
  void look_inside() {
    const auto first = active_.begin() + static_cast<std::ptrdiff_t>(components_.back().first);
    const std::optional<StrongPart> found = strong_part(edges_between({first, active_.end()}), wanted_, pairs_);
    if (!found) return;
    components_.back().reported = true;
    this->found_cycle([&] {
      const std::set<Node> nodes(found->nodes.begin(), found->nodes.end());
      return lasso_in([&](Node node) { return nodes.contains(node); }, found->marks);
    });
  }

  PartialGraph edges_between(const std::vector<Node>& nodes) {
    PartialGraph part;
    std::map<Node, std::uint32_t> numbers;
    for (const Node node : nodes) numbers.emplace(node, static_cast<std::uint32_t>(numbers.size()));
    for (const Node node : nodes) {
      auto& added = part.nodes.emplace_back();
      added.node = node;
      added.marks = marks_of(node);
      for (const ProductEdge& edge : scratch_)
        if (const auto target = numbers.find(edge.target); target != numbers.end())
          added.edges.push_back({target->second, this->graph_.marks(edge)});
    }
    return part;
  }

  [[nodiscard]] Rank rank_of(Node node) const { return node < ranks_.size() ? ranks_[node] : unseen; }
  void set_rank(Node node, Rank rank) {
    if (node >= ranks_.size()) ranks_.resize(std::max<std::uint64_t>(node + 1, ranks_.size() * 2));
    ranks_[node] = rank;
  }

  // Round the component until every mark was seen, by the nearest each time, and back to where it was entered. Whoever
  // is able to move in it moves, where strong fairness asks for that.
  Lasso lasso_in(const std::function<bool(Node)>& inside, const Marks& marks) {
    const auto seen = [this](Node node) { return rank_of(node) != unseen; };
    Marks needed = wanted_;
    for (const StrongPair& pair : pairs_)
      if (marks.test(pair.able)) needed.set(pair.moves);
    Lasso result{shortest_stem<Graph>(this->graph_, seen, inside), {}};
    const Node entry = result.stem.nodes.back();
    result.loop.nodes = {entry};
    Marks missing = needed & ~marks_of(entry);
    PathFinder<Graph> finder(this->graph_, inside);
    while (missing.any()) {
      const auto helps = [&](const ProductEdge& edge) {
        return (missing & (this->graph_.marks(edge) | marks_of(edge.target))).any();
      };
      const NodePath part = finder.find({result.loop.nodes.back()}, helps);
      for (const Marks& gained : marks_along(part)) missing &= ~gained;
      result.loop.append(part);
    }
    const auto comes_back = [&](const ProductEdge& edge) { return edge.target == entry; };
    if (result.loop.nodes.back() != entry || result.loop.steps.empty())
      result.loop.append(finder.find({result.loop.nodes.back()}, comes_back));
    return result;
  }

  Marks marks_of(Node node) {
    scratch_.clear();
    this->graph_.expand(node, false, scratch_, [](InstanceId) {});
    return this->graph_.node_marks();
  }

  // Of the nodes of a path and of the steps it takes.
  std::vector<Marks> marks_along(const NodePath& path) {
    std::vector<Marks> result;
    for (std::size_t k = 0; k < path.nodes.size(); ++k) {
      result.push_back(marks_of(path.nodes[k]));
      if (k == path.steps.size()) break;
      for (const ProductEdge& edge : scratch_)
        if (edge.step == path.steps[k] && edge.target == path.nodes[k + 1]) result.push_back(this->graph_.marks(edge));
    }
    return result;
  }

  [[nodiscard]] std::uint64_t own_bytes() const override {
    return ranks_.capacity() * sizeof(Rank) + active_.capacity() * sizeof(Node) +
           components_.capacity() * sizeof(Component) + stack_.capacity() * sizeof(Frame);
  }

  const Marks wanted_;
  const std::vector<StrongPair> pairs_;
  Stack stack_;
  std::vector<Node> active_;  // visited nodes whose component is not complete, in the order of visits
  std::vector<Component> components_;
  std::vector<Rank> ranks_;
  Rank last_rank_ = 0;
  std::vector<ProductEdge> scratch_;
};

}  // namespace fathom
