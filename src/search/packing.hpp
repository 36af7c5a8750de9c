// A breadth-first search that has found many states goes on with a table that takes half as much for each, or less
// (store/quotient_store.hpp, or store/packed_tree.hpp for long states), and keeps beside it only the states that wait
// to be expanded.
#pragma once

#include <algorithm>
#include <memory>

#include "search/level_standing.hpp"
#include "search/origin_rows.hpp"
#include "store/indexed_store.hpp"
#include "store/packed_tree.hpp"
#include "store/quotient_store.hpp"
#include "store/tree_store.hpp"
#include "support/team.hpp"

namespace fathom {

// States from which on that is worth it. Smaller searches are faster as they are, and their runs can be shown without
// another search. With little memory it begins earlier, since both tables must find room for a moment.
constexpr std::uint64_t states_to_pack(std::uint64_t memory_limit) {
  return std::clamp<std::uint64_t>(memory_limit / 128, std::uint64_t{1} << 16, std::uint64_t{1} << 20);
}

// Long states are made of nodes that stay where they are, so little is gained by waiting.
constexpr std::uint64_t long_states_to_pack(std::uint64_t packs_from) {
  return packs_from == UINT64_MAX ? UINT64_MAX : packs_from / 2;
}

// What becomes of a store that keeps its states: a table of quotients of the states or of their roots. It is empty,
// with room for all of them, or there is none.
inline std::unique_ptr<PackedTree> empty_packed(const TreeStore& full, std::uint32_t, std::uint64_t memory,
                                                bool alone) {
  auto store = std::make_unique<PackedTree>(full.tree().for_another_thread(), memory, alone);
  return store->reserve_roots(full.size(), 0) ? std::move(store) : nullptr;
}
template <class Full>
std::unique_ptr<QuotientStore> empty_packed(const Full& full, std::uint32_t state_bits, std::uint64_t memory,
                                            bool alone) {
  auto store = std::make_unique<QuotientStore>(state_bits, memory, alone);
  return store->reserve(full.size()) ? std::move(store) : nullptr;
}

// A state as the table knows it.
struct PackedState {
  StateView state;
  Hash hash;
};
template <class Full>
PackedState packed_state(const Full& full, StateId id, const QuotientStore& store) {
  const StateView state = full.state(id);
  return {state, store.hash(state)};
}
inline PackedState packed_state(const TreeStore& full, StateId id, const PackedTree&) {
  return {{}, full.root(id)};
}

// The states first .. end-1.
template <class Full, class Packed>
void pack(const Full& full, IdRange states, Packed& store) {
  constexpr std::uint64_t ahead = 32;
  for (std::uint64_t id = states.first; id < states.end; ++id) {
    if (id + ahead < states.end) store.prefetch(packed_state(full, StateId{id + ahead}, store).hash);
    const auto [state, hash] = packed_state(full, StateId{id}, store);
    store.insert(state, hash, [id] { return id; });
  }
}

// Before a level, by so many threads, for as many. Nothing if there is no room for the states.
template <class Full>
auto packed(const Full& full, LevelStanding& standing, std::uint32_t state_bits, std::uint64_t memory,
            unsigned threads) {
  auto store = empty_packed(full, state_bits, memory, threads <= 1);
  if (store == nullptr) return store;
  const std::unique_ptr<Team> team = threads > 1 ? std::make_unique<Team>(threads) : nullptr;
  in_slices(team.get(), full.size(), [&](std::uint64_t first, std::uint64_t end) { pack(full, {first, end}, *store); });
  store->set_size(full.size());
  VirtualArray<std::uint64_t> array(std::min(memory, most_reserved) / sizeof(std::uint64_t));
  const OriginRows rows(store->key_bits());
  in_slices(team.get(), standing.level_end - standing.level_begin, [&](std::uint64_t first, std::uint64_t end) {
    for (std::uint64_t k = first; k < end; ++k) {
      const auto [state, hash] = packed_state(full, StateId{standing.level_begin + k}, *store);
      rows.write(reinterpret_cast<OriginRows::Byte*>(array.data()), k, store->key_of(state, hash),
                 0);  // the first milestone will set the origin
    }
  });
  standing.frontier_array = std::move(array);
  standing.rest.reset();
  return store;
}

// ---- States of medium length, which are kept as they are while there is plenty of memory: that is faster.

// States from which on they become a tree: then they take a fourth of the memory.
constexpr std::uint64_t states_for_tree(std::uint64_t memory_limit, std::uint32_t words) {
  return memory_limit / 4 / (words * sizeof(std::uint64_t) + 14);
}

// Calls each(id, root) for the states first .. end-1, a group at a time; room(count) makes room for them. False: there
// is none.
template <class Room, class Each>
bool fold(const IndexedStore& full, IdRange states, const StateTree& tree, const Room& room, const Each& each) {
  constexpr std::uint64_t group = 256;
  StateTree::Root roots[group];
  for (std::uint64_t first = states.first; first < states.end; first += group) {
    const std::uint64_t count = std::min(group, states.end - first);
    if (!room(count)) return false;
    for (std::uint64_t k = 0; k < count; ++k) tree.add(full.state(StateId{first + k}));
    tree.take_roots(roots);
    for (std::uint64_t k = 0; k < count; ++k) each(first + k, roots[k]);
  }
  return true;
}

// Whether it saves a fourth at least, by the last states that were found. (The more states there are, the more of their
// nodes are known.)
inline bool pays_as_tree(const IndexedStore& full, std::uint64_t memory) {
  StateTree tree(full.words(), memory);
  const std::uint64_t count = full.size() / 4;
  const auto room = [&](std::uint64_t more) { return tree.reserve(more, nullptr); };
  if (!fold(full, {full.size() - count, full.size()}, tree, room, [](std::uint64_t, std::uint64_t) {})) return false;
  constexpr std::uint64_t root_bytes = 8;
  return (tree.usual_bytes() + count * root_bytes) * 4 < full.usual_bytes() / full.size() * count * 3;
}

// As packed() does, by one thread. The nodes are made first, so that it is known how wide the roots are.
inline std::unique_ptr<PackedTree> packed_as_tree(const IndexedStore& full, LevelStanding& standing,
                                                  std::uint64_t memory, unsigned threads) {
  StateTree tree(full.words(), memory);
  const IdRange all{0, full.size()};
  const auto room = [&](std::uint64_t more) {
    return full.bytes() + tree.bytes_for(more) <= memory && tree.reserve(more, nullptr);
  };
  if (!fold(full, all, tree, room, [](std::uint64_t, std::uint64_t) {})) return nullptr;
  auto store = std::make_unique<PackedTree>(tree.for_another_thread(), memory, threads <= 1);
  if (!store->reserve_roots(full.size(), full.bytes())) return nullptr;
  VirtualArray<std::uint64_t> array(std::min(memory, most_reserved) / sizeof(std::uint64_t));
  const OriginRows rows(PackedTree::key_bits());
  const auto enter = [&](std::uint64_t id, std::uint64_t root) {
    store->insert({}, root, [id] { return id; });
    if (id >= standing.level_begin)
      rows.write(reinterpret_cast<OriginRows::Byte*>(array.data()), id - standing.level_begin, &root, 0);
  };
  static_cast<void>(fold(full, all, tree, room, enter));
  store->set_size(full.size());
  standing.frontier_array = std::move(array);
  standing.rest.reset();
  return store;
}

}  // namespace fathom
