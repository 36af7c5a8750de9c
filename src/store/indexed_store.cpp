#include "store/indexed_store.hpp"

#include <stdexcept>

namespace fathom {

static_assert(StateStore<IndexedStore> && StagedStore<IndexedStore> && LoneStore<IndexedStore>);

namespace {
constexpr std::uint64_t initial_slots = std::uint64_t{1} << 15;
constexpr std::uint64_t most_reserved = std::uint64_t{1} << 42;  // of address space, per array
}  // namespace

IndexedStore::IndexedStore(std::uint32_t words, std::uint64_t memory_limit)
    : words_(words),
      memory_limit_(memory_limit),
      slot_count_(initial_slots),
      slots_(std::min(memory_limit, most_reserved) / sizeof(Slot)),
      states_(std::min(memory_limit, most_reserved) / sizeof(std::uint64_t)) {}

bool IndexedStore::reserve(std::uint64_t extra) {
  const std::uint64_t entries = size() + extra;
  std::uint64_t slots = slot_count_;
  while (too_full(entries, slots)) slots = next_size(slots);
  const std::uint64_t bytes = slots * sizeof(Slot) + entries * words_ * sizeof(std::uint64_t);
  if (bytes > memory_limit_ || slots > slots_.capacity() || entries * words_ > states_.capacity() ||
      entries >= max_states - 1)
    return false;
  if (slots != slot_count_) rebuild(slots);
  return true;
}

// The states in order of insertion are read sequentially and their slots written at random, a few ahead of the reads.
void IndexedStore::rebuild(std::uint64_t slots) {
  constexpr std::uint64_t ahead = 32;
  std::fill_n(slots_.data(), slot_count_, Slot{0});
  slot_count_ = slots;
  const std::uint64_t count = size();
  Hash ring[ahead];
  const auto start = [&](std::uint64_t index) {
    const Hash h = hash(state(StateId{index}));
    prefetch(h);
    ring[index % ahead] = h;
  };
  for (std::uint64_t index = 0; index < std::min(ahead, count); ++index) start(index);
  for (std::uint64_t index = 0; index < count; ++index) {
    const Hash h = ring[index % ahead];
    if (index + ahead < count) start(index + ahead);
    Probe probe(h, slot_count_);
    while (slots_[probe.slot()] != 0) probe.next();
    slots_[probe.slot()] = tag_of(h) | (index + 1);
  }
}

StateId IndexedStore::find(StateView state, Hash hash) const {
  const Slot tag = tag_of(hash);
  for (Probe probe(hash, slot_count_);; probe.next()) {
    const Slot slot = slots_[probe.slot()];
    if (slot == 0) throw std::logic_error("a state that should be in the store is not");
    if ((slot & ~index_mask) == tag && equal((slot & index_mask) - 1, state.data()))
      return StateId{(slot & index_mask) - 1};
  }
}

}  // namespace fathom
