#include "store/inline_store.hpp"

#include <algorithm>

#include "support/sealed_file.hpp"

namespace fathom {

static_assert(StateStore<InlineStore> && SharedStore<InlineStore> && ViewedStore<InlineStore>);

InlineStore::InlineStore(std::uint64_t memory_limit)
    : memory_limit_(memory_limit),
      slot_count_(initial_slots),
      slots_(std::min(memory_limit, most_reserved) / sizeof(std::uint64_t)),
      states_(std::min(memory_limit, most_reserved) / sizeof(std::uint64_t)) {}

bool InlineStore::reserve(std::uint64_t extra, Team* team) {
  const std::uint64_t entries = size() + extra;
  const std::uint64_t slots = slots_for(entries);
  if ((slots + entries) * sizeof(std::uint64_t) > memory_limit_ || slots > slots_.capacity() ||
      entries > states_.capacity())
    return false;
  if (slots != slot_count_) rebuild(slots, team);
  return true;
}

std::uint64_t InlineStore::room() const {
  const std::uint64_t in_memory = memory_limit_ / sizeof(std::uint64_t);
  const std::uint64_t entries = std::min({usual_pace.most_entries(slot_count_), states_.capacity(),
                                          in_memory > slot_count_ ? in_memory - slot_count_ : std::uint64_t{0}});
  return entries > size() ? entries - size() : 0;
}

void InlineStore::rebuild(std::uint64_t slots, Team* team) {
  in_slices(team, slot_count_,
            [&](std::uint64_t first, std::uint64_t end) { std::fill(&slots_[first], &slots_[end], std::uint64_t{0}); });
  slot_count_ = slots;
  in_slices(team, size(), [&](std::uint64_t first, std::uint64_t end) {
    if (team == nullptr)
      enter<true>(first, end);
    else
      enter<false>(first, end);
  });
}

void InlineStore::give_up_table() {
  slots_ = VirtualArray<std::uint64_t>();
  slot_count_ = 0;
}

void InlineStore::restore_table() {
  slots_ = VirtualArray<std::uint64_t>(std::min(memory_limit_, most_reserved) / sizeof(std::uint64_t));
  std::uint64_t slots = initial_slots;
  while (usual_pace.too_full(size(), slots)) slots = usual_pace.next_size(slots);
  rebuild(slots, nullptr);
}

void InlineStore::save(SealedWriter& out) const {
  out.number(size());
  out.words({states_.data(), size()});
}

bool InlineStore::load(SealedReader& in) {
  const std::uint64_t count = in.number();
  if (!reserve(count)) return false;
  in.words({states_.data(), count});
  set_size(count);
  rebuild(slot_count_, nullptr);
  return true;
}

template <bool alone>
void InlineStore::enter(std::uint64_t first, std::uint64_t end) {
  constexpr std::uint64_t ahead = 32;
  for (std::uint64_t index = first; index < end; ++index) {
    if (index + ahead < end) prefetch(hash(state(StateId{index + ahead})));
    const Hash h = hash(state(StateId{index}));
    Probe probe(h, slot_count_);
    while (!put_if_empty<alone>(slots_[probe.slot()], h)) probe.next();
  }
}

}  // namespace fathom
