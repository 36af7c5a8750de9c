#include "store/inline_store.hpp"

#include <algorithm>

namespace fathom {

static_assert(StateStore<InlineStore> && LoneStore<InlineStore>);

namespace {
constexpr std::uint64_t initial_slots = std::uint64_t{1} << 15;
constexpr std::uint64_t most_reserved = std::uint64_t{1} << 42;  // of address space, per array
}  // namespace

InlineStore::InlineStore(std::uint64_t memory_limit)
    : memory_limit_(memory_limit),
      slot_count_(initial_slots),
      slots_(std::min(memory_limit, most_reserved) / sizeof(std::uint64_t)),
      states_(std::min(memory_limit, most_reserved) / sizeof(std::uint64_t)) {}

bool InlineStore::reserve(std::uint64_t extra) {
  const std::uint64_t entries = size() + extra;
  std::uint64_t slots = slot_count_;
  while (too_full(entries, slots)) slots = next_size(slots);
  if ((slots + entries) * sizeof(std::uint64_t) > memory_limit_ || slots > slots_.capacity() ||
      entries > states_.capacity())
    return false;
  if (slots != slot_count_) rebuild(slots);
  return true;
}

void InlineStore::rebuild(std::uint64_t slots) {
  constexpr std::uint64_t ahead = 32;
  std::fill_n(slots_.data(), slot_count_, std::uint64_t{0});
  slot_count_ = slots;
  const std::uint64_t count = size();
  for (std::uint64_t index = 0; index < count; ++index) {
    if (index + ahead < count) prefetch(hash(state(StateId{index + ahead})));
    const Hash h = hash(state(StateId{index}));
    Probe probe(h, slot_count_);
    while (slots_[probe.slot()] != 0) probe.next();
    slots_[probe.slot()] = h;
  }
}

}  // namespace fathom
