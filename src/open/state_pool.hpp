// States that wait in an open list, in full, for a search whose store does not keep them. A place that becomes free is
// used again.
#pragma once

#include <cstdint>

#include "model/model.hpp"
#include "support/plain_list.hpp"

namespace fathom {

class StatePool {
 public:
  using Place = std::uint32_t;

  explicit StatePool(std::uint32_t words) : words_(words) {}

  Place put(StateView state) {
    if (free_.empty()) {
      states_.append(state);
      return places_++;
    }
    const Place place = free_.back();
    free_.pop_back();
    std::copy(state.begin(), state.end(), states_.begin() + offset(place));
    return place;
  }

  void take(Place place, StateBuffer& state) {
    state.assign(states_.begin() + offset(place), states_.begin() + offset(place) + words_);
    free_.push_back(place);
  }

  void release(Place place) { free_.push_back(place); }

  [[nodiscard]] std::uint64_t bytes() const { return states_.bytes() + free_.bytes(); }

 private:
  [[nodiscard]] std::ptrdiff_t offset(Place place) const { return static_cast<std::ptrdiff_t>(place) * words_; }

  std::uint32_t words_;
  Place places_ = 0;
  PlainList<std::uint64_t> states_;
  PlainList<Place> free_;
};

}  // namespace fathom
