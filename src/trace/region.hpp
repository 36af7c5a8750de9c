// A part of the state graph that is explored one state at a time, in any order, and the runs in it that show one
// violation. Under symmetry the states are representatives, as in the searches.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "store/indexed_store.hpp"
#include "support/plain_list.hpp"
#include "trace/violation_test.hpp"

namespace fathom {

template <Model M, StateStore S = IndexedStore>
class Region {
 public:
  using Node = std::uint32_t;

  Region(M& model, const SearchOptions& options, const Violation& violation, std::uint64_t memory_limit)
      : model_(model),
        options_(options),
        test_(model, options, violation),
        memory_limit_(memory_limit),
        words_(model.state_words()),
        store_(words_, memory_limit) {}

  // These three return false when there is no memory left.
  [[nodiscard]] bool add_starts() {
    batch_.clear();
    model_.initial(batch_);
    for (std::uint32_t k = 0; k < batch_.size() && !failing_start_; ++k)
      if (test_.shows(batch_.outcome(k))) failing_start_ = batch_.instance(k);
    return add_successors(starts_);
  }

  // Adds a state and what is known of it: the state that follows it in some run.
  [[nodiscard]] bool add(StateView state, Node& node) {
    if (!store_.reserve(1)) return false;
    node = insert(state);
    return true;
  }
  void link(Node from, Node to) { nodes_[from].follower = to; }

  [[nodiscard]] bool expand(Node node) {
    const StateView state = store_.state(StateId{node});
    batch_.clear();
    model_.successors(state, batch_);
    if (test_.deadlock()) nodes_[node].shows = test_.is_deadlock(state, batch_);
    for (std::uint32_t k = 0; k < batch_.size() && !nodes_[node].fails; ++k) {
      if (!test_.shows(batch_.outcome(k))) continue;
      nodes_[node].fails = true;
      failing_.push_back({node, batch_.instance(k)});
    }
    nodes_[node].expanded = true;
    nodes_[node].first = targets_.size();
    const bool fits = add_successors(targets_) && bytes() <= memory_limit_;
    nodes_[node].end = targets_.size();
    return fits;
  }

  [[nodiscard]] std::span<const Node> starts() const { return starts_; }
  [[nodiscard]] std::span<const Node> successors(Node node) const {
    return std::span(targets_).subspan(nodes_[node].first, nodes_[node].end - nodes_[node].first);
  }
  [[nodiscard]] Node size() const { return static_cast<Node>(nodes_.size()); }
  [[nodiscard]] bool expanded(Node node) const { return nodes_[node].expanded; }
  // Whether a run that ends in this state, or in a step from it that fails, shows the violation. Deadlocks and failing
  // steps are known of expanded states only.
  [[nodiscard]] bool shows(Node node) const { return nodes_[node].shows; }
  [[nodiscard]] bool fails(Node node) const { return nodes_[node].fails; }
  [[nodiscard]] bool fails_at_start() const { return failing_start_.has_value(); }

  // A shortest one among the runs inside the region that show the violation.
  [[nodiscard]] std::optional<Counterexample> shortest_run() const {
    if (failing_start_) return Counterexample{test_.violation(), {}, failing_start_, false};
    const Tree tree = grow_tree();
    const Node none = size();
    Node best = none;
    std::uint64_t best_length = UINT64_MAX;
    for (Node node = 0; node < size(); ++node) {
      if (tree.distance[node] == unreached || !(shows(node) || fails(node))) continue;
      const std::uint64_t length = std::uint64_t{tree.distance[node]} + (shows(node) ? 0 : 1);
      if (length >= best_length) continue;
      best = node;
      best_length = length;
    }
    if (best == none) return std::nullopt;
    return run_to(best, tree);
  }

 private:
  static constexpr Node nobody = UINT32_MAX;
  static constexpr std::uint32_t unreached = UINT32_MAX;

  struct Known {
    std::uint64_t first = 0, end = 0;  // its successors among the targets
    Node follower = nobody;
    bool expanded = false, shows = false, fails = false;
  };

  // The shortest paths from the start states.
  struct Tree {
    std::vector<std::uint32_t> distance;
    std::vector<Node> parent;
  };

  [[nodiscard]] bool add_successors(std::vector<Node>& list) {
    if (!store_.reserve(batch_.size()) || store_.size() + batch_.size() >= nobody) return false;
    for (std::uint32_t k = 0; k < batch_.size(); ++k) {
      if (!batch_.outcome(k).has_successor()) continue;
      if (options_.canonicaliser != nullptr) options_.canonicaliser->canonicalise(batch_.words(k));
      list.push_back(insert({batch_.words(k), words_}));
    }
    return true;
  }

  Node insert(StateView state) {
    const auto [id, fresh] = store_.insert(state, store_.hash(state));
    if (fresh) {
      nodes_.push_back({});
      nodes_.back().shows = test_.shows(state);
    }
    return static_cast<Node>(index_of(id));
  }

  [[nodiscard]] Tree grow_tree() const {
    Tree tree{std::vector(size(), unreached), std::vector(size(), nobody)};
    std::vector<Node> queue;
    const auto reach = [&](Node node, Node from, std::uint32_t distance) {
      if (tree.distance[node] != unreached) return;
      tree.distance[node] = distance;
      tree.parent[node] = from;
      queue.push_back(node);
    };
    for (const Node start : starts_) reach(start, nobody, 0);
    for (std::size_t k = 0; k < queue.size(); ++k) {
      const Node node = queue[k];
      const std::uint32_t next = tree.distance[node] + 1;
      for (const Node successor : successors(node)) reach(successor, node, next);
      if (nodes_[node].follower != nobody) reach(nodes_[node].follower, node, next);
    }
    return tree;
  }

  [[nodiscard]] Counterexample run_to(Node last, const Tree& tree) const {
    Counterexample run{test_.violation(), {}, std::nullopt, false};
    for (Node node = last; node != nobody; node = tree.parent[node]) {
      const StateView state = store_.state(StateId{node});
      run.states.emplace_back(state.begin(), state.end());
    }
    std::reverse(run.states.begin(), run.states.end());
    if (!shows(last)) run.failing_step = std::ranges::find(failing_, last, &FailingStep::node)->step;
    return run;
  }

  [[nodiscard]] std::uint64_t bytes() const {
    return store_.bytes() + nodes_.size() * (sizeof(Known) + sizeof(std::uint32_t) + sizeof(Node)) +
           targets_.size() * sizeof(Node);
  }

  struct FailingStep {
    Node node;
    InstanceId step;
  };

  M& model_;
  const SearchOptions& options_;
  ViolationTest<M> test_;
  const std::uint64_t memory_limit_;
  const std::uint32_t words_;
  S store_;
  PlainList<Known> nodes_;
  std::vector<Node> starts_;
  std::vector<Node> targets_;
  std::vector<FailingStep> failing_;
  std::optional<InstanceId> failing_start_;
  Batch batch_;
};

}  // namespace fathom
