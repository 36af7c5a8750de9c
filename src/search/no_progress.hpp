// Cycles without progress, found directly: a second search goes only through nodes without progress, and an edge back
// into its own stack closes a cycle (Holzmann, Peled, Yannakakis, SPIN 1996, Fig. 5). It needs no automaton, so it
// visits half the nodes that the search through the product with one does, but it does not go together with partial
// order reduction.
//
// In this search a node is `accepting` where there is progress.
#pragma once

#include "search/graph_search.hpp"
#include "search/node_flags.hpp"

namespace fathom {

template <class Graph>
class NoProgressSearch : GraphSearch<Graph> {
  using Base = GraphSearch<Graph>;
  using typename Base::Frame;
  using typename Base::Stack;

 public:
  NoProgressSearch(Graph& graph, const SearchOptions& options, std::uint32_t claim) : Base(graph, options, claim) {}

  using Base::save;
  using Base::save_due;
  using Base::set_pace;

  SearchResult run() {
    this->from_starts([this](Node start) {
      if (!flags_.has(start, visited)) explore(start);
    });
    return this->finish();
  }

  // Where it stands, without the graph.
  void write(SealedWriter& out) const {
    this->write_search(out);
    out.byte_list(flags_.all());
    write_stack(first_, out);
    write_stack(second_, out);
  }

  // Goes on where another stood.
  SearchResult resume(SealedReader& in) {
    this->read_search(in);
    flags_.restore(in.byte_list());
    read_stack(first_, in);
    read_stack(second_, in);
    go_on();
    return run();
  }

 private:
  static constexpr std::uint8_t visited = 1;
  static constexpr std::uint8_t progress = 2;
  static constexpr std::uint8_t nested = 4;    // by the second search
  static constexpr std::uint8_t on_stack = 8;  // of the second search

  void explore(Node start) {
    enter(start);
    go_on();
  }

  // From wherever it stands.
  void go_on() {
    if (!second_.empty()) end_leaving();
    while (this->going_ && !first_.empty() && this->may_go_on()) {
      if (!this->has_edge(first_.back())) {
        leave();
        continue;
      }
      const Node target = this->next_edge(first_.back()).target;
      if (!flags_.has(target, visited)) enter(target);
    }
  }

  void leave() {
    const Node node = first_.back().node;
    if (!flags_.has(node, progress) && !flags_.has(node, nested)) enter_nested(node);
    end_leaving();
  }

  void end_leaving() {
    search_cycle();
    if (this->going_) this->close(first_);
  }

  void enter(Node node) {
    flags_.set(node, visited);
    this->open(node, first_);
    if (first_.back().accepting) flags_.set(node, progress);
  }

  void search_cycle() {
    while (this->going_ && !second_.empty() && this->may_go_on()) {
      if (!this->has_edge(second_.back())) {
        flags_.clear(second_.back().node, on_stack);
        this->close(second_);
        continue;
      }
      const ProductEdge edge = this->next_edge(second_.back());
      const Node target = edge.target;
      if (edge.progress || flags_.has(target, progress)) continue;
      if (flags_.has(target, on_stack)) {
        report(target);
      } else if (!flags_.has(target, nested)) {
        enter_nested(target);
      }
    }
  }

  // Through a node on the first stack the second search can get ahead of the first, so it looks for progress itself.
  void enter_nested(Node node) {
    flags_.set(node, nested);
    this->reopen(node, second_);
    if (second_.back().accepting) {
      flags_.set(node, progress);
      this->close(second_);
    } else {
      flags_.set(node, on_stack);
    }
  }

  static bool is_no_progress(const ProductEdge& edge) { return !edge.progress; }

  void report(Node node) {
    this->found_cycle([&] {
      const auto known = [this](Node other) { return flags_.has(other, visited | nested); };
      const auto without = [this](Node other) { return flags_.has(other, nested) && !flags_.has(other, progress); };
      return Lasso{
          shortest_stem<Graph>(this->graph_, known, [node](Node other) { return other == node; }),
          PathFinder<Graph>(this->graph_, without, is_no_progress).find({node}, [node](const ProductEdge& edge) {
            return edge.target == node;
          })};
    });
  }

  [[nodiscard]] std::uint64_t own_bytes() const override {
    return flags_.bytes() + (first_.capacity() + second_.capacity()) * sizeof(Frame);
  }

  NodeFlags flags_;
  Stack first_, second_;
};

}  // namespace fathom
