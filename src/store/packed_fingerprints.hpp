// Lossy store: the 64-bit fingerprints of states in a table of fixed size that fills up to nine tenths, and nothing
// else of them: 9 bytes a state, a third of what FingerprintStore takes. It is for a search whose memory is full
// already (search/fingerprint_step.hpp): how large the table can be is known then.
//
// The line in which a fingerprint stands tells some of its bits: a line is for an interval of them, so the lower 51
// bits are enough to know one again if there are 2^13 lines or more. Where the line is full, the fingerprint is mixed,
// which can be undone, and stands where the outcome belongs, and so on. (One line after the other is not enough: they
// fill up in clusters, and when nine tenths are full some of these have more than a hundred lines.)
//
// That leaves 13 bits of a slot: how often it was mixed, the level of the breadth-first search at which it was found,
// modulo 63, and a mark. By levels a run to a state is found again (search/path_by_labels.hpp), as there are neither
// states nor parents.
#pragma once

#include <algorithm>
#include <atomic>

#include "store/fingerprint_store.hpp"
#include "support/virtual_array.hpp"

namespace fathom {

class PackedFingerprints {
 public:
  static constexpr bool exact = false;
  static constexpr bool keeps_states = false;
  static constexpr bool known_ids = false;
  static constexpr std::uint64_t line_bytes = 64;
  static constexpr std::uint64_t least_bytes = line_bytes << 13;

  explicit PackedFingerprints(std::uint64_t bytes)
      : lines_(std::max(bytes, least_bytes) / line_bytes), slots_(lines_ * line_slots) {}

  // How many states there is room for in so many bytes.
  static std::uint64_t capacity_of(std::uint64_t bytes) { return bytes / line_bytes * line_slots / 10 * 9; }

  [[nodiscard]] Hash hash(StateView state) const { return fingerprint_of(state); }
  [[gnu::always_inline]] void prefetch(Hash hash) const { __builtin_prefetch(&slots_[home_of(hash) * line_slots], 1); }
  [[nodiscard]] bool reserve(std::uint64_t extra, Team* = nullptr) const { return extra <= room(); }
  [[nodiscard]] std::uint64_t room() const {
    const std::uint64_t most = overflowed() ? 0 : capacity_of(bytes());
    return most > size() ? most - size() : 0;
  }
  // States that are inserted from here on belong to this level.
  void set_level(std::uint64_t level) { label_ = label_of(level); }
  Inserted insert(StateView state, Hash hash) {
    return insert(state, hash, [this] { return size_++; });
  }
  template <class NextIndex>
  Inserted insert(StateView, Hash hash, NextIndex next_index);
  // States that are known in full, each with its level modulo distinct_levels. The memory of the fingerprints is given
  // back on the way, and both arrays are of no use afterwards.
  static constexpr std::uint64_t distinct_levels = 63;
  void insert_all_known(const VirtualArray<Hash>& fingerprints, const VirtualArray<std::uint8_t>& levels,
                        std::uint64_t count);
  void move(StateId, StateId) {}  // nothing here knows a number
  void set_size(std::uint64_t count) { size_ = count; }

  // A place for a fingerprint was looked for and not found, which is next to impossible before the table is full: from
  // then on it has no room, and the search is not complete.
  [[nodiscard]] bool overflowed() const { return overflowed_.load(std::memory_order_relaxed); }

  // Whether there is a state of this level with this fingerprint that was not visited yet; now it is.
  bool visit(Hash hash, std::uint64_t level);

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::uint64_t bytes() const { return lines_ * line_bytes; }
  // States that were known before were told apart in full.
  void begin_losing() { exactly_known_ = size_; }
  [[nodiscard]] double omission_probability() const {
    const auto all = static_cast<double>(size()), exactly = static_cast<double>(exactly_known_);
    return std::min(1.0, (all - exactly) * (all + exactly) / 0x1p65);
  }

 private:
  using Slot = std::uint64_t;
  static constexpr std::uint64_t line_slots = line_bytes / sizeof(Slot);
  static constexpr std::uint64_t most_tries = 64;
  // From the lowest bit on: the label, never 0, so that a slot that is taken is not 0 either; the mark; the try.
  static constexpr Slot label_mask = 0x3f;
  static constexpr Slot mark = 0x40;
  static constexpr std::uint32_t try_shift = 7, fingerprint_shift = 13;

  static_assert(distinct_levels == label_mask);
  static Slot label_of(std::uint64_t level) { return level % distinct_levels + 1; }
  [[nodiscard]] std::uint64_t home_of(Hash hash) const {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(hash) * lines_) >> 64);
  }
  static bool same_fingerprint(Slot a, Slot b) { return ((a ^ b) >> try_shift) == 0; }

  // Calls test(slot, entry) for the places of a fingerprint, one after the other, until it says that it has found what
  // it looks for; entry is what belongs there, without label and mark.
  template <class Test>
  bool find_place(Hash hash, std::uint64_t most, const Test& test) {
    for (std::uint64_t tries = 0; tries < most; ++tries, hash = mix_bijective(hash)) {
      const Slot entry = hash << fingerprint_shift | tries << try_shift;
      Slot* const line = &slots_[home_of(hash) * line_slots];
      for (std::uint64_t k = 0; k < line_slots; ++k)
        if (test(line[k], entry)) return true;
    }
    return false;
  }
  struct Entered {
    bool has_place, fresh;
  };
  Entered enter(Hash hash, Slot label, std::uint64_t most);

  std::uint64_t lines_;
  VirtualArray<Slot> slots_;
  Slot label_ = label_of(0);
  std::uint64_t size_ = 0;
  std::uint64_t exactly_known_ = 0;
  std::atomic<bool> overflowed_ = false;
};

inline PackedFingerprints::Entered PackedFingerprints::enter(Hash hash, Slot label, std::uint64_t most) {
  bool fresh = false;
  const bool has_place = find_place(hash, most, [&](Slot& slot, Slot entry) {
    Slot seen = std::atomic_ref(slot).load(std::memory_order_relaxed);
    fresh = claim(slot, seen, entry | label, std::memory_order_relaxed);
    return fresh || same_fingerprint(seen, entry);
  });
  return {has_place, fresh};
}

template <class NextIndex>
Inserted PackedFingerprints::insert(StateView, Hash hash, NextIndex next_index) {
  const auto [has_place, fresh] = enter(hash, label_, most_tries);
  if (!has_place) overflowed_.store(true, std::memory_order_relaxed);
  return fresh ? Inserted{StateId{next_index()}, true} : Inserted{StateId{}, false};
}

inline bool PackedFingerprints::visit(Hash hash, std::uint64_t level) {
  bool is_new = false;
  find_place(hash, most_tries, [&](Slot& slot, Slot entry) {
    if (slot == 0 || !same_fingerprint(slot, entry)) return slot == 0;
    is_new = (slot & (mark | label_mask)) == label_of(level);
    if (is_new) slot |= mark;
    return true;
  });
  return is_new;
}

static_assert(SharedStore<PackedFingerprints>);

}  // namespace fathom
