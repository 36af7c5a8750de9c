#include "heuristic/agent_shares.hpp"

namespace fathom {

bool AgentShares::offer(const AbstractionTable& table, std::size_t number, const std::vector<std::uint32_t>& agents) {
  bool some = false;
  for (const std::uint32_t agent : agents) {
    const std::uint64_t sum = sum_at_samples(table, agent);
    if (sum <= best_[agent]) continue;
    best_[agent] = sum;
    table_of_[agent] = number;
    some = true;
  }
  return some;
}

std::vector<bool> AgentShares::counted_by(std::size_t number) const {
  std::vector<bool> result;
  for (const std::size_t table : table_of_) result.push_back(table == number);
  return result;
}

// Where nothing can be reached it does not matter who counts.
std::uint64_t AgentShares::sum_at_samples(const AbstractionTable& table, std::uint32_t agent) const {
  std::vector<bool> only(best_.size());
  only[agent] = true;
  const AbstractionTable::Distances distances = table.counting(only);
  std::uint64_t sum = 0;
  for (const StateBuffer& sample : samples_)
    if (const std::uint32_t number = table.number_of(sample);
        number != KeyNumbers::none && distances[number] != AbstractionTable::never)
      sum += distances[number];
  return sum;
}

}  // namespace fathom
