// What a store of visited states offers. Stores differ in what they keep: the concept's constants say so, and searches
// ask for what they need.
//
// Insertion is written for several threads: a slot is claimed by one compare-and-swap and published by one store.
// Growing is not: reserve() runs between batches, when no insertion is under way, so insert() never moves anything.
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>

#include "model/model.hpp"
#include "support/hash.hpp"

namespace fathom {

class SealedReader;
class SealedWriter;
class Team;

// Numbers of states in order of insertion, stable for the life of the store. 40 bits of them are used.
enum class StateId : std::uint64_t {};
constexpr std::uint64_t index_of(StateId id) {
  return static_cast<std::uint64_t>(id);
}
inline constexpr std::uint64_t max_states = std::uint64_t{1} << 40;
inline constexpr std::uint64_t initial_slots = std::uint64_t{1} << 15;  // of a table that grows

// Numbers first .. end-1 of states.
struct IdRange {
  std::uint64_t first = 0, end = 0;
  [[nodiscard]] bool empty() const { return first == end; }
};

struct Inserted {
  StateId id;  // of the state; of a known state only where the store has known_ids
  bool fresh;
};

template <class S>
concept StateSet = requires(S store, const S constant, StateView state, Hash hash, std::uint64_t n) {
  { S::exact } -> std::convertible_to<bool>;         // two different states are never taken for one
  { S::keeps_states } -> std::convertible_to<bool>;  // state(id) gives them back
  { S::known_ids } -> std::convertible_to<bool>;     // insert() and find() tell the id of a known state
  { constant.hash(state) } -> std::same_as<Hash>;
  constant.prefetch(hash);
  { store.reserve(n) } -> std::same_as<bool>;  // room for n more, or false at the memory limit
  { store.insert(state, hash) } -> std::same_as<Inserted>;
  { constant.size() } -> std::same_as<std::uint64_t>;
  { constant.bytes() } -> std::same_as<std::uint64_t>;
};

// A store in whose look-up a second line of memory follows the first: a search that has fetched the first for many
// states goes on with approach() for all of them, which fetches the second, before it inserts.
template <class S>
concept StagedStore = StateSet<S> &&
    requires(S store, const S constant, StateView state, Hash hash, std::uint64_t slot) {
  { constant.approach(hash) } -> std::same_as<std::uint64_t>;
  { store.insert_from(slot, state, hash) } -> std::same_as<Inserted>;
};

// A store that can be asked for a state without inserting it.
template <class S>
concept SearchableStore = StateSet<S> && requires(const S store, StateView state, Hash hash) {
  { store.contains(state, hash) } -> std::same_as<bool>;
};

// A view that state() gives is valid until the next call of state().
template <class S>
concept StateStore = StateSet<S> && S::keeps_states && requires(const S store, StateId id) {
  { store.state(id) } -> std::same_as<StateView>;
};

// A store that several threads fill at the same time. Each of them gets numbers for new states beforehand, many at
// once, so that no counter is fought for: next_index() gives the next one. When all threads have stopped, numbers that
// were not used are filled with states from the end (move), and the store is told how many states there are (set_size).
// Only then does it grow, with the threads' help, and nobody gets more numbers than there is room for.
template <class S>
concept SharedStore = StateSet<S> &&
    requires(S store, const S constant, StateView state, Hash hash, StateId id, Team* team, std::uint64_t (*next)()) {
  { store.insert(state, hash, next) } -> std::same_as<Inserted>;
  { store.reserve(std::uint64_t{1}, team) } -> std::same_as<bool>;
  { constant.room() } -> std::same_as<std::uint64_t>;  // how many more states fit in before it must grow
  store.move(id, id);
  store.set_size(std::uint64_t{1});
};

// Slots come in buckets of one cache line. A probe starts at a slot the hash chooses and stays in the line before it
// moves to the next one (Laarman, van de Pol, Weber, FMCAD 2010), so most look-ups touch a single line.
class Probe {
 public:
  static constexpr std::uint64_t bucket_slots = 8;

