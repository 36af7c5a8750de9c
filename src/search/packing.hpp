// A breadth-first search that has found many states goes on with a table that takes half as much for each, or less
// (store/coded_store.hpp, or store/packed_tree.hpp for long states; store/fingerprint_table.hpp for fingerprints), and
// keeps beside it only the states that wait to be expanded. How long states are best arranged in their tree is seen by
// those that are known then.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "search/level_standing.hpp"
#include "search/origin_rows.hpp"
#include "store/arrangement_choice.hpp"
#include "store/coded_store.hpp"
#include "store/fingerprint_table.hpp"
#include "store/indexed_store.hpp"
#include "store/packed_tree.hpp"
#include "store/tree_store.hpp"
#include "support/team.hpp"

namespace fathom {

// States from which on that is worth it. Smaller searches are faster as they are, and their runs can be shown without
// another search. With little memory it begins earlier, since both tables must find room for a moment.
constexpr std::uint64_t states_to_pack(std::uint64_t memory_limit) {
  return std::clamp<std::uint64_t>(memory_limit / 128, std::uint64_t{1} << 16, std::uint64_t{1} << 20);
}

// Long states are packed sooner, since they may take ten times as much until then.
constexpr std::uint64_t long_states_to_pack(std::uint64_t packs_from) {
  return packs_from == UINT64_MAX ? UINT64_MAX : packs_from / 8;
}

// What is to be known of states that are short.
struct ShortStates {
  std::uint32_t bits;
  bool small = false;  // memory counts more than time
};

// What becomes of a store that keeps its states: a table of quotients of the states or of their roots. It is empty,
// with room for all of them, or there is none.
inline std::unique_ptr<PackedTree> empty_packed(const TreeStore& full, ShortStates, std::uint64_t memory, bool alone) {
  auto store = std::make_unique<PackedTree>(full.tree().for_another_thread(), memory, alone);
  return store->reserve_roots(full.size(), 0) ? std::move(store) : nullptr;
}
template <class Full>
std::unique_ptr<CodedStore> empty_packed(const Full& full, ShortStates states, std::uint64_t memory, bool alone) {
  auto store = std::make_unique<CodedStore>(states.bits, memory, alone, states.small);
  const std::uint64_t both = full.bytes() + store->bytes() + store->growth_for(full.size());
  return both <= memory && store->reserve(full.size()) ? std::move(store) : nullptr;
}

// A state as the table knows it.
struct PackedState {
  StateView state;
  Hash hash;
};
template <class Full>
PackedState packed_state(const Full& full, StateId id, const CodedStore& store) {
  const StateView state = full.state(id);
  return {state, store.hash(state)};
}
inline PackedState packed_state(const TreeStore& full, StateId id, const PackedTree&) {
  return {{}, full.root(id)};
}
inline PackedState packed_state(const FingerprintStore& full, StateId id, const FingerprintTable&) {
  return {{}, full.fingerprint(id)};
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

// States that wait to be expanded, behind those of a store that keeps all.
class RowsOfLevel {
 public:
  RowsOfLevel(const LevelStanding& standing, std::uint32_t key_bits, std::uint64_t memory)
      : first_(standing.level_begin),
        rows_(key_bits),
        array_(std::min(memory, most_reserved) / sizeof(std::uint64_t)) {}

  // The first milestone will set the origin.
  void add(std::uint64_t id, const std::uint64_t* key) {
    if (id >= first_) rows_.write(reinterpret_cast<OriginRows::Byte*>(array_.data()), id - first_, key, 0);
  }
  void hand_over_to(LevelStanding& standing) {
    standing.frontier = std::move(array_);
    standing.rest.reset();
  }

 private:
  const std::uint64_t first_;
  const OriginRows rows_;
  VirtualArray<std::uint64_t> array_;
};

// Before a level, by so many threads, for as many. Nothing if there is no room for the states.
template <class Full>
auto packed_as_it_is(const Full& full, LevelStanding& standing, ShortStates states, std::uint64_t memory,
                     unsigned threads) {
  auto store = empty_packed(full, states, memory, threads <= 1);
  if (store == nullptr) return store;
  const std::unique_ptr<Team> team = threads > 1 ? std::make_unique<Team>(threads) : nullptr;
  in_slices(team.get(), full.size(), [&](std::uint64_t first, std::uint64_t end) { pack(full, {first, end}, *store); });
  store->set_size(full.size());
  RowsOfLevel waiting(standing, store->key_bits(), memory);
  in_slices(team.get(), standing.level_end - standing.level_begin, [&](std::uint64_t first, std::uint64_t end) {
    for (std::uint64_t id = standing.level_begin + first; id < standing.level_begin + end; ++id) {
      const auto [state, hash] = packed_state(full, StateId{id}, *store);
      waiting.add(id, store->key_of(state, hash));
    }
  });
  waiting.hand_over_to(standing);
  return store;
}

// Before a level, by so many threads, for as many: what becomes of fingerprints. The states that wait are in the
// standing. Nothing if there is no room.
inline std::unique_ptr<FingerprintTable> packed_fingerprints(const FingerprintStore& full, LevelStanding& standing,
                                                             std::uint32_t words, std::uint64_t memory,
                                                             unsigned threads) {
  auto store = std::make_unique<FingerprintTable>(words, memory, threads <= 1);
  const std::uint64_t rows = OriginRows(store->key_bits()).bytes() * (standing.level_end - standing.level_begin);
  const std::uint64_t both = full.bytes() + store->bytes() + store->growth_for(full.size()) + 2 * rows;
  if (both > memory || !store->reserve(full.size())) return nullptr;
  pack(full, {0, full.size()}, *store);
  store->set_size(full.size());
  RowsOfLevel waiting(standing, store->key_bits(), memory);
  const std::uint64_t* const level = standing.frontier.data();
  for (std::uint64_t id = standing.level_begin; id < standing.level_end; ++id)
    waiting.add(id, level + (id - standing.level_begin) * words);
  standing.next_frontier = {};
  standing.parents.clear();
  waiting.hand_over_to(standing);
  return store;
}

// ---- States that become a tree, or another one.

// Calls each(id, root) for the states first .. end-1, a group at a time; room(count) makes room for them. False: there
// is none.
template <class Full, class Room, class Each>
bool fold(const Full& full, IdRange states, const StateTree& tree, const Room& room, const Each& each) {
  constexpr std::uint64_t group = 256;
  StateTree::Root roots[group];
  for (std::uint64_t first = states.first; first < states.end; first += group) {
    const std::uint64_t count = std::min(group, states.end - first);
    if (!room(count)) return false;
    for (std::uint64_t k = 0; k < count; ++k) tree.add(full.state(StateId{first + k}));
    tree.take_roots(roots);
    for (std::uint64_t k = 0; k < count; ++k) each(first + k, roots[k]);
    tree.near(StateId{first + count - 1}, roots[count - 1]);  // the next ones are probably like the last one
  }
  return true;
}

// How states are best arranged that are like those of a store; nothing: as they are.
template <class Full>
std::optional<StateArrangement> better_arrangement_for(const Full& full) {
  if (full.words() > most_words_to_arrange) return std::nullopt;
  StateSample sample(full.words());
  const std::uint64_t count = std::min<std::uint64_t>(full.size(), sample_size);
  for (std::uint64_t k = 0; k < count; ++k) sample.add(full.state(StateId{k * full.size() / count}));
  return better_arrangement(sample, StateTree::halves(full.words()));
}

// As packed(), by one thread. The nodes are made first, so that it is known how wide the roots are.
template <class Full>
std::unique_ptr<PackedTree> packed_into(StateTree tree, const Full& full, LevelStanding& standing, std::uint64_t memory,
                                        unsigned threads) {
  std::vector<StateTree::Root> roots;
  const std::uint64_t elsewhere = full.bytes() + full.size() * sizeof(StateTree::Root);
  const auto room = [&](std::uint64_t more) {
    return elsewhere + tree.bytes_for(more) <= memory && tree.reserve(more, nullptr);
  };
  roots.reserve(full.size());
  const auto keep = [&](std::uint64_t, StateTree::Root root) { roots.push_back(root); };
  if (!fold(full, {0, full.size()}, tree, room, keep)) return nullptr;
  auto store = std::make_unique<PackedTree>(std::move(tree), memory, threads <= 1);
  if (!store->reserve_roots(full.size(), elsewhere)) return nullptr;
  RowsOfLevel waiting(standing, PackedTree::key_bits(), memory);
  constexpr std::uint64_t ahead = 32;
  for (std::uint64_t id = 0; id < roots.size(); ++id) {
    if (id + ahead < roots.size()) store->prefetch(roots[id + ahead]);
    store->insert({}, roots[id], [id] { return id; });
    waiting.add(id, &roots[id]);
  }
  store->set_size(full.size());
  waiting.hand_over_to(standing);
  return store;
}

// Before a level, by so many threads at most, for as many. Nothing if there is no room for the states.
template <class Full>
auto packed(const Full& full, LevelStanding& standing, ShortStates states, std::uint64_t memory, unsigned threads) {
  if constexpr (std::is_same_v<Full, TreeStore>)
    if (const auto arrangement = better_arrangement_for(full))
      if (auto store = packed_into(StateTree(*arrangement, memory), full, standing, memory, threads)) return store;
  return packed_as_it_is(full, standing, states, memory, threads);
}

// ---- States of medium length, which are kept as they are while there is plenty of memory: that is faster.

// Longer ones are packed as soon as those that are a tree from the beginning.
inline constexpr std::uint32_t most_medium_words = 8;

// States from which on they become a tree: then they take a fourth of the memory, or so much that less of it is worth
// some time.
constexpr std::uint64_t states_for_tree(std::uint64_t memory_limit, std::uint32_t words) {
  constexpr std::uint64_t large = std::uint64_t{1} << 25;
  return std::min(memory_limit / 4, large) / (words * sizeof(std::uint64_t) + 14);
}

inline StateTree tree_for(const IndexedStore& full, std::uint64_t memory) {
  return StateTree(better_arrangement_for(full).value_or(StateArrangement(full.words())), memory);
}

// Whether it saves a fourth at least, by the last states that were found. (The more states there are, the more of their
// nodes are known.)
inline bool pays_as_tree(const IndexedStore& full, std::uint64_t memory) {
  StateTree tree = tree_for(full, memory);
  const std::uint64_t count = full.size() / 4;
  const auto room = [&](std::uint64_t more) { return tree.reserve(more, nullptr); };
  if (!fold(full, {full.size() - count, full.size()}, tree, room, [](std::uint64_t, std::uint64_t) {})) return false;
  constexpr std::uint64_t root_bytes = 8;
  return (tree.usual_bytes() + count * root_bytes) * 4 < full.usual_bytes() / full.size() * count * 3;
}

inline std::unique_ptr<PackedTree> packed_as_tree(const IndexedStore& full, LevelStanding& standing,
                                                  std::uint64_t memory, unsigned threads) {
  return packed_into(tree_for(full, memory), full, standing, memory, threads);
}

}  // namespace fathom
