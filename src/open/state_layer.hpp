// A set of states in full that is soon forgotten again: one level of a search that keeps only a few. States have
// numbers in the order in which they came.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "model/model.hpp"
#include "support/hash.hpp"
#include "support/plain_list.hpp"

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
    if (slots_for(hashes_.size() + 1) > slots_.size()) grow();
    const Hash hash = hash_words(state.data(), words_);
    Number& slot = slots_[place_of(state, hash)];
    if (slot != 0) return {slot - 1, false};
    states_.append(state);
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
  // A larger table of slots is counted before it is taken: a search asks only now and then.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_with(hashes_.size() / 16); }
  // The same with so many more states.
  [[nodiscard]] std::uint64_t bytes_with(std::uint64_t more) const {
    const std::uint64_t states = hashes_.size() + more;
    return std::max(states_.bytes(), states * words_ * sizeof(std::uint64_t)) +
           std::max(hashes_.bytes(), states * sizeof(Hash)) + slots_for(states) * sizeof(Number);
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

  [[nodiscard]] static std::size_t slots_for(std::size_t states) {
    return states == 0 ? 0 : std::max<std::size_t>(16, std::bit_ceil(2 * states));
  }

  void grow() {
    slots_.release();
    slots_.resize(slots_for(hashes_.size() + 1));
    const std::size_t mask = slots_.size() - 1;
    for (Number number = 0; number < hashes_.size(); ++number) {
      std::size_t place = hashes_[number] & mask;
      while (slots_[place] != 0) place = (place + 1) & mask;
      slots_[place] = number + 1;
    }
  }

  std::uint32_t words_;
  PlainList<std::uint64_t> states_;
  PlainList<Hash> hashes_;
  PlainList<Number> slots_;  // number + 1; 0: empty
};

}  // namespace fathom
