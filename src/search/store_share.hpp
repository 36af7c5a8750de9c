// A store that several depth-first searches fill at the same time. They keep the numbers of states on their stacks and
// in arrays, so a number that was given is never changed, as the threads of a breadth-first search may do between two
// levels: numbers that a thread has taken and not used remain gaps. The store grows when all threads are at rest.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "search/id_ranges.hpp"
#include "store/indexed_store.hpp"

namespace fathom {

// What one thread has of the store; it looks like a store of its own.
class StoreShare {
 public:
  static constexpr bool exact = IndexedStore::exact;
  static constexpr bool keeps_states = IndexedStore::keeps_states;
  static constexpr bool known_ids = IndexedStore::known_ids;

  StoreShare(IndexedStore& store, IdPool& pool) : store_(store), pool_(pool) {}

  [[nodiscard]] Hash hash(StateView state) const { return store_.hash(state); }
  [[gnu::always_inline]] void prefetch(Hash hash) const { store_.prefetch(hash); }
  // False: there is no room before everybody has come to rest and the store has grown.
  [[nodiscard]] bool reserve(std::uint64_t extra) {
    const bool holds = stock_.hold(pool_, extra);
    wanted_ = holds ? 0 : extra + pool_.range();
    return holds;
  }
  Inserted insert(StateView state, Hash hash) {
    return store_.insert(state, hash, [this] { return stock_.take(); });
  }
  template <std::uint32_t known>
  using OwnView = IndexedStore::View<known, false>;
  IndexedStore& whole() { return store_; }
  std::uint64_t next_index() { return stock_.take(); }
  [[nodiscard]] StateView state(StateId id) const { return store_.state(id); }
  // All numbers are below it.
  [[nodiscard]] std::uint64_t size() const { return pool_.next(); }
  // What it takes beside the store.
  [[nodiscard]] std::uint64_t bytes() const { return 0; }

  // For how many states it waits.
  [[nodiscard]] std::uint64_t wanted() const { return wanted_; }
  void list_unused(std::vector<IdRange>& ranges) const { stock_.list(ranges); }
  void give_back(std::vector<IdRange>& ranges) { stock_.empty_into(ranges); }

 private:
  IndexedStore& store_;
  IdPool& pool_;
  IdStock stock_;
  std::uint64_t wanted_ = 0;
};

// Everything about the store that is done while all threads are at rest.
class StoreShares {
 public:
  explicit StoreShares(IndexedStore& store) : store_(store), gaps_before_(store.gaps()) {
    pool_.open(store.size(), store.size() + store.room());
  }

  StoreShare& another() { return *shares_.emplace_back(std::make_unique<StoreShare>(store_, pool_)); }

  // Makes the room that is waited for, if any is, with the help of the team. False at the memory limit, which is asked
  // about when the table grows: fits(bytes).
  [[nodiscard]] bool grow(Team* team, const std::function<bool(std::uint64_t)>& fits) {
    settle();
    std::uint64_t wanted = 0;
    for (const auto& share : shares_) wanted += share->wanted();
    if (wanted == 0) return true;
    std::uint64_t asked = std::max(most_asked, wanted);
    while (!fits(store_.growth_for(asked)) || !store_.reserve(asked, team)) {
      if (asked == wanted) return false;
      asked = std::max(asked / 2, wanted);
    }
    pool_.open(store_.size(), store_.size() + store_.room());
    return true;
  }

  // At the end, when nobody holds a number: makes them consecutive.
  void close() {
    std::vector<IdRange> unused = gaps_before_;
    for (const auto& share : shares_) share->give_back(unused);
    store_.set_gaps({});
    const std::vector<Renumbering> moves = to_fill_gaps(unused, pool_.next());
    renumber(store_, moves, [this](StateId from, StateId to) { store_.move(from, to); });
    store_.set_size(pool_.next() - numbers_in(unused));
  }

  // Tells the store which numbers are states.
  void settle() {
    store_.set_size(pool_.next());
    std::vector<IdRange> unused = gaps_before_;
    for (const auto& share : shares_) share->list_unused(unused);
    store_.set_gaps(std::move(unused));
  }

  [[nodiscard]] std::uint64_t size() const { return pool_.next(); }
  // No number is this large before it grows.
  [[nodiscard]] std::uint64_t end() const { return pool_.end(); }
  // While the threads work, the store knows only of the states it had before.
  [[nodiscard]] std::uint64_t bytes() const {
    return store_.bytes() + (size() - store_.size()) * store_.words() * sizeof(std::uint64_t);
  }

 private:
  // What the store makes room for, so that the threads need not halt too often.
  static constexpr std::uint64_t most_asked = std::uint64_t{1} << 16;

  IndexedStore& store_;
  const std::vector<IdRange> gaps_before_;  // left by others, before a checkpoint
  IdPool pool_;
  std::vector<std::unique_ptr<StoreShare>> shares_;
};

}  // namespace fathom
