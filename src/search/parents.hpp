// Runs from parents: for a search that remembers of every state from which one it was reached, the states of the run to
// one of them.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "search/search.hpp"
#include "store/store.hpp"

namespace fathom {

inline constexpr StateId no_parent{max_states};  // of a start state

// The ids from a start state to `id`; parent_of gives no_parent for a start state.
template <class ParentOf>
std::vector<StateId> ancestors(StateId id, ParentOf parent_of) {
  std::vector<StateId> chain;
  for (; id != no_parent; id = parent_of(id)) chain.push_back(id);
  std::reverse(chain.begin(), chain.end());
  return chain;
}

// The states of such a chain. Where the store does not keep them, the model is followed from its start states, and each
// state recognised by its fingerprint.
template <Model M, StateSet S>
std::vector<StateBuffer> states_along(const std::vector<StateId>& chain, M& model, const S& store,
                                      Canonicaliser* canonicaliser) {
  std::vector<StateBuffer> path;
  if constexpr (S::keeps_states) {
    for (const StateId id : chain) {
      const StateView state = store.state(id);
      path.emplace_back(state.begin(), state.end());
    }
  } else {
    const std::uint32_t words = model.state_words();
    Batch steps;
    model.initial(steps);
    for (const StateId id : chain) {
      const std::size_t before = path.size();
      for (std::uint32_t k = 0; k < steps.size() && path.size() == before; ++k) {
        if (!steps.outcome(k).has_successor()) continue;
        if (canonicaliser != nullptr) canonicaliser->canonicalise(steps.words(k));
        if (store.hash({steps.words(k), words}) == store.fingerprint(id))
          path.emplace_back(steps.words(k), steps.words(k) + words);
      }
      if (path.size() == before) throw std::logic_error("a state does not lead to its recorded successor");
      steps.clear();
      model.successors(path.back(), steps);
    }
  }
  return path;
}

}  // namespace fathom
