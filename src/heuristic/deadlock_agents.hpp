// A deadlock, divided into aims. In a deadlock nobody can move, so that some agents cannot is an aim, whichever they
// are, and the way to the deadlock is a way to all these aims. An agent is a process, or the rules with the same first
// parameter.
//
// Agents that wait for each other have to be looked at together, with the cells that nobody else writes: who looks at
// one of them alone does not see that what blocks it cannot stay so, since the one who did it can move (a window).
#pragma once

#include <cstdint>
#include <vector>

#include "heuristic/may_steps.hpp"

namespace fathom {

class DeadlockAgents {
 public:
  using Set = std::vector<std::uint32_t>;  // agents, in order

  // `moves`: per instance, whether it is possible at the start.
  DeadlockAgents(const ir::Program& program, const ModelFacts& facts, const MaySteps& steps, std::vector<bool> moves);

  [[nodiscard]] std::size_t size() const { return agents_.size(); }
  // Per instance.
  [[nodiscard]] const std::vector<std::uint32_t>& owners() const { return owners_; }
  [[nodiscard]] std::vector<std::uint32_t> instances_of(const Set& set) const;
  // An agent and some of those that write what it waits for: otherwise it would be enough that one of them is busy.
  [[nodiscard]] Set with_neighbours(std::uint32_t agent) const;
  // Cells that tell whether an agent is blocked, and of these the fewest that keep it from being so at the start.
  [[nodiscard]] BitSet seeds_of(std::uint32_t agent) const;
  [[nodiscard]] BitSet few_seeds_of(std::uint32_t agent) const;

  // Agents that hang together, some sets for each of them.
  [[nodiscard]] std::vector<Set> windows() const;
  // The sets with one agent less that still hang together.
  [[nodiscard]] std::vector<Set> parts_of(const Set& window) const;
  // What its agents wait for and nobody else writes.
  [[nodiscard]] BitSet cells_of(const Set& window) const;

 private:
  struct Agent {
    std::vector<std::uint32_t> instances;
    BitSet waits_for;
    BitSet writes;
    BitSet location = {};  // of a process
  };

  [[nodiscard]] const Action& action_of(std::uint32_t instance) const;
  [[nodiscard]] bool are_neighbours(std::uint32_t a, std::uint32_t b) const;
  [[nodiscard]] bool hangs_together(const Set& set) const;
  [[nodiscard]] std::vector<Set> extended(const std::vector<Set>& sets, std::size_t most) const;

  const ModelFacts& facts_;
  const MaySteps& steps_;
  const std::vector<bool> moves_;
  std::vector<Agent> agents_;
  std::vector<std::uint32_t> owners_;
};

}  // namespace fathom
