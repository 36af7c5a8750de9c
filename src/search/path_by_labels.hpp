// A run to a state of a breadth-first search that keeps neither states nor parents, but knows of every fingerprint at
// which level it was found (store/packed_fingerprints.hpp): a depth-first search from the start states that goes from
// each level to the next one only, and to each state once. A state of a level was reached from one of the level above,
// so every state is found. Labels repeat after many levels: then the run may be longer than it need be.
//
// It may take as long as the search itself, and next to no memory: beside the run there is a mark in the table. States
// of the run are expanded again when one of their steps has led nowhere.
#pragma once

#include <stdexcept>
#include <vector>

#include "search/search.hpp"
#include "store/store.hpp"

namespace fathom {

template <Model M, class S>
class PathByLabels {
 public:
  PathByLabels(M& model, S& store, Canonicaliser* canonicaliser)
      : model_(model), store_(store), canonicaliser_(canonicaliser), words_(model.state_words()) {}

  // To be asked once.
  std::vector<StateBuffer> to(StateView target) {
    do {
      steps_.clear();
      if (path_.empty())
        model_.initial(steps_);
      else
        model_.successors(path_.back(), steps_);
      advance();
    } while (path_.empty() || !std::ranges::equal(path_.back(), target));
    return std::move(path_);
  }

 private:
  // By the next step to a state of the next level that was not visited, or back where there is none.
  void advance() {
    for (std::uint32_t& k = next_.back(); k < steps_.size();) {
      const std::uint32_t step = k++;
      if (!steps_.outcome(step).has_successor()) continue;
      if (canonicaliser_ != nullptr) canonicaliser_->canonicalise(steps_.words(step));
      const StateView state{steps_.words(step), words_};
      if (!store_.visit(store_.hash(state), path_.size())) continue;
      path_.emplace_back(state.begin(), state.end());
      next_.push_back(0);
      return;
    }
    if (path_.empty()) throw std::logic_error("no run leads to a state that was found");
    path_.pop_back();
    next_.pop_back();
  }

  M& model_;
  S& store_;
  Canonicaliser* const canonicaliser_;
  const std::uint32_t words_;
  Batch steps_;
  std::vector<StateBuffer> path_;
  std::vector<std::uint32_t> next_ = {0};  // steps to try, of the beginning and of each state of the path
};

}  // namespace fathom
