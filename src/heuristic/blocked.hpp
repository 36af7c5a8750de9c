// Towards deadlocks: the fewer agents can move, the nearer (Edelkamp, Leue, Lluch-Lafuente: Directed explicit-state
// model checking in the validation of communication protocols, STTT 2004, count the active processes; Groce, Visser,
// 2002, prefer states in which most threads are blocked). Neither estimates a distance, so neither promises anything.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "heuristic/evaluator.hpp"
#include "ir/program.hpp"

namespace fathom {

// Where a process may end, so that it is not stuck there.
struct ProcessEnds {
  const ir::Variable* location = nullptr;  // null: it is stuck wherever it cannot move
  std::vector<bool> may_end;               // by the code of the location; code 0: it is not there
};

// By component, from what the valid_end property says of it.
std::vector<ProcessEnds> process_ends(const ir::Program& program);

class Blocked final : public Evaluator {
 public:
  // Agents are numbered from 1; 0 is nobody. A step belongs to one or two of them.
  using OwnersOf = std::function<std::pair<std::uint32_t, std::uint32_t>(InstanceId step)>;

  // Counts the agents that can move; or, with `ends`, all but those that are stuck: agent k + 1 is process k there.
  Blocked(std::uint32_t agents, OwnersOf owners, std::vector<ProcessEnds> ends = {})
      : owners_(std::move(owners)), ends_(std::move(ends)), seen_(agents, 0) {}

  [[nodiscard]] bool wants_enabled() const override { return true; }
  [[nodiscard]] Cost estimate(StateView state, const Batch& enabled) override;

 private:
  [[nodiscard]] bool may_rest(std::size_t process, StateView state) const;

  OwnersOf owners_;
  std::vector<ProcessEnds> ends_;
  std::vector<std::uint64_t> seen_;  // by agent: the last call in which it could move
  std::uint64_t call_ = 0;
};

}  // namespace fathom