  Probe(Hash hash, std::uint64_t slots) : mask_(slots - 1), slot_(hash & mask_), left_(bucket_slots) {}
  // A probe that has come to a slot before goes on from there: it enters every line at the same place.
  Probe(Hash hash, std::uint64_t slots, std::uint64_t slot)
      : mask_(slots - 1), slot_(slot), left_(bucket_slots - ((slot - hash) & (bucket_slots - 1))) {}
  [[nodiscard]] std::uint64_t slot() const { return slot_; }
  void next() {
    slot_ = (slot_ & ~(bucket_slots - 1)) | ((slot_ + 1) & (bucket_slots - 1));
    if (--left_ > 0) return;
    slot_ = (slot_ + bucket_slots) & mask_;
    left_ = bucket_slots;
  }

 private:
  std::uint64_t mask_;
  std::uint64_t slot_;
  std::uint64_t left_;  // slots of this line still to be looked at
};

// The slot a probe for this hash looks at after one that it has looked at.
[[gnu::always_inline]] inline std::uint64_t next_slot(std::uint64_t slot, Hash hash, std::uint64_t mask) {
  constexpr std::uint64_t in_line = Probe::bucket_slots - 1;
  const std::uint64_t next = (slot & ~in_line) | ((slot + 1) & in_line);
  return ((next ^ hash) & in_line) != 0 ? next : (next + Probe::bucket_slots) & mask;
}

// A store that is filled through a view for states of a certain number of words (0: of any), which is valid until the
// store grows. A thread that has the store to itself, `alone`, needs no atomic instructions. next_index() gives a new
// state its number.
template <class S>
concept ViewedStore = StateSet<S> && requires(S store, typename S::template View<1, true> view,
                                              const std::uint64_t* state, Hash hash, std::uint64_t (*next_index)()) {
  { view.hash(state) } -> std::same_as<Hash>;
  view.prefetch(hash);
  { view.approach(hash) } -> std::same_as<std::uint64_t>;
  { view.insert(std::uint64_t{0}, state, hash, next_index) } -> std::same_as<bool>;
  { store.next_index() } -> std::same_as<std::uint64_t>;  // for a thread that has the store to itself
};

// What came of looking at a part of a store, to which a state was to be added: there may be no room in it.
enum class Found : std::uint8_t { known, added, full };

// Whether a slot was empty and is taken now; otherwise `seen` is what stands there.
inline bool claim(std::uint64_t& slot, std::uint64_t& seen, std::uint64_t entry, std::memory_order order) {
  return seen == 0 && std::atomic_ref(slot).compare_exchange_strong(seen, entry, order);
}

// What stands in a slot.
template <bool alone>
[[gnu::always_inline]] inline std::uint64_t look_at(std::uint64_t& slot, std::memory_order order) {
  if constexpr (alone)
    return slot;
  else
    return std::atomic_ref(slot).load(order);
}

// Memory is what large tables are short of, so they fill to three quarters. Others stay half empty, which saves probes,
// and small ones grow fourfold, since rebuilding them often costs more than the memory they waste.
struct TablePace {
  std::uint64_t small = std::uint64_t{1} << 19;  // slots of one that is not small any more
  std::uint64_t large = std::uint64_t{1} << 21;  // slots of one that is large

  [[nodiscard]] constexpr std::uint64_t most_entries(std::uint64_t slots) const {
    return slots < large ? slots / 2 : slots / 4 * 3;
  }
  [[nodiscard]] constexpr bool too_full(std::uint64_t entries, std::uint64_t slots) const {
    return entries > most_entries(slots);
  }
  [[nodiscard]] constexpr std::uint64_t next_size(std::uint64_t slots) const {
    return slots < small ? slots * 4 : slots * 2;
  }
};
inline constexpr TablePace usual_pace;
// For tables of which there are many: what each of them wastes adds up.
inline constexpr TablePace thrifty_pace{.small = 0, .large = 0};

// Whether the slot was empty and is taken now. Alone, without others who look for a place at the same time, this is
// cheaper.
template <bool alone>
bool put_if_empty(std::uint64_t& slot, std::uint64_t entry) {
  if constexpr (alone) {
    if (slot != 0) return false;
    slot = entry;
    return true;
  } else {
    const std::atomic_ref<std::uint64_t> shared(slot);
    std::uint64_t empty = shared.load(std::memory_order_relaxed);
    return empty == 0 && shared.compare_exchange_strong(empty, entry, std::memory_order_relaxed);
  }
}

}  // namespace fathom
