// Which cells a pattern consists of, and the table that comes of it: see abstraction.hpp.
//
// A pattern grows by what it turns out to lack. A cheapest way in its table is tried out on the program itself; where
// it cannot be followed, or where it ends and nothing is wrong, the steps and conditions that the table took to be
// possible have looked at cells outside the pattern. One of these joins it (Clarke, Grumberg, Jha, Lu, Veith:
// Counterexample-Guided Abstraction Refinement, CAV 2000), and so on until the way is a real one or the table would
// become too large.
#pragma once

#include <memory>
#include <vector>

#include "heuristic/abstraction_table.hpp"
#include "model/interpreted.hpp"

namespace fathom {

class PatternChoice {
 public:
  // All must outlive this.
  PatternChoice(MaySteps& steps, const ModelFacts& facts, InterpretedModel& model, const Aim& aim,
                const StepWeights& weights, const AbstractionLimits& limits);

  // The best table that begins with these cells.
  [[nodiscard]] std::unique_ptr<AbstractionTable> grow(const BitSet& seeds);
  // The table of exactly these cells, as far as they fit.
  [[nodiscard]] std::unique_ptr<AbstractionTable> make(const BitSet& cells);

 private:
  using Made = std::unique_ptr<AbstractionTable>;

  [[nodiscard]] Made table();
  // Another pattern that is complete, with one or more of these cells; null where all of them are too much.
  [[nodiscard]] Made refined(const AbstractionTable& before, const std::vector<std::uint32_t>& missing);
  // Cells that the way of the table lacks, the most wanted first; none if it is a real one.
  [[nodiscard]] std::vector<std::uint32_t> missing_cells(const AbstractionTable& table);
  // One step of a cheapest way. False: there is none that the program can take.
  [[nodiscard]] bool go_nearer(const AbstractionTable& table, StateBuffer& state);
  // Whether the way ends with what is looked for.
  [[nodiscard]] bool is_there(StateView state);
  [[nodiscard]] std::vector<std::uint32_t> missing_at(const AbstractionTable& table, StateView state);
  [[nodiscard]] bool can_be_added(std::uint32_t cell) const;
  [[nodiscard]] bool is_late() const { return ThreadClock::now() > limits_.deadline; }
  [[nodiscard]] double values(std::uint32_t cell) const;

  MaySteps& steps_;
  const ModelFacts& facts_;
  InterpretedModel& model_;
  const Aim& aim_;
  const StepWeights& weights_;
  const AbstractionLimits limits_;
  ProjectedSteps projected_;
};

}  // namespace fathom
