// A breadth-first search that has found many states goes on with a table that takes half as much for each, or less
// (store/quotient_store.hpp), and keeps in full only the states that wait to be expanded.
#pragma once

#include <algorithm>
#include <memory>

#include "search/level_standing.hpp"
#include "store/quotient_store.hpp"
#include "support/team.hpp"

namespace fathom {

// States from which on that is worth it. Smaller searches are faster as they are, and their runs can be shown without
// another search. With little memory it begins earlier, since both tables must find room for a moment.
constexpr std::uint64_t states_to_pack(std::uint64_t memory_limit) {
  return std::clamp<std::uint64_t>(memory_limit / 128, std::uint64_t{1} << 16, std::uint64_t{1} << 20);
}

// The states first .. end-1.
template <class Full>
void pack(const Full& full, IdRange states, QuotientStore& store) {
  constexpr std::uint64_t ahead = 32;
  for (std::uint64_t id = states.first; id < states.end; ++id) {
    if (id + ahead < states.end) store.prefetch(store.hash(full.state(StateId{id + ahead})));
    const StateView state = full.state(StateId{id});
    store.insert(state, store.hash(state), [id] { return id; });
  }
}

// Before a level, by so many threads, for as many. Nothing if there is no room for the states.
template <class Full>
std::unique_ptr<QuotientStore> packed(const Full& full, LevelStanding& standing, std::uint32_t state_bits,
                                      std::uint64_t memory, unsigned threads) {
  auto store = std::make_unique<QuotientStore>(state_bits, memory, threads <= 1);
  const std::unique_ptr<Team> team = threads > 1 ? std::make_unique<Team>(threads) : nullptr;
  if (!store->reserve(full.size())) return nullptr;
  in_slices(team.get(), full.size(), [&](std::uint64_t first, std::uint64_t end) { pack(full, {first, end}, *store); });
  store->set_size(full.size());
  VirtualArray<std::uint64_t> rows(std::min(memory, most_reserved) / sizeof(std::uint64_t));
  std::uint64_t* row = rows.data();
  for (std::uint64_t id = standing.level_begin; id < standing.level_end; ++id) {
    row = std::ranges::copy(full.state(StateId{id}), row).out;
    *row++ = 0;  // its origin, which the first milestone will set
  }
  standing.frontier_array = std::move(rows);
  standing.rest.reset();
  return store;
}

}  // namespace fathom
