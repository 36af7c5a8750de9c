// A set of states in full that is soon forgotten again: one level of a search that keeps only a few. States have
// numbers in the order in which they came.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/model.hpp"
#include "support/hash.hpp"

namespace fathom {

class StateLayer {
 public:
  static constexpr bool exact = true;
  using Number = std::uint32_t;
  struct Inserted {
    Number number;
    bool fresh;
  };

  explicit StateLayer(std::uint32_t words) : words_(words) {}

  Inserted insert(StateView state) {
    if (2 * (hashes_.size() + 1) > slots_.size()) grow();
    const Hash hash = hash_words(state.data(), words_);
    Number& slot = slots_[place_of(state, hash)];
    if (slot != 0) return {slot - 1, false};
    states_.insert(states_.end(), state.begin(), state.end());
    hashes_.push_back(hash);
    slot = static_cast<Number>(hashes_.size());
    return {slot - 1, true};
  }

  [[nodiscard]] std::optional<Number> find(StateView state) const {
    if (hashes_.empty()) return std::nullopt;
    const Number slot = slots_[place_of(state, hash_words(state.data(), words_))];
    return slot == 0 ? std::nullopt : std::optional<Number>(slot - 1);
  }

  [[nodiscard]] Number size() const { return static_cast<Number>(hashes_.size()); }
  [[nodiscard]] bool empty() const { return hashes_.empty(); }
  [[nodiscard]] StateView state(Number number) const { return {&states_[std::size_t{number} * words_], words_}; }
  [[nodiscard]] Hash hash(Number number) const { return hashes_[number]; }
  [[nodiscard]] std::uint64_t bytes() const {
    return states_.size() * sizeof(std::uint64_t) + hashes_.size() * sizeof(Hash) + slots_.size() * sizeof(Number);
  }

  void clear() {
    states_.clear();
    hashes_.clear();
    std::ranges::fill(slots_, 0);
  }

 private:
  [[nodiscard]] std::size_t place_of(StateView state, Hash hash) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t place = hash & mask;; place = (place + 1) & mask) {
      const Number slot = slots_[place];
      if (slot == 0) return place;
      if (hashes_[slot - 1] == hash && same_words(&states_[std::size_t{slot - 1} * words_], state.data(), words_))
        return place;
    }
  }

  void grow() {
    slots_.assign(std::max<std::size_t>(16, 2 * slots_.size()), 0);
    const std::size_t mask = slots_.size() - 1;
    for (Number number = 0; number < hashes_.size(); ++number) {
      std::size_t place = hashes_[number] & mask;
      while (slots_[place] != 0) place = (place + 1) & mask;
      slots_[place] = number + 1;
    }
  }

  std::uint32_t words_;
  std::vector<std::uint64_t> states_;
  std::vector<Hash> hashes_;
  std::vector<Number> slots_;  // number + 1; 0: empty
};

}  // namespace fathom
