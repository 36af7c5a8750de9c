// The last levels of a breadth-first search, and a watch on the claim that they are enough to recognise every state
// that comes again.
//
// How many levels are enough is the locality of the graph: one more than the most levels that a step leads back (Zhou,
// Hansen: Breadth-First Heuristic Search, 2006; survey on directed model checking, section 4). For undirected graphs it
// is two; for directed ones nobody knows it beforehand, so it is a claim of the user. A search with too few levels
// finds what there is to find and is right when it comes to an end, but it may never do so: it goes round in circles.
// So a large table remembers states of levels that were forgotten, and if one of them comes again, the claim was wrong
// and nothing is forgotten any more.
#pragma once

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "open/state_layer.hpp"

namespace fathom {

class LayerWindow {
 public:
  // 0 levels: all.
  LayerWindow(std::uint64_t levels, std::uint32_t words) : levels_(levels), words_(words), closed_(words) {}

  [[nodiscard]] bool contains(StateView state) const {
    if (levels_ == 0) return closed_.find(state).has_value();
    return std::ranges::any_of(layers_, [&](const StateLayer& layer) { return layer.find(state).has_value(); });
  }

  // The level that was just completed; the oldest one is forgotten.
  void push(StateLayer layer) {
    if (levels_ == 0) layers_.clear();
    layers_.push_back(std::move(layer));
    if (levels_ == 0) {
      close(layers_.back());
    } else if (layers_.size() > levels_) {
      for (StateLayer::Number k = 0; k < layers_.front().size(); ++k) remember(layers_.front().hash(k));
      layers_.pop_front();
    }
  }
  [[nodiscard]] const StateLayer& last() const { return layers_.back(); }
  [[nodiscard]] std::uint32_t words() const { return words_; }

  // A state that is in no level of the window. False: it was in one that was forgotten.
  [[nodiscard]] bool is_new(Hash hash) const {
    return levels_ == 0 || forgotten_.empty() || forgotten_[hash & mask] != hash;
  }
  void forget_nothing_more() {
    levels_ = 0;
    for (const StateLayer& layer : layers_) close(layer);
  }

  // What it takes with a level that is under way and will be pushed.
  [[nodiscard]] std::uint64_t bytes_with(const StateLayer& next) const {
    std::uint64_t levels = 0;
    for (const StateLayer& layer : layers_) levels += layer.bytes();
    if (levels_ == 0) levels += closed_.bytes_with(next.size());
    return forgotten_.size() * sizeof(Hash) + levels + next.bytes();
  }

 private:
  static constexpr std::size_t mask = (std::size_t{1} << 18) - 1;

  void close(const StateLayer& layer) {
    for (StateLayer::Number k = 0; k < layer.size(); ++k) closed_.insert(layer.state(k));
  }

  // Of two states that want the same place one stays by the toss of a coin, so that some old ones last long.
  void remember(Hash hash) {
    if (forgotten_.empty()) forgotten_.resize(mask + 1);
    Hash& place = forgotten_[hash & mask];
    coin_ = coin_ * 6364136223846793005ULL + 1442695040888963407ULL;
    if (place == 0 || (coin_ >> 63) != 0) place = hash;
  }

  std::uint64_t levels_;
  std::uint32_t words_;
  std::deque<StateLayer> layers_;
  StateLayer closed_;  // the states of all levels, where none is forgotten
  std::vector<Hash> forgotten_;
  std::uint64_t coin_ = 1;
};

}  // namespace fathom
