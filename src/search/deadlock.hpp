// What a deadlock is, for all searches alike: a state in which the program is stuck, by the mode the user chose, or,
// for a program that says where it may end, a state without steps that is no such end.
#pragma once

#include "search/search.hpp"
#include "support/hash.hpp"

namespace fathom {

// Whether the program may end in this state, which has no steps.
template <class M>
[[nodiscard]] bool ends_well(M& model, const SearchOptions& options, StateView state) {
  std::vector<std::uint64_t> holding((options.shape.properties + 63) / 64);
  model.live(state, holding.data());
  return ((holding[*options.valid_end / 64] >> (*options.valid_end % 64)) & 1) != 0;
}

// `enabled`: the state has a step; `moves`: it has one that leads to another state, or goes wrong.
template <class M>
[[nodiscard]] bool is_deadlock(M& model, const SearchOptions& options, StateView state, bool enabled, bool moves) {
  if (options.deadlock == DeadlockMode::off) return false;
  if (options.valid_end) return !enabled && !ends_well(model, options, state);
  return options.deadlock == DeadlockMode::stuttering ? !moves : !enabled;
}

// The same of a state and its steps [first, end) in a batch, before they are canonicalised. `moves`: some of them is
// known to.
template <class M>
[[nodiscard]] bool is_stuck(M& model, const SearchOptions& options, StateView from, Batch& batch, std::uint32_t first,
                            std::uint32_t end, bool moves) {
  if (options.deadlock == DeadlockMode::off) return false;
  const auto words = static_cast<std::uint32_t>(from.size());
  for (std::uint32_t k = first; k < end && !moves; ++k)
    moves = batch.outcome(k).is_fault() || !same_words(from.data(), batch.words(k), words);
  return is_deadlock(model, options, from, first != end, moves);
}

}  // namespace fathom
