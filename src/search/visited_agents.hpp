// Which agents have run at which states: a row of bits per state, in the order of their numbers. One more bit says that
// the state waits, or has waited, for the turns of all its agents.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "search/guidance.hpp"
#include "store/store.hpp"

namespace fathom {

class VisitedAgents {
 public:
  explicit VisitedAgents(Agent agents) : agents_(agents), stride_((agents + 1 + 7) / 8) {}

  void add() { bits_.resize(bits_.size() + stride_); }

  [[nodiscard]] bool has(StateId id, Agent agent) const { return get(id, agent + 1); }
  [[nodiscard]] bool has_any(StateId id) const {
    const std::uint8_t* const row = &bits_[index_of(id) * stride_];
    return (row[0] & ~1U) != 0 || std::any_of(row + 1, row + stride_, [](std::uint8_t byte) { return byte != 0; });
  }
  void set(StateId id, Agent agent) { put(id, agent + 1); }
  void set_all(StateId id) {
    for (Agent agent = 0; agent < agents_; ++agent) put(id, agent + 1);
  }
  [[nodiscard]] bool waits(StateId id) const { return get(id, 0); }
  void set_waits(StateId id) { put(id, 0); }

  [[nodiscard]] std::uint64_t bytes() const { return bits_.size(); }

 private:
  [[nodiscard]] bool get(StateId id, std::uint32_t bit) const {
    return (bits_[index_of(id) * stride_ + bit / 8] >> (bit % 8) & 1) != 0;
  }
  void put(StateId id, std::uint32_t bit) {
    bits_[index_of(id) * stride_ + bit / 8] |= static_cast<std::uint8_t>(1U << (bit % 8));
  }

  Agent agents_;
  std::size_t stride_;
  std::vector<std::uint8_t> bits_;
};

}  // namespace fathom
