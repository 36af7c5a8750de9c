// Symmetry reduction of states together with an agent, for searches that remember who moves: the agent is an element of
// a scalarset and is renamed with the others.
//
// Agents are numbered like the codes of their type: agent k is its k-th value, and 0 is no value at all.
#pragma once

#include <cstdint>
#include <vector>

#include "reduction/symmetry.hpp"

namespace fathom {

class AgentSymmetry {
 public:
  // `states` makes the representatives of states and permutes the sets `permuted`.
  AgentSymmetry(Symmetry& states, const ir::Program& program, const std::vector<const ir::Type*>& permuted,
                const ir::Type& agents);

  // Replaces the state by its representative; returns the number that the agent has there.
  std::uint32_t canonicalise(std::uint64_t* state, std::uint32_t agent);

  // Whether a permutation that leaves the state as it is maps one agent to the other. We compare the representatives of
  // the two pairs, each a state with one more variable that holds the agent: they are equal exactly for such agents.
  // The one of the first pair is kept, since one agent is compared with many.
  [[nodiscard]] bool is_alike(const std::uint64_t* state, std::uint32_t agent, std::uint32_t other);

 private:
  void make_pair(const std::uint64_t* state, std::uint32_t agent, std::vector<std::uint64_t>& pair);

  Symmetry& states_;
  const ir::Type& agents_;
  std::uint32_t state_words_;
  std::uint32_t state_bits_;
  Symmetry pairs_;
  std::vector<std::uint64_t> first_state_;  // of the pair whose representative is first_
  std::uint32_t first_agent_ = 0;
  std::vector<std::uint64_t> first_, second_;
};

}  // namespace fathom
