// Exact store for states of any length: an append-only array of packed states, which is also the queue of a
// breadth-first search, and a hash table of 8-byte slots into it. A slot holds 24 bits of the hash and a 40-bit index,
// so a state is compared only when its tag matches: one cache line for a miss, two for a hit.
#pragma once

#include <algorithm>
#include <optional>
#include <thread>
#include <vector>

#include "store/short_states.hpp"
#include "store/store.hpp"
#include "support/prefetch.hpp"
#include "support/team.hpp"
#include "support/virtual_array.hpp"

namespace fathom {

class IndexedStore {
 public:
  static constexpr bool exact = true;
  static constexpr bool keeps_states = true;
  static constexpr bool known_ids = true;

  IndexedStore(std::uint32_t words, std::uint64_t memory_limit, TablePace pace = usual_pace);

  [[nodiscard, gnu::always_inline]] Hash hash(StateView state) const { return hash_short(state.data(), words_); }
  // Inlined by force: compilers take a function that only prefetches for one without effect and drop its calls.
  [[gnu::always_inline]] void prefetch(Hash hash) const {
    __builtin_prefetch(&slots_[Probe(hash, slot_count_).slot()], 1);
  }
  [[nodiscard]] bool reserve(std::uint64_t extra, Team* team = nullptr);
  // What a larger table takes that so many more states need; 0 if there is room for them.
  [[nodiscard]] std::uint64_t growth_for(std::uint64_t extra) const {
    if (!pace_.too_full(size() + extra, slot_count_)) return 0;
    std::uint64_t slots = slot_count_;
    while (pace_.too_full(size() + extra, slots)) slots = pace_.next_size(slots);
    return (slots - slot_count_) * sizeof(Slot);
  }
  [[nodiscard]] std::uint64_t room() const;
  Inserted insert(StateView state, Hash hash) { return insert_from(hash & (slot_count_ - 1), state, hash); }
  [[nodiscard, gnu::always_inline]] std::uint64_t approach(Hash hash) const;
  Inserted insert_from(std::uint64_t start, StateView state, Hash hash) {
    return insert_from(start, state, hash, [this] { return size_.fetch_add(1, std::memory_order_relaxed); });
  }
  template <class NextIndex>
  Inserted insert_from(std::uint64_t start, StateView state, Hash hash, NextIndex next_index);
  template <class NextIndex>
  Inserted insert(StateView state, Hash hash, NextIndex next_index) {
    return insert_from(hash & (slot_count_ - 1), state, hash, next_index);
  }
  void move(StateId from, StateId to);
  void save(SealedWriter& out) const;
  [[nodiscard]] bool load(SealedReader& in);  // into an empty store; false at the memory limit
  void set_size(std::uint64_t count) { size_.store(count, std::memory_order_relaxed); }
  // Instead of all numbers below size(), those outside of these ranges are states. Threads that cannot have their
  // numbers changed leave such gaps (search/store_share.hpp).
  void set_gaps(std::vector<IdRange> gaps);
  [[nodiscard]] const std::vector<IdRange>& gaps() const { return gaps_; }
  [[nodiscard]] std::uint64_t states() const { return size() - in_gaps_; }
  // The id of a state that is in the store.
  [[nodiscard]] StateId find(StateView state, Hash hash) const;
  // The id of a state that may be in the store; not while others insert.
  [[nodiscard]] std::optional<StateId> look_up(StateView state, Hash hash) const;
  [[nodiscard]] bool contains(StateView state, Hash hash) const { return look_up(state, hash).has_value(); }

