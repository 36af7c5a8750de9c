// Which agents have run at which states: a row of bits per state, in the order of their numbers. One more bit says that
// the state waits, or has waited, for the turns of all its agents. Under a depth bound the number of steps after which
// that was so counts as well: from a shorter path there is more to be seen.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "search/guidance.hpp"
#include "store/store.hpp"
#include "support/plain_list.hpp"

namespace fathom {

class VisitedAgents {
 public:
  VisitedAgents(Agent agents, bool counts_steps)
      : agents_(agents), stride_((agents + 1 + 7) / 8), counts_steps_(counts_steps) {}

  void add() {
    bits_.resize(bits_.size() + stride_);
    if (counts_steps_) steps_.resize(steps_.size() + agents_ + 1);
  }

  // Whether the agent has run at the state after so many steps or fewer; without a depth bound, at all.
  [[nodiscard]] bool has(StateId id, Agent agent, std::uint64_t steps) const { return get(id, agent + 1, steps); }
  [[nodiscard]] bool has_any(StateId id, std::uint64_t steps) const {
    if (!counts_steps_) return has_ever_any(id);
    for (Agent agent = 0; agent < agents_; ++agent)
      if (has(id, agent, steps)) return true;
    return false;
  }
  // Whether it has, after any number of steps.
  [[nodiscard]] bool has_ever(StateId id, Agent agent) const { return get(id, agent + 1); }
  [[nodiscard]] bool has_ever_any(StateId id) const {
    const std::uint8_t* const row = &bits_[index_of(id) * stride_];
    return (row[0] & ~1U) != 0 || std::any_of(row + 1, row + stride_, [](std::uint8_t byte) { return byte != 0; });
  }
  void set(StateId id, Agent agent, std::uint64_t steps) { put(id, agent + 1, steps); }
  void set_all(StateId id, std::uint64_t steps) {
    for (Agent agent = 0; agent < agents_; ++agent) put(id, agent + 1, steps);
  }
  [[nodiscard]] bool waits(StateId id, std::uint64_t steps) const { return get(id, 0, steps); }
  [[nodiscard]] bool has_ever_waited(StateId id) const { return get(id, 0); }
  void set_waits(StateId id, std::uint64_t steps) { put(id, 0, steps); }

  [[nodiscard]] std::uint64_t bytes() const { return bits_.size() + steps_.size() * sizeof(std::uint32_t); }

 private:
  [[nodiscard]] bool get(StateId id, std::uint32_t bit) const {
    return (bits_[index_of(id) * stride_ + bit / 8] >> (bit % 8) & 1) != 0;
  }
  [[nodiscard]] bool get(StateId id, std::uint32_t bit, std::uint64_t steps) const {
    return get(id, bit) && (!counts_steps_ || steps_[index_of(id) * (agents_ + 1) + bit] <= steps);
  }
  void put(StateId id, std::uint32_t bit, std::uint64_t steps) {
    bits_[index_of(id) * stride_ + bit / 8] |= static_cast<std::uint8_t>(1U << (bit % 8));
    if (counts_steps_) steps_[index_of(id) * (agents_ + 1) + bit] = static_cast<std::uint32_t>(steps);
  }

  Agent agents_;
  std::size_t stride_;
  bool counts_steps_;
  PlainList<std::uint8_t> bits_;
  PlainList<std::uint32_t> steps_;  // of the bits that are set; empty without a depth bound
};

}  // namespace fathom
