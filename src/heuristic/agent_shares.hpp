// Of several tables that may all count the steps of an agent, and of which only one may: the one that says most about
// what the agent still has to do, at states that searches come along.
#pragma once

#include <vector>

#include "heuristic/abstraction_table.hpp"

namespace fathom {

class AgentShares {
 public:
  // The samples must outlive this.
  AgentShares(std::size_t agents, const std::vector<StateBuffer>& samples)
      : samples_(samples), best_(agents), table_of_(agents, no_table) {}

  // Gives the table with this number the agents of which it says more than others. Whether there are any.
  bool offer(const AbstractionTable& table, std::size_t number, const std::vector<std::uint32_t>& agents);
  // Per agent.
  [[nodiscard]] std::vector<bool> counted_by(std::size_t number) const;

 private:
  static constexpr std::size_t no_table = SIZE_MAX;

  [[nodiscard]] std::uint64_t sum_at_samples(const AbstractionTable& table, std::uint32_t agent) const;

  const std::vector<StateBuffer>& samples_;
  std::vector<std::uint64_t> best_;
  std::vector<std::size_t> table_of_;
};

}  // namespace fathom