  [[nodiscard]] StateView state(StateId id) const { return {&states_[index_of(id) * words_], words_}; }
  [[nodiscard]] std::uint32_t words() const { return words_; }
  [[nodiscard]] std::uint64_t size() const { return size_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t bytes() const { return table_bytes() + array_bytes(); }
  [[nodiscard]] std::uint64_t table_bytes() const { return slot_count_ * sizeof(Slot); }
  [[nodiscard]] std::uint64_t array_bytes() const { return size() * words_ * sizeof(std::uint64_t); }
  // What it takes about: tables have sizes that are powers of two, and are half empty or three quarters full.
  [[nodiscard]] std::uint64_t usual_bytes() const { return array_bytes() + size() * 3 / 2 * sizeof(Slot); }
  // What the table takes when there is room for so many more.
  [[nodiscard]] std::uint64_t table_bytes_for(std::uint64_t extra) const {
    return slots_for(size() + extra) * sizeof(Slot);
  }

  // ---- For those who take the states elsewhere (store/compression.hpp). Without its table a store can be asked for
  // states by their numbers, and for nothing else.
  void give_up_table();
  void restore_table();
  void give_back(IdRange states) const { states_.give_back(states.first * words_, states.end * words_); }
  // The end of the store: of the first `count` states the words remain that reduce(state) makes of them.
  template <class Reduce>
  [[nodiscard]] VirtualArray<std::uint64_t> into_words(std::uint64_t count, const Reduce& reduce);

  template <std::uint32_t known, bool alone>
  class View;
  // For those who fill this store or a share of one alike (search/store_share.hpp).
  template <std::uint32_t known>
  using OwnView = View<known, true>;
  IndexedStore& whole() { return *this; }
  std::uint64_t next_index() {
    const std::uint64_t index = size();
    set_size(index + 1);
    return index;
  }

 private:
  // 0: empty; index part 0: claimed, its state is being written; otherwise tag and index + 1.
  using Slot = std::uint64_t;
  static constexpr Slot index_mask = max_states - 1;
  // Never 0: a claimed slot must differ from an empty one.
  static Slot tag_of(Hash hash) { return (hash & ~index_mask) | Slot{1} << 63; }

  static Slot written(Slot& slot, Slot seen);
  [[nodiscard, gnu::always_inline]] bool equal(std::uint64_t index, const std::uint64_t* state) const {
    return same_short(state, &states_[index * words_], words_);
  }
  [[nodiscard]] std::uint64_t slots_for(std::uint64_t entries) const;
  void rebuild(std::uint64_t slots, Team* team);
  template <class Body>
  void outside_gaps(std::uint64_t first, std::uint64_t end, const Body& body) const;
  template <bool alone>
  void enter(std::uint64_t first, std::uint64_t end);

  std::uint32_t words_;
  std::uint64_t memory_limit_;
  TablePace pace_;
  std::uint64_t slot_count_;
  VirtualArray<Slot> slots_;
  VirtualArray<std::uint64_t> states_;
  std::vector<IdRange> gaps_;  // in ascending order
  std::uint64_t in_gaps_ = 0;
  std::atomic<std::uint64_t> size_ = 0;
};

// The slot at which a look-up may end; the state behind it is on its way from memory.
inline std::uint64_t IndexedStore::approach(Hash hash) const {
  const Slot tag = tag_of(hash);
  for (Probe probe(hash, slot_count_);; probe.next()) {
    const Slot seen = std::atomic_ref<Slot>(slots_[probe.slot()]).load(std::memory_order_relaxed);
    if (seen == 0) return probe.slot();
    if ((seen & ~index_mask) != tag) continue;
    __builtin_prefetch(&states_[((seen & index_mask) - 1) * words_]);
    return probe.slot();
  }
}

inline std::optional<StateId> IndexedStore::look_up(StateView state, Hash hash) const {
  const Slot tag = tag_of(hash);
  for (Probe probe(hash, slot_count_);; probe.next()) {
    const Slot seen = slots_[probe.slot()];
    if (seen == 0) return std::nullopt;
    if ((seen & ~index_mask) != tag) continue;
    const std::uint64_t index = (seen & index_mask) - 1;
    if (equal(index, state.data())) return StateId{index};
  }
}

// The word of a state never lies behind the state.
template <class Reduce>
VirtualArray<std::uint64_t> IndexedStore::into_words(std::uint64_t count, const Reduce& reduce) {
  give_up_table();
  for (std::uint64_t index = 0; index < count; ++index) states_[index] = reduce(state(StateId{index}));
  states_.give_back(count, size() * words_);
  set_size(0);
  return std::move(states_);
}

// What stands in a slot when its state has been written. Its writer may have lost the processor, perhaps to us.
inline IndexedStore::Slot IndexedStore::written(Slot& slot, Slot seen) {
  for (unsigned looks = 1; (seen & index_mask) == 0; ++looks) {
    if (looks % 128 == 0) std::this_thread::yield();
    seen = std::atomic_ref(slot).load(std::memory_order_acquire);
  }
  return seen;
}

// The winner of the compare-and-swap takes the next index, writes the state and publishes the slot; a thread that meets
// the claimed slot with its own tag waits for that, since it may be the same state.
template <class NextIndex>
Inserted IndexedStore::insert_from(std::uint64_t start, StateView state, Hash hash, NextIndex next_index) {
  const Slot tag = tag_of(hash);
  for (Probe probe(hash, slot_count_, start);; probe.next()) {
    const std::atomic_ref<Slot> slot(slots_[probe.slot()]);
    Slot seen = slot.load(std::memory_order_acquire);
    if (seen == 0 && slot.compare_exchange_strong(seen, tag, std::memory_order_acq_rel)) {
      const std::uint64_t index = next_index();
      for (std::uint32_t k = 0; k < words_; ++k) states_[index * words_ + k] = state[k];
      slot.store(tag | (index + 1), std::memory_order_release);
      return {StateId{index}, true};
    }
    if ((seen & ~index_mask) != tag) continue;
    const std::uint64_t index = (written(slots_[probe.slot()], seen) & index_mask) - 1;
    if (equal(index, state.data())) return {StateId{index}, false};
  }
}

// The store as a search sees it that inserts many states in a row. What does not change meanwhile is held here, where
// the compiler keeps it in registers.
template <std::uint32_t known, bool alone>
class IndexedStore::View {
 public:
  explicit View(IndexedStore& store)
      : store_(store), slots_(store.slots_.data()), states_(store.states_.data()), mask_(store.slot_count_ - 1) {}

