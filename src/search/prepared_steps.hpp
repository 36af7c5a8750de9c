// The steps of some states, generated and hashed ahead of the search that takes them, perhaps by another thread. What
// has to be known of the concrete successors is noted before they are replaced by representatives.
#pragma once

#include <algorithm>
#include <vector>

#include "model/model.hpp"
#include "reduction/canonicaliser.hpp"
#include "store/store.hpp"

namespace fathom {

struct PreparedSteps {
  struct Source {
    std::uint64_t number;  // of the state, as the search counts them
    std::uint32_t first;   // of its steps in the batch
    bool moves;            // some step leads to another state, or goes wrong
  };

  Batch batch;
  std::vector<Source> sources;
  std::vector<Hash> hashes;  // of the successors

  void clear() {
    batch.clear();
    sources.clear();
  }
  [[nodiscard]] std::uint32_t steps_end(std::size_t s) const {
    return s + 1 < sources.size() ? sources[s + 1].first : batch.size();
  }
  [[nodiscard]] std::uint64_t work() const { return batch.size() + sources.size(); }
  [[nodiscard]] std::uint64_t bytes() {
    const fathom_batch& raw = *batch.raw();
    return raw.step_capacity * sizeof(fathom_step) + raw.word_capacity * sizeof(std::uint64_t) +
           sources.capacity() * sizeof(Source) + hashes.capacity() * sizeof(Hash);
  }

  template <class M>
  void expand(M& model, std::uint64_t number, StateView state) {
    const std::uint32_t first = batch.size();
    model.successors(state, batch);
    sources.push_back({number, first, moves_from(state, first)});
  }

  template <class S>
  void hash(const S& store, Canonicaliser* canonicaliser, std::uint32_t words) {
    if (hashes.size() < batch.size()) hashes.resize(batch.size());
    for (std::uint32_t k = 0; k < batch.size(); ++k) {
      if (!batch.outcome(k).has_successor()) continue;
      if (canonicaliser != nullptr) canonicaliser->canonicalise(batch.words(k));
      hashes[k] = store.hash({batch.words(k), words});
    }
  }

  // What the look-ups of the steps after k will read is asked for: a line of the table first, and then, in a store
  // where the line leads to one, the state. Inlined by force, as what they call: see IndexedStore::prefetch.
  template <class S>
  [[gnu::always_inline]] void fetch_ahead_of(std::uint32_t k, const S& store) const {
    if (k + lines_ahead < batch.size()) store.prefetch(hashes[k + lines_ahead]);
    if constexpr (StagedStore<S>)
      if (k + states_ahead < batch.size()) static_cast<void>(store.approach(hashes[k + states_ahead]));
  }
  // The same of the steps with which the look-ups begin.
  template <class S>
  [[gnu::always_inline]] void fetch_first(const S& store) const {
    for (std::uint32_t k = 0; k < std::min(lines_ahead, batch.size()); ++k) store.prefetch(hashes[k]);
    if constexpr (StagedStore<S>)
      for (std::uint32_t k = 0; k < std::min(states_ahead, batch.size()); ++k)
        static_cast<void>(store.approach(hashes[k]));
  }

 private:
  static constexpr std::uint32_t lines_ahead = 32, states_ahead = 16;  // steps

  [[nodiscard]] bool moves_from(StateView state, std::uint32_t first) {
    const auto words = static_cast<std::uint32_t>(state.size());
    for (std::uint32_t k = first; k < batch.size(); ++k)
      if (batch.outcome(k).is_fault() || !same_words(state.data(), batch.words(k), words)) return true;
    return false;
  }
};

}  // namespace fathom
