// Lossy store: keeps a 64-bit fingerprint of each state and not the state. Two states with one fingerprint are taken
// for the same, so something may be omitted: with n states the probability that any is lost is about n^2 / 2^65 (the
// birthday bound), which the report states. Made for models with very large states, whose search keeps only the
// frontier in full.
#pragma once

#include <xxhash.h>

#include <algorithm>

#include "store/indexed_store.hpp"

namespace fathom {

inline Hash fingerprint_of(StateView state) {
  return XXH3_64bits(state.data(), state.size_bytes());
}

inline double omission_probability_of(std::uint64_t states) {
  const auto n = static_cast<double>(states);
  return std::min(1.0, n * n / 0x1p65);
}

class FingerprintStore {
 public:
  static constexpr bool exact = false;
  static constexpr bool keeps_states = false;
  static constexpr bool known_ids = true;

  explicit FingerprintStore(std::uint64_t memory_limit) : fingerprints_(1, memory_limit) {}

  [[nodiscard]] Hash hash(StateView state) const { return fingerprint_of(state); }
  [[gnu::always_inline]] void prefetch(Hash hash) const { fingerprints_.prefetch(slot_hash(hash)); }
  [[nodiscard]] bool reserve(std::uint64_t extra, Team* team = nullptr) { return fingerprints_.reserve(extra, team); }
  [[nodiscard]] std::uint64_t growth_for(std::uint64_t extra) const { return fingerprints_.growth_for(extra); }
  [[nodiscard]] std::uint64_t room() const { return fingerprints_.room(); }
  Inserted insert(StateView, Hash hash) { return fingerprints_.insert({&hash, 1}, slot_hash(hash)); }
  template <class NextIndex>
  Inserted insert(StateView, Hash hash, NextIndex next_index) {
    return fingerprints_.insert({&hash, 1}, slot_hash(hash), next_index);
  }
  void move(StateId from, StateId to) { fingerprints_.move(from, to); }
  void save(SealedWriter& out) const { fingerprints_.save(out); }
  [[nodiscard]] bool load(SealedReader& in) { return fingerprints_.load(in); }
  void set_size(std::uint64_t count) { fingerprints_.set_size(count); }

  [[nodiscard]] Hash fingerprint(StateId id) const { return fingerprints_.state(id)[0]; }
  [[nodiscard]] std::uint64_t size() const { return fingerprints_.size(); }
  [[nodiscard]] std::uint64_t bytes() const { return fingerprints_.bytes(); }
  [[nodiscard]] double omission_probability() const { return omission_probability_of(size()); }

 private:
  static Hash slot_hash(Hash fingerprint) { return hash_words(&fingerprint, 1); }

  IndexedStore fingerprints_;
};

static_assert(SharedStore<FingerprintStore>);

}  // namespace fathom