  [[nodiscard, gnu::always_inline]] Hash hash(const std::uint64_t* state) const { return hash_short(state, words()); }
  [[gnu::always_inline]] void prefetch(Hash hash) const {
    if constexpr (alone)
      __builtin_prefetch(&slots_[hash & mask_], 1);
    else
      prefetch_to_write(&slots_[hash & mask_]);
  }

  // As IndexedStore::approach.
  [[nodiscard, gnu::always_inline]] std::uint64_t approach(Hash hash) const {
    const Slot tag = tag_of(hash);
    for (std::uint64_t at = hash & mask_;; at = next_slot(at, hash, mask_)) {
      const Slot seen = look_at<alone>(slots_[at], std::memory_order_relaxed);
      if (seen == 0) return at;
      if ((seen ^ tag) > index_mask) continue;
      __builtin_prefetch(&states_[((seen & index_mask) - 1) * words()]);
      return at;
    }
  }

  // From the slot on that approach() has found. As IndexedStore::insert_from.
  template <class NextIndex>
  [[gnu::always_inline]] Inserted insert_or_find(std::uint64_t at, const std::uint64_t* state, Hash hash,
                                                 const NextIndex& next_index) {
    const Slot tag = tag_of(hash);
    for (;; at = next_slot(at, hash, mask_)) {
      Slot seen = look_at<alone>(slots_[at], std::memory_order_acquire);
      if (seen == 0 && (alone || claim(slots_[at], seen, tag, std::memory_order_acq_rel))) break;
      if ((seen ^ tag) > index_mask) continue;
      if (!alone && (seen & index_mask) == 0) seen = written(slots_[at], seen);
      const std::uint64_t found = (seen & index_mask) - 1;
      if (same_short(state, &states_[found * words()], words())) return {StateId{found}, false};
    }
    const std::uint64_t index = next_index();
    for (std::uint32_t k = 0; k < words(); ++k) states_[index * words() + k] = state[k];
    if constexpr (alone) {
      slots_[at] = tag | (index + 1);
    } else {
      std::atomic_ref(slots_[at]).store(tag | (index + 1), std::memory_order_release);
      prefetch_to_write(&states_[(index + states_ahead) * words()]);
    }
    return {StateId{index}, true};
  }

  // Whether the state is new.
  template <class NextIndex>
  [[gnu::always_inline]] bool insert(std::uint64_t at, const std::uint64_t* state, Hash hash,
                                     const NextIndex& next_index) {
    return insert_or_find(at, state, hash, next_index).fresh;
  }

  // Makes slots for states that have numbers and none.
  void enter(std::uint64_t first, std::uint64_t end) const;

 private:
  [[nodiscard]] std::uint32_t words() const { return length_of<known>(store_.words_); }
  // A thread writes states one behind the other. One that is on its way when the next slot is claimed is waited for.
  static constexpr std::uint64_t states_ahead = 16;

  IndexedStore& store_;
  Slot* const slots_;
  std::uint64_t* const states_;
  const std::uint64_t mask_;
};

}  // namespace fathom
