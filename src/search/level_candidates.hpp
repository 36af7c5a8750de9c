// The distinct states that a level could be made of, with their hashes. They live for one level, so the table starts
// anew each time, as large as the last level needed it, and grows with the level; nothing is given back in between.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "model/model.hpp"
#include "support/hash.hpp"
#include "support/plain_list.hpp"

namespace fathom {

class LevelCandidates {
 public:
  explicit LevelCandidates(std::uint32_t words) : words_(words) { clear(); }

  void clear() {
    const std::uint64_t last = hashes_.size();
    states_.clear();
    hashes_.clear();
    resize_table(std::max<std::uint64_t>(64, std::bit_ceil(2 * last + 1)));
  }

  // What add() will read is asked for: a slot first, and later the state that it may lead to.
  [[gnu::always_inline]] void prefetch(Hash hash) const { __builtin_prefetch(&slots_[place(hash)]); }
  [[gnu::always_inline]] void approach(Hash hash) const {
    const std::uint32_t slot = slots_[place(hash)];
    if (slot == 0) return;
    __builtin_prefetch(&hashes_[slot - 1]);
    __builtin_prefetch(words(slot - 1));
  }

  struct Added {
    std::uint32_t number;
    bool fresh;
  };
  Added add(const std::uint64_t* state, Hash hash) {
    if (hashes_.size() * 2 >= mask_ + 1) resize_table((mask_ + 1) * 4);
    std::uint64_t slot = place(hash);
    for (; slots_[slot] != 0; slot = (slot + 1) & mask_) {
      const std::uint32_t known = slots_[slot] - 1;
      if (hashes_[known] == hash && same_words(words(known), state, words_)) return {known, false};
    }
    hashes_.push_back(hash);
    states_.append({state, words_});
    slots_[slot] = static_cast<std::uint32_t>(hashes_.size());
    return {slots_[slot] - 1, true};
  }

  // Forgets all but these, which ascend.
  void keep(std::span<const std::uint32_t> kept) {
    for (std::size_t k = 0; k < kept.size(); ++k) {
      hashes_[k] = hashes_[kept[k]];
      std::copy_n(words(kept[k]), words_, states_.data() + k * words_);
    }
    hashes_.resize(kept.size());
    states_.resize(kept.size() * words_);
    resize_table(mask_ + 1);
  }

  [[nodiscard]] std::size_t size() const { return hashes_.size(); }
  [[nodiscard]] std::span<const Hash> hashes() const { return hashes_; }
  [[nodiscard]] StateView state(std::uint32_t number) const { return {words(number), words_}; }
  [[nodiscard]] std::uint64_t bytes() const { return states_.bytes() + hashes_.bytes() + slots_.bytes(); }

 private:
  [[nodiscard]] const std::uint64_t* words(std::uint32_t number) const {
    return states_.data() + std::size_t{number} * words_;
  }
  // The low bits of a hash choose the slot in the store; others choose it here.
  [[nodiscard]] std::uint64_t place(Hash hash) const { return (hash * 0x9e3779b97f4a7c15 >> 32) & mask_; }

  void resize_table(std::uint64_t slots) {
    mask_ = slots - 1;
    if (slots_.size() < slots) slots_.release();
    slots_.resize(std::max<std::uint64_t>(slots_.size(), slots));
    std::fill_n(slots_.begin(), slots, 0U);
    for (std::uint32_t k = 0; k < hashes_.size(); ++k) {
      std::uint64_t slot = place(hashes_[k]);
      while (slots_[slot] != 0) slot = (slot + 1) & mask_;
      slots_[slot] = k + 1;
    }
  }

  std::uint32_t words_;
  std::uint64_t mask_ = 0;
  PlainList<std::uint64_t> states_;
  PlainList<Hash> hashes_;
  PlainList<std::uint32_t> slots_;  // number + 1; 0: empty
};

}  // namespace fathom
