#include "store/indexed_store.hpp"

#include <stdexcept>

#include "support/sealed_file.hpp"

namespace fathom {

static_assert(StateStore<IndexedStore> && StagedStore<IndexedStore> && SharedStore<IndexedStore>);
static_assert(ViewedStore<IndexedStore>);

IndexedStore::IndexedStore(std::uint32_t words, std::uint64_t memory_limit, TablePace pace)
    : words_(words),
      memory_limit_(memory_limit),
      pace_(pace),
      slot_count_(initial_slots),
      slots_(std::min(memory_limit, most_reserved) / sizeof(Slot)),
      states_(std::min(memory_limit, most_reserved) / sizeof(std::uint64_t)) {}

std::uint64_t IndexedStore::slots_for(std::uint64_t entries) const {
  std::uint64_t slots = std::max(slot_count_, initial_slots);
  while (pace_.too_full(entries, slots)) slots = pace_.next_size(slots);
  return slots;
}

bool IndexedStore::reserve(std::uint64_t extra, Team* team) {
  const std::uint64_t entries = size() + extra;
  const std::uint64_t slots = slots_for(entries);
  const std::uint64_t bytes = slots * sizeof(Slot) + entries * words_ * sizeof(std::uint64_t);
  if (bytes > memory_limit_ || slots > slots_.capacity() || entries * words_ > states_.capacity() ||
      entries >= max_states - 1)
    return false;
  if (slots != slot_count_) rebuild(slots, team);
  return true;
}

std::uint64_t IndexedStore::room() const {
  const std::uint64_t table = slot_count_ * sizeof(Slot);
  const std::uint64_t in_memory = memory_limit_ > table ? (memory_limit_ - table) / sizeof(std::uint64_t) : 0;
  const std::uint64_t entries =
      std::min({pace_.most_entries(slot_count_), std::min(in_memory, states_.capacity()) / words_, max_states - 2});
  return entries > size() ? entries - size() : 0;
}

void IndexedStore::rebuild(std::uint64_t slots, Team* team) {
  in_slices(team, slot_count_,
            [&](std::uint64_t first, std::uint64_t end) { std::fill(&slots_[first], &slots_[end], Slot{0}); });
  slot_count_ = slots;
  in_slices(team, size(), [&](std::uint64_t first, std::uint64_t end) {
    outside_gaps(first, end, [&](std::uint64_t from, std::uint64_t to) {
      if (team == nullptr)
        enter<true>(from, to);
      else
        enter<false>(from, to);
    });
  });
}

void IndexedStore::give_up_table() {
  slots_ = VirtualArray<Slot>();
  slot_count_ = 0;
}

void IndexedStore::restore_table() {
  slots_ = VirtualArray<Slot>(std::min(memory_limit_, most_reserved) / sizeof(Slot));
  rebuild(slots_for(size()), nullptr);
}

void IndexedStore::set_gaps(std::vector<IdRange> gaps) {
  std::erase_if(gaps, [](const IdRange& gap) { return gap.empty(); });
  std::ranges::sort(gaps, {}, &IdRange::first);
  gaps_ = std::move(gaps);
  in_gaps_ = 0;
  for (const IdRange& gap : gaps_) in_gaps_ += gap.end - gap.first;
}

// Calls body(from, to) for the parts of first .. end-1 that lie between gaps.
template <class Body>
void IndexedStore::outside_gaps(std::uint64_t first, std::uint64_t end, const Body& body) const {
  auto gap = std::ranges::upper_bound(gaps_, first, {}, &IdRange::end);
  for (; first < end && gap != gaps_.end() && gap->first < end; ++gap) {
    if (first < gap->first) body(first, gap->first);
    first = gap->end;
  }
  if (first < end) body(first, end);
}

template <bool alone>
void IndexedStore::enter(std::uint64_t first, std::uint64_t end) {
  without_loop(
      words_,
      [&]<std::uint32_t... k>(std::integer_sequence<std::uint32_t, k...>) {
        View<sizeof...(k), alone>(*this).enter(first, end);
      },
      [&] { View<0, alone>(*this).enter(first, end); });
}

// The states in order of insertion are read sequentially and their slots written at random, a few ahead of the reads.
template <std::uint32_t known, bool alone>
void IndexedStore::View<known, alone>::enter(std::uint64_t first, std::uint64_t end) const {
  constexpr std::uint64_t ahead = 32;
  Hash ring[ahead];
  const auto start = [&](std::uint64_t index) {
    const Hash h = hash(states_ + index * words());
    prefetch(h);
    ring[index % ahead] = h;
  };
  for (std::uint64_t index = first; index < std::min(first + ahead, end); ++index) start(index);
  for (std::uint64_t index = first; index < end; ++index) {
    const Hash h = ring[index % ahead];
    if (index + ahead < end) start(index + ahead);
    std::uint64_t at = h & mask_;
    while (!put_if_empty<alone>(slots_[at], tag_of(h) | (index + 1))) at = next_slot(at, h, mask_);
  }
}

void IndexedStore::move(StateId from, StateId to) {
  const Hash h = hash(state(from));
  std::copy_n(state(from).data(), words_, &states_[index_of(to) * words_]);
  Probe probe(h, slot_count_);
  while ((slots_[probe.slot()] & index_mask) != index_of(from) + 1) probe.next();
  slots_[probe.slot()] = tag_of(h) | (index_of(to) + 1);
}

void IndexedStore::save(SealedWriter& out) const {
  out.number(size());
  out.words({states_.data(), size() * words_});
  out.number(gaps_.size());
  for (const IdRange& gap : gaps_) {
    out.number(gap.first);
    out.number(gap.end);
  }
}

bool IndexedStore::load(SealedReader& in) {
  const std::uint64_t count = in.number();
  set_size(0);
  if (!reserve(count)) return false;
  in.words({states_.data(), count * words_});
  set_size(count);
  std::vector<IdRange> gaps(in.number());
  for (IdRange& gap : gaps) {
    gap.first = in.number();
    gap.end = in.number();
  }
  set_gaps(std::move(gaps));
  rebuild(slot_count_, nullptr);
  return true;
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
