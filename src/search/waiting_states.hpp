// States that wait for a search, in a row: their numbers, and their words where the store does not keep them.
#pragma once

#include <vector>

#include "store/store.hpp"
#include "support/plain_list.hpp"

namespace fathom {

template <StateSet S>
class WaitingStates {
 public:
  explicit WaitingStates(std::uint32_t words) : width_(words) {}

  void push(StateId id, StateView state) {
    ids_.push_back(id);
    if constexpr (!S::keeps_states) words_.append(state);
  }
  void put_in_front(const WaitingStates& first) {
    ids_.prepend(first.ids_);
    words_.prepend(first.words_);
  }
  void append(const WaitingStates& more) {
    ids_.append(more.ids_);
    words_.append(more.words_);
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
  [[nodiscard]] std::uint64_t bytes() const { return ids_.bytes() + words_.size() * sizeof(std::uint64_t); }

 private:
  std::uint32_t width_;
  PlainList<StateId> ids_;
  PlainList<std::uint64_t> words_;
};

}  // namespace fathom
