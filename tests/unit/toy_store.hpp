// A store for tests that make one for each of thousands of small graphs: the real ones begin with megabytes. It keeps
// the states or, like the lossy store, only their fingerprints.
#pragma once

#include <map>
#include <vector>

#include "store/store.hpp"

namespace fathom {

template <bool keeps>
class ToyStore {
 public:
  static constexpr bool exact = keeps;
  static constexpr bool keeps_states = keeps;
  static constexpr bool known_ids = true;

  explicit ToyStore(std::uint32_t words, std::uint64_t = 0) : words_(words) {}

  [[nodiscard]] Hash hash(StateView state) const { return hash_words(state.data(), words_); }
  void prefetch(Hash) const {}
  [[nodiscard]] bool reserve(std::uint64_t) { return true; }
  Inserted insert(StateView state, Hash hash) {
    const auto [known, fresh] = ids_.try_emplace(hash, StateId{size()});
    if (fresh) hashes_.push_back(hash);
    if (fresh && keeps) states_.emplace_back(state.begin(), state.end());
    return {known->second, fresh};
  }

  [[nodiscard]] StateView state(StateId id) const requires(keeps) { return states_[index_of(id)]; }
  [[nodiscard]] Hash fingerprint(StateId id) const { return hashes_[index_of(id)]; }
  [[nodiscard]] double omission_probability() const { return 0; }
  [[nodiscard]] std::uint64_t size() const { return ids_.size(); }
  [[nodiscard]] std::uint64_t bytes() const { return 0; }

 private:
  std::uint32_t words_;
  std::map<Hash, StateId> ids_;
  std::vector<Hash> hashes_;
  std::vector<StateBuffer> states_;
};

static_assert(StateStore<ToyStore<true>>);
static_assert(StateSet<ToyStore<false>>);

}  // namespace fathom
