// Search for a strongly connected component that has every mark a violation needs: the acceptance of the automaton and,
// under fairness, a mark for everyone who must not be kept waiting. Components are joined while they are found, so a
// violation is seen as soon as its last edge is (Couvreur, FM 1999; the stack of roots is that of Gabow, 2000).
//
// Cycles without progress need no automaton: they are cycles of the graph without the edges that make progress and
// those that leave a node with progress. What such an edge leads to is the beginning of a search of its own, later, so
// that each state is visited once, and not once for each place of an automaton that waits for the last progress.
#pragma once

#include <map>
#include <set>

#include "search/graph_search.hpp"
#include "search/strong_part.hpp"
#include "support/plain_list.hpp"

namespace fathom {

// Without progress: mark 0 of a node means progress, and the graph is that of all runs.
enum class CyclesWanted : std::uint8_t { accepting, without_progress };

template <class Graph>
class ComponentSearch : GraphSearch<Graph> {
  using Base = GraphSearch<Graph>;
  using typename Base::Frame;
  using typename Base::Stack;

 public:
  ComponentSearch(Graph& graph, const SearchOptions& options, std::uint32_t claim,
                  CyclesWanted cycles = CyclesWanted::accepting)
      : Base(graph, options, claim),
        cuts_progress_(cycles == CyclesWanted::without_progress),
        wanted_(cuts_progress_ ? graph.all_marks().reset(0) : graph.all_marks()),
        pairs_(graph.strong_pairs()) {}

  using Base::save;
  using Base::save_due;
  using Base::set_pace;

  SearchResult run() {
    std::vector<Node> starts;
    this->from_starts([&](Node start) { starts.push_back(start); });
    while (!starts.empty()) {  // the first one is to be taken first
      put_off(starts.back());
      starts.pop_back();
    }
    return go_on();
  }

  // Where it stands, without the graph.
  void write(SealedWriter& out) const {
    this->write_search(out);
    write_stack(stack_, out);
    out.list(roots_);
    out.list(active_);
    out.list(ranks_);
    out.number(last_rank_);
    out.number(components_.size());
    for (const Component& component : components_) {
      out.list({component.rank, component.first, component.reported});
      out.text(component.marks.to_string());
      out.text(component.entrance.to_string());
    }
  }

  // Goes on where another stood.
  SearchResult resume(SealedReader& in) {
    this->read_search(in);
    read_stack(stack_, in);
    in.list(roots_);
    in.list(active_);
    in.list(ranks_);
    last_rank_ = in.number();
    for (std::uint64_t k = in.number(); k > 0; --k) {
      std::vector<std::uint64_t> numbers = in.list();
      numbers.resize(3);
      const Marks marks(in.text());
      components_.push_back({numbers[0], numbers[1], marks, Marks(in.text()), numbers[2] != 0});
    }
    return go_on();
  }

 private:
  using Rank = std::uint64_t;
  static constexpr Rank unseen = 0;
  static constexpr Rank left = UINT64_MAX;         // its component is complete
  static constexpr Rank waiting = UINT64_MAX - 1;  // among the roots

  // A component as far as it is known.
  struct Component {
    Rank rank;          // of the node it was entered by
    std::size_t first;  // its nodes are those of active_ from here on, up to the next component's
    Marks marks;        // of its nodes and edges
    Marks entrance;     // of the edge that led here from the component before
    bool reported = false;
  };

  SearchResult go_on() {
    explore();
    while (this->going_ && !roots_.empty()) {
      const Node root = roots_.back();
      roots_.pop_back();
      if (rank_of(root) != waiting) continue;
      enter(root, {});
      explore();
    }
    return this->finish();
  }

  void explore() {
    while (this->going_ && !stack_.empty() && this->may_go_on()) {
      if (!this->has_edge(stack_.back())) {
        leave();
        continue;
      }
      const Frame& from = stack_.back();
      const ProductEdge edge = this->next_edge(stack_.back());
      const Rank rank = rank_of(edge.target);
      if (is_cut(from, edge)) {
        put_off(edge.target);
      } else if (rank == unseen || rank == waiting) {
        enter(edge.target, this->graph_.marks(edge));
      } else if (rank != left) {
        join(rank, this->graph_.marks(edge));
      }
    }
  }

  [[nodiscard]] bool is_cut(const Frame& from, const ProductEdge& edge) const {
    return (cuts_progress_ && from.accepting) || !is_inner(edge);
  }
  // Of an edge between two nodes of a component.
  [[nodiscard]] bool is_inner(const ProductEdge& edge) const { return !cuts_progress_ || !edge.progress; }

  void put_off(Node node) {
    if (rank_of(node) != unseen) return;
    set_rank(node, waiting);
    roots_.push_back(node);
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
      const auto inside = [&](Node node) { return rank_of(node) >= component.rank && rank_of(node) < waiting; };
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
      if (cuts_progress_ && added.marks.test(0)) continue;
      for (const ProductEdge& edge : scratch_)
        if (const auto target = numbers.find(edge.target); target != numbers.end() && is_inner(edge))
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
    Marks needed = wanted_;
    for (const StrongPair& pair : pairs_)
      if (marks.test(pair.able)) needed.set(pair.moves);
    Lasso result{stem_to(inside), {}};
    const Node entry = result.stem.nodes.back();
    result.loop.nodes = {entry};
    Marks missing = needed & ~marks_of(entry);
    PathFinder<Graph> finder(this->graph_, inside, [this](const ProductEdge& edge) { return is_inner(edge); });
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

  NodePath stem_to(const std::function<bool(Node)>& wanted) {
    const auto seen = [this](Node node) { return rank_of(node) != unseen && rank_of(node) != waiting; };
    return shortest_stem<Graph>(this->graph_, seen, wanted);
  }

  // The graph knows the marks of the node it expanded last, and they are asked for right after this.
  NodePath way_to(Node root) override {
    const NodePath result = stem_to([root](Node node) { return node == root; });
    marks_of(stack_.back().node);
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
           components_.capacity() * sizeof(Component) + stack_.capacity() * sizeof(Frame) +
           roots_.capacity() * sizeof(Node);
  }

  const bool cuts_progress_;
  const Marks wanted_;
  const std::vector<StrongPair> pairs_;
  Stack stack_;
  PlainList<Node> roots_;   // where searches are to begin; those that were visited meanwhile are skipped
  PlainList<Node> active_;  // visited nodes whose component is not complete, in the order of visits
  PlainList<Component> components_;
  PlainList<Rank> ranks_;
  Rank last_rank_ = 0;
  std::vector<ProductEdge> scratch_;
};

}  // namespace fathom
