// Stores that keep less than a fingerprint of each state: a few bits in a table of fixed size. How large that should be
// is not known at the beginning, and such a table cannot grow, because what it keeps of a state does not say where it
// belongs in a larger one. So it begins with whole fingerprints, which can be moved, and changes over when these take
// an eighth of the memory: small models lose nothing, and large ones get a table as large as the memory allows.
//
// `Table` is that of fixed size: compact_table.hpp, bit_table.hpp.
#pragma once

#include <xxhash.h>

#include <algorithm>
#include <optional>

#include "store/store.hpp"
#include "support/virtual_array.hpp"

namespace fathom {

template <class Table>
class LossyStore {
 public:
  static constexpr bool exact = false;
  static constexpr bool keeps_states = false;
  static constexpr bool known_ids = false;

  // `parameter` is what the table wants to know: how many bits.
  LossyStore(std::uint64_t memory_limit, std::uint32_t parameter)
      : memory_limit_(memory_limit), parameter_(parameter), slots_(most_slots()) {}

  [[nodiscard]] Hash hash(StateView state) const {
    const Hash fingerprint = XXH3_64bits(state.data(), state.size_bytes());
    return fingerprint == 0 ? 1 : fingerprint;  // 0 is an empty slot
  }
  [[gnu::always_inline]] void prefetch(Hash hash) const {
    if (table_)
      table_->prefetch(hash);
    else
      __builtin_prefetch(&slots_[Probe(mixed(hash), slot_count_).slot()], 1);
  }
  [[nodiscard]] bool reserve(std::uint64_t extra) {
    while (!table_ && usual_pace.too_full(size_ + extra, slot_count_))
      if (!grow()) change_over();
    return !table_ || table_->has_room(extra);
  }
  Inserted insert(StateView, Hash hash) {
    const bool fresh = table_ ? table_->insert(hash) : insert_fingerprint(hash);
    return {StateId{fresh ? size_++ : size_}, fresh};
  }

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::uint64_t bytes() const { return table_ ? table_->bytes() : slot_count_ * sizeof(Hash); }
  // How many states were taken for others, about.
  [[nodiscard]] double expected_omissions() const {
    const auto whole = static_cast<double>(table_ ? changed_at_ : size_);
    return whole * whole / 0x1p65 + (table_ ? table_->expected_omissions() : 0);
  }
  [[nodiscard]] double omission_probability() const { return std::min(1.0, expected_omissions()); }

 private:
  static Hash mixed(Hash fingerprint) { return hash_words(&fingerprint, 1); }
  [[nodiscard]] std::uint64_t most_slots() const {
    return std::max(std::min(memory_limit_, std::uint64_t{1} << 42) / 8 / sizeof(Hash), slot_count_);
  }

  bool insert_fingerprint(Hash hash) {
    for (Probe probe(mixed(hash), slot_count_);; probe.next()) {
      Hash& slot = slots_[probe.slot()];
      if (slot == hash) return false;
      if (slot != 0) continue;
      slot = hash;
      return true;
    }
  }

  bool grow() {
    const std::uint64_t slots = usual_pace.next_size(slot_count_);
    if (slots > most_slots() || slots > slots_.capacity()) return false;
    VirtualArray<Hash> larger(most_slots());
    std::swap(larger, slots_);
    const std::uint64_t before = std::exchange(slot_count_, slots);
    for (std::uint64_t k = 0; k < before; ++k)
      if (larger[k] != 0) insert_fingerprint(larger[k]);
    return true;
  }

  void change_over() {
    table_.emplace(memory_limit_ / 8 * 5, parameter_);
    for (std::uint64_t k = 0; k < slot_count_; ++k)
      if (slots_[k] != 0) table_->insert_known_to_be_new(slots_[k]);
    changed_at_ = size_;
    slots_ = VirtualArray<Hash>();
  }

  std::uint64_t memory_limit_;
  std::uint32_t parameter_;
  std::uint64_t slot_count_ = std::uint64_t{1} << 10;
  VirtualArray<Hash> slots_;
  std::optional<Table> table_;
  std::uint64_t size_ = 0;
  std::uint64_t changed_at_ = 0;
};

}  // namespace fathom
