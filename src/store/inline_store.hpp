// Exact store for states of at most 63 bits: the table holds the states themselves, bijectively mixed, so a look-up is
// one cache line and a comparison of words. A second array keeps them in order of insertion: it is the queue of a
// breadth-first search and gives traces without parent pointers. The table knows no ids, so a search that must find the
// number of a known state uses IndexedStore.
#pragma once

#include "store/store.hpp"
#include "support/team.hpp"
#include "support/virtual_array.hpp"

namespace fathom {

class InlineStore {
 public:
  static constexpr bool exact = true;
  static constexpr bool keeps_states = true;
  static constexpr bool known_ids = false;
  static constexpr std::uint32_t max_bits = 63;

  explicit InlineStore(std::uint64_t memory_limit);

  // The unused top bit is set, so the mixed word is never 0, which marks an empty slot.
  [[nodiscard]] Hash hash(StateView state) const { return mix_bijective(state[0] | (std::uint64_t{1} << max_bits)); }
  [[gnu::always_inline]] void prefetch(Hash hash) const {
    __builtin_prefetch(&slots_[Probe(hash, slot_count_).slot()], 1);
  }
  [[nodiscard]] bool reserve(std::uint64_t extra, Team* team = nullptr);
  [[nodiscard]] std::uint64_t growth_for(std::uint64_t extra) const {
    return (slots_for(size() + extra) - slot_count_) * sizeof(std::uint64_t);
  }
  [[nodiscard]] std::uint64_t room() const;
  Inserted insert(StateView state, Hash hash) {
    return insert(state, hash, [this] { return size_.fetch_add(1, std::memory_order_relaxed); });
  }
  template <class NextIndex>
  Inserted insert(StateView state, Hash hash, NextIndex next_index);
  void move(StateId from, StateId to) { states_[index_of(to)] = states_[index_of(from)]; }
  void save(SealedWriter& out) const;
  [[nodiscard]] bool load(SealedReader& in);  // into an empty store; false at the memory limit
  void set_size(std::uint64_t count) { size_.store(count, std::memory_order_relaxed); }
  // Not while others insert.
  [[nodiscard]] bool contains(StateView state, Hash hash) const;

  [[nodiscard]] StateView state(StateId id) const { return {&states_[index_of(id)], 1}; }
  [[nodiscard]] std::uint64_t size() const { return size_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t bytes() const { return (slot_count_ + size()) * sizeof(std::uint64_t); }
  [[nodiscard]] std::uint64_t table_bytes() const { return slot_count_ * sizeof(std::uint64_t); }

  // For those who take the states elsewhere; see IndexedStore.
  void give_up_table();
  void restore_table();
  void give_back(IdRange states) const { states_.give_back(states.first, states.end); }
  template <class Reduce>
  [[nodiscard]] VirtualArray<std::uint64_t> into_words(std::uint64_t count, const Reduce& reduce);

  static constexpr std::uint32_t fixed_words = 1;
  template <std::uint32_t known, bool alone>
  class View;
  std::uint64_t next_index() {
    const std::uint64_t index = size();
    set_size(index + 1);
    return index;
  }

 private:
  [[nodiscard]] std::uint64_t slots_for(std::uint64_t entries) const {
    std::uint64_t slots = slot_count_;
    while (usual_pace.too_full(entries, slots)) slots = usual_pace.next_size(slots);
    return slots;
  }
  void rebuild(std::uint64_t slots, Team* team);
  template <bool alone>
  void enter(std::uint64_t first, std::uint64_t end);

  std::uint64_t memory_limit_;
  std::uint64_t slot_count_;
  VirtualArray<std::uint64_t> slots_;
  VirtualArray<std::uint64_t> states_;
  std::atomic<std::uint64_t> size_ = 0;
};

inline bool InlineStore::contains(StateView, Hash hash) const {
  for (Probe probe(hash, slot_count_);; probe.next()) {
    if (slots_[probe.slot()] == hash) return true;
    if (slots_[probe.slot()] == 0) return false;
  }
}

template <class Reduce>
VirtualArray<std::uint64_t> InlineStore::into_words(std::uint64_t count, const Reduce& reduce) {
  give_up_table();
  for (std::uint64_t index = 0; index < count; ++index) states_[index] = reduce(state(StateId{index}));
  set_size(0);
  return std::move(states_);
}

template <class NextIndex>
Inserted InlineStore::insert(StateView state, Hash hash, NextIndex next_index) {
  for (Probe probe(hash, slot_count_);; probe.next()) {
    const std::atomic_ref<std::uint64_t> slot(slots_[probe.slot()]);
    std::uint64_t seen = slot.load(std::memory_order_relaxed);
    if (seen == 0 && slot.compare_exchange_strong(seen, hash, std::memory_order_relaxed)) {
      const std::uint64_t index = next_index();
      states_[index] = state[0];
      return {StateId{index}, true};
    }
    if (seen == hash) return {StateId{}, false};
  }
}

// The store as a search sees it that inserts many states in a row; see IndexedStore.
template <std::uint32_t known, bool alone>
class InlineStore::View {
 public:
  explicit View(InlineStore& store)
      : store_(store), slots_(store.slots_.data()), states_(store.states_.data()), mask_(store.slot_count_ - 1) {}

  [[nodiscard, gnu::always_inline]] Hash hash(const std::uint64_t* state) const { return store_.hash({state, 1}); }
  [[gnu::always_inline]] void prefetch(Hash hash) const { __builtin_prefetch(&slots_[hash & mask_], 1); }
  // There is nothing more to fetch.
  [[nodiscard, gnu::always_inline]] std::uint64_t approach(Hash hash) const { return hash & mask_; }

  template <class NextIndex>
  [[gnu::always_inline]] bool insert(std::uint64_t at, const std::uint64_t* state, Hash hash,
                                     const NextIndex& next_index) {
    for (;; at = next_slot(at, hash, mask_)) {
      std::uint64_t seen = look_at<alone>(slots_[at], std::memory_order_relaxed);
      if (seen == hash) return false;
      if (seen != 0) continue;
      if (alone || claim(slots_[at], seen, hash, std::memory_order_relaxed)) break;
      if (seen == hash) return false;
    }
    states_[next_index()] = state[0];
    if constexpr (alone) slots_[at] = hash;
    return true;
  }

 private:
  InlineStore& store_;
  std::uint64_t* const slots_;
  std::uint64_t* const states_;
  const std::uint64_t mask_;
};

}  // namespace fathom
