// The evaluator that looks distances up in abstraction databases. What a search may report is divided into aims, such
// as one pair of processes that must not be somewhere together, and each has a table for a pattern of cells (Edelkamp:
// Planning with pattern databases, 2001). The nearest aim counts.
//
// A deadlock is an aim for each agent and for each few that wait for each other (deadlock_agents.hpp), which all have
// to be reached: there is a table for each of them, and the one that says most counts, or all together. Added up, the
// steps of an agent may count in one table only (additive pattern databases: Korf, Felner, 2002; Yang et al., JAIR
// 2008), which is the one that says most about it (agent_shares.hpp).
//
// A pattern begins with the cells an aim reads and grows by those it lacks (pattern_choice.hpp), as long as the tables
// stay within the size and the time (aim_tables.hpp) and do not lead straight to a violation (straight_way.hpp). If
// they never do, what is left of both limits is for the pattern of all variables (whole_table.hpp): the refinement goes
// on until it is decided, or there is no room.
//
// If an aim has a complete table in which no violation can be reached, it is proven to be out of reach: then states are
// dead ends, and a search may end at once. That is sound for what is listed in may_steps.hpp and nothing else, so that
// it is not said where covers or liveness are looked for as well.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "heuristic/aim_tables.hpp"
#include "heuristic/evaluator.hpp"
#include "heuristic/whole_table.hpp"

namespace fathom {

struct AbstractionChoice {
  std::vector<std::string> variables;  // names, as traces show them, with everything below them; none: automatic
  std::vector<std::string> processes;
  std::size_t size = 0;          // of all tables together, in states
  double seconds = 0;            // to make them
  std::vector<Cost> costs = {};  // per edge; none: one each
  // Of a search that looks at one state of several that are alike: maps a state to it, in place.
  WholeTable::Canonicalise canonicalise = {};
  const Executor* executor = nullptr;             // whose native code can be used; null: the model is interpreted
  std::uint64_t bytes = std::uint64_t{1} << 30U;  // of the table of all variables
};

class Abstraction final : public Evaluator {
 public:
  Abstraction(const Goals& goals, std::unique_ptr<ModelFacts> facts, const AbstractionChoice& choice);

  [[nodiscard]] Promise promise() const override { return {is_useful(), is_useful() && !symmetric_}; }
  [[nodiscard]] std::string about() const override;
  [[nodiscard]] bool in_costs() const override { return in_costs_; }
  [[nodiscard]] Cost estimate(StateView state, const Batch&) override;
  // Why it has nothing to go by; "" if it has.
  [[nodiscard]] const std::string& complaint() const { return complaint_; }
  // How many tables of patterns there are, and states in them.
  [[nodiscard]] std::size_t tables() const;
  [[nodiscard]] std::size_t states() const;
  // The table of all variables; null where there is none.
  [[nodiscard]] const WholeTable* whole() const { return whole_.get(); }

 private:
  void make_groups(const AbstractionChoice& choice, const TableLimits& limits);
  void add_whole(const AbstractionChoice& choice, Executor& executor, ThreadClock::time_point deadline);
  [[nodiscard]] bool is_useful() const { return followed_ || whole_ != nullptr; }
  [[nodiscard]] std::uint32_t nearest(StateView state) const;

  const Goals goals_;
  std::unique_ptr<ModelFacts> facts_;
  MaySteps steps_;
  std::vector<AimTables> groups_;
  std::unique_ptr<WholeTable> whole_;
  std::uint32_t at_start_ = AbstractionTable::never;
  bool followed_ = true;  // there are tables of patterns, for what was not proven to be out of reach
  bool proves_ = true;
  const bool in_costs_;
  const bool symmetric_;
  std::string complaint_;
};

}  // namespace fathom
