// Where a depth-bounded search stands: a run from a start state, of which only the last state is held in full. Every
// step leaves the words it overwrote in an undo log, so the walk can go back step by step, and it can go over to
// another run of the frontier tree through the state where the two part (getState, Fig. 8 of Udupa, Desai, Rajamani,
// SPIN 2011). Under symmetry each step ends in the representative of the state, and going back restores what was
// before.
#pragma once

#include <algorithm>
#include <ranges>
#include <stdexcept>

#include "reduction/canonicaliser.hpp"
#include "search/frontier_tree.hpp"
#include "support/plain_list.hpp"

namespace fathom {

template <Model M>
class Walk {
 public:
  using Node = StepTree::Node;

  Walk(M& model, Canonicaliser* canonicaliser, StepTree& tree)
      : model_(model), canonicaliser_(canonicaliser), tree_(tree), words_(model.state_words()) {}
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;
  ~Walk() { forget(); }

  // Start states are numbered in the order in which they are added.
  std::uint32_t add_start(StateView state) {
    starts_.insert(starts_.end(), state.begin(), state.end());
    return static_cast<std::uint32_t>(starts_.size() / words_ - 1);
  }

  void start(std::uint32_t number) {
    forget();
    const auto first = starts_.begin() + std::ptrdiff_t{number} * words_;
    top_.assign(first, first + words_);
    levels_.push_back({InstanceId{number}, StepTree::none, 0});
  }

  // Goes over to a state whose run is in the tree, without walking there.
  void jump(StateView state, std::uint32_t depth, Node node) {
    tree_.hold(node);
    forget();
    top_.assign(state.begin(), state.end());
    base_depth_ = depth;
    levels_.push_back({tree_.step(node), node, 0});
  }

  // Takes a step. Unless it ends in a successor the walk stays where it is.
  Outcome take(InstanceId step) {
    ++taken_;
    const Outcome outcome = canonicaliser_ == nullptr ? apply(step) : apply_and_canonicalise(step);
    if (outcome.has_successor()) {
      levels_.push_back({step, StepTree::none, undo_.size()});
      undo_.append(overwritten_.words);
    } else {
      model_.undo(top_, overwritten_);
    }
    return outcome;
  }
  // Whether the last step changed the state (before it was canonicalised).
  [[nodiscard]] bool moved() const { return moved_; }

  void back() {
    const Level& level = levels_.back();
    restore(top_, level.first_undo, undo_.size());
    undo_.resize(level.first_undo);
    if (level.node != StepTree::none) tree_.release(level.node);
    levels_.pop_back();
  }

  // The node of the tree for the run so far; nodes that the tree lacks are added.
  Node node() {
    std::size_t level = levels_.size();
    while (level > 0 && levels_[level - 1].node == StepTree::none) --level;
    for (; level < levels_.size(); ++level)
      levels_[level].node = tree_.add(level == 0 ? StepTree::none : levels_[level - 1].node, levels_[level].step);
    return levels_.back().node;
  }

  // Walks to a node of the tree at `depth`: climbs from it until it meets this walk, steps back to there, and repeats
  // the steps down to the node.
  void go_to(Node node, std::uint32_t depth) {
    way_.clear();
    std::size_t level = depth;
    for (; node != StepTree::none && !passes(level, node); --level) {
      way_.push_back(node);
      node = tree_.parent(node);
    }
    if (node == StepTree::none) {
      enter_root();
    } else {
      while (levels_.size() > level + 1) back();
    }
    for (; !way_.empty(); way_.pop_back()) {
      repeat(tree_.step(way_.back()));
      adopt(way_.back());
    }
  }

  // Takes a step that was taken before.
  void repeat(InstanceId step) {
    if (!take(step).has_successor()) throw std::logic_error("a recorded step cannot be repeated");
  }

  [[nodiscard]] const StateBuffer& state() const { return top_; }
  [[nodiscard]] std::uint32_t depth() const { return base_depth_ + static_cast<std::uint32_t>(levels_.size()) - 1; }
  // The steps of the run, preceded by the number of its start state; nothing was left out by jump().
  template <class Visit>
  void each_step(Visit visit) const {
    for (const Level& level : levels_) visit(level.step);
  }
  // All steps taken so far, in whatever direction they led: a measure of the work done.
  [[nodiscard]] std::uint64_t taken() const { return taken_; }

  // Every state of the run, the start state first.
  std::vector<StateBuffer> path() {
    std::vector<StateBuffer> states;
    StateBuffer state = top_;
    std::size_t undo_end = undo_.size();
    for (const Level& level : std::views::reverse(levels_)) {
      states.push_back(state);
      restore(state, level.first_undo, undo_end);
      undo_end = level.first_undo;
    }
    if (base_depth_ > 0) {
      Walk before(model_, canonicaliser_, tree_);
      before.starts_ = starts_;
      before.go_to(tree_.parent(levels_.front().node), base_depth_ - 1);
      const std::vector<StateBuffer> first = before.path();
      states.insert(states.end(), first.rbegin(), first.rend());
    }
    std::reverse(states.begin(), states.end());
    return states;
  }

  [[nodiscard]] std::uint64_t bytes() const {
    return levels_.bytes() + undo_.bytes() + (starts_.size() + top_.size()) * sizeof(std::uint64_t);
  }

 private:
  struct Level {
    InstanceId step;  // that led here; of the first level the number of a start state
    Node node;        // where the run up to here is in the tree; none while it is not
    std::size_t first_undo;
  };

  Outcome apply(InstanceId step) {
    const Outcome outcome = model_.apply(top_, step, overwritten_);
    moved_ = !overwritten_.words.empty();
    return outcome;
  }

  Outcome apply_and_canonicalise(InstanceId step) {
    before_ = top_;
    const Outcome outcome = apply(step);
    if (!outcome.has_successor()) return outcome;
    canonicaliser_->canonicalise(top_.data());
    overwritten_.words.clear();
    for (std::uint32_t k = 0; k < words_; ++k)
      if (top_[k] != before_[k]) overwritten_.words.push_back({k, before_[k]});
    return outcome;
  }

  void restore(StateBuffer& state, std::size_t first, std::size_t end) const {
    for (std::size_t k = first; k < end; ++k) state[undo_[k].index] = undo_[k].old;
  }

  [[nodiscard]] bool passes(std::size_t level, Node node) const {
    return level < levels_.size() && levels_[level].node == node;
  }

  void enter_root() {
    start(static_cast<std::uint32_t>(tree_.step(way_.back())));
    adopt(way_.back());
    way_.pop_back();
  }

  void adopt(Node node) {
    tree_.hold(node);
    levels_.back().node = node;
  }

  void forget() {
    for (const Level& level : levels_)
      if (level.node != StepTree::none) tree_.release(level.node);
    levels_.clear();
    undo_.clear();
    base_depth_ = 0;
  }

  M& model_;
  Canonicaliser* canonicaliser_;
  StepTree& tree_;
  std::uint32_t words_;
  std::vector<std::uint64_t> starts_;

  StateBuffer top_;
  StateBuffer before_;
  Undo overwritten_;
  PlainList<Level> levels_;
  PlainList<Undo::Word> undo_;
  PlainList<Node> way_;
  std::uint32_t base_depth_ = 0;  // of the first level
  std::uint64_t taken_ = 0;
  bool moved_ = false;
};

}  // namespace fathom
