// States that wait for a search, in a row: their numbers, and their words where the store does not keep them.
#pragma once

#include <vector>

#include "store/store.hpp"

namespace fathom {

template <StateSet S>
class WaitingStates {
 public:
  explicit WaitingStates(std::uint32_t words) : width_(words) {}

  void push(StateId id, StateView state) {
    ids_.push_back(id);
    if constexpr (!S::keeps_states) words_.insert(words_.end(), state.begin(), state.end());
  }
  void put_in_front(const WaitingStates& first) {
    ids_.insert(ids_.begin(), first.ids_.begin(), first.ids_.end());
    words_.insert(words_.begin(), first.words_.begin(), first.words_.end());
  }
  void append(const WaitingStates& more) {
    ids_.insert(ids_.end(), more.ids_.begin(), more.ids_.end());
    words_.insert(words_.end(), more.words_.begin(), more.words_.end());
  }
  void clear() {
    ids_.clear();
    words_.clear();
  }
  void swap(WaitingStates& other) {
    ids_.swap(other.ids_);
    words_.swap(other.words_);
  }

  [[nodiscard]] bool empty() const { return ids_.empty(); }
  [[nodiscard]] std::size_t size() const { return ids_.size(); }
  [[nodiscard]] StateId id(std::size_t k) const { return ids_[k]; }
  // Valid until something is added here.
  [[nodiscard]] StateView state(std::size_t k, const S& store) const {
    if constexpr (S::keeps_states)
      return store.state(ids_[k]);
    else
      return {&words_[k * width_], width_};
  }
  [[nodiscard]] std::uint64_t bytes() const {
    return ids_.size() * sizeof(StateId) + words_.size() * sizeof(std::uint64_t);
  }

 private:
  std::uint32_t width_;
  std::vector<StateId> ids_;
  std::vector<std::uint64_t> words_;
};

}  // namespace fathom
