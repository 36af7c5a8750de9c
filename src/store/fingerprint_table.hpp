// Lossy store: 64-bit fingerprints, as in fingerprint_store.hpp, of many states in a table of quotients
// (quotient_store.hpp), a third of the memory. It can say whether a fingerprint is there, and no more: the search keeps
// the states that wait, and what it needs to find its way back (search/milestones.hpp). A fingerprint is as good as
// mixed, so it decides the line by itself.
#pragma once

#include <algorithm>
#include <memory>

#include "store/fingerprint_store.hpp"
#include "store/quotient_store.hpp"

namespace fathom {

class FingerprintTable {
 public:
  static constexpr bool exact = false;
  static constexpr bool keeps_states = false;
  static constexpr bool known_ids = false;

  // For states of so many words; `alone`: one thread has the store to itself.
  FingerprintTable(std::uint32_t words, std::uint64_t memory_limit, bool alone)
      : words_(words), memory_limit_(memory_limit), table_(64, memory_limit, alone) {}

  [[nodiscard]] Hash hash(StateView state) const { return fingerprint_of(state); }
  [[gnu::always_inline]] void prefetch(Hash hash) const { table_.prefetch(hash); }
  [[nodiscard]] bool reserve(std::uint64_t extra, Team* team = nullptr) { return table_.reserve(extra, team); }
  // What a larger table takes that so many more states need; 0 if there is room for them.
  [[nodiscard]] std::uint64_t growth_for(std::uint64_t extra) const { return table_.growth_for(extra); }
  [[nodiscard]] std::uint64_t room() const { return table_.room(); }
  Inserted insert(StateView, Hash hash) { return table_.insert({&hash, 1}, hash); }
  template <class NextIndex>
  Inserted insert(StateView, Hash hash, NextIndex next_index) {
    return table_.insert({&hash, 1}, hash, next_index);
  }
  [[nodiscard]] bool is_alone() const { return table_.is_alone(); }
  template <std::uint32_t known, bool alone>
  class View;
  std::uint64_t next_index() { return table_.next_index(); }
  void move(StateId, StateId) {}  // nothing here knows a number
  void set_size(std::uint64_t count) { table_.set_size(count); }
  [[nodiscard]] std::uint64_t size() const { return table_.size(); }
  [[nodiscard]] std::uint64_t bytes() const { return table_.bytes(); }
  [[nodiscard]] double omission_probability() const { return omission_probability_of(size()); }
  // An empty one for such states, for one thread.
  [[nodiscard]] std::unique_ptr<FingerprintTable> another() const {
    return std::make_unique<FingerprintTable>(words_, memory_limit_, true);
  }
  // It is not of use any more.
  void give_up() { table_.give_up(); }
  void save(SealedWriter& out) const { table_.save(out); }
  // Into a new one for such states; false at the memory limit.
  [[nodiscard]] bool load(SealedReader& in) { return table_.load(in); }

  // ---- What a search keeps of a state that waits (search/origin_rows.hpp), and the state again.
  [[nodiscard]] std::uint32_t key_bits() const { return words_ * 64; }
  [[nodiscard]] static const std::uint64_t* key_of(StateView state, const Hash&) { return state.data(); }
  [[nodiscard]] StateView state_at(StateId, const std::uint64_t* key) const { return {key, words_}; }

 private:
  const std::uint32_t words_;
  const std::uint64_t memory_limit_;
  QuotientStore table_;
};

// The store as a search sees it that inserts many states in a row.
template <std::uint32_t known, bool alone>
class FingerprintTable::View : public QuotientStore::View<1, alone> {
 public:
  explicit View(FingerprintTable& store)
      : QuotientStore::View<1, alone>(store.table_), words_(known != 0 ? known : store.words_) {}

  [[nodiscard, gnu::always_inline]] Hash hash(const std::uint64_t* state) const {
    return fingerprint_of({state, words_});
  }

 private:
  const std::uint32_t words_;
};

static_assert(SharedStore<FingerprintTable> && ViewedStore<FingerprintTable>);

}  // namespace fathom
