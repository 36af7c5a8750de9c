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
  using Made = std::unique_ptr<AbstractionTable>;

  // All must outlive this.
  PatternChoice(MaySteps& steps, const ModelFacts& facts, InterpretedModel& model, const Aim& aim,
                const StepWeights& weights);

  // A table that begins with these cells, or, where they are too many, with those.
  [[nodiscard]] Made begin(const BitSet& seeds, const BitSet& few_seeds, const AbstractionLimits& limits);
  // The table of exactly these cells, as far as they fit.
  [[nodiscard]] Made make(const BitSet& cells, const AbstractionLimits& limits);
  // A table with more cells than the last one, for the ways from one of these states; null: it stays as it is.
  [[nodiscard]] Made refined(const AbstractionTable& before, const std::vector<StateView>& from,
                             const AbstractionLimits& limits);

 private:
  void set(const AbstractionLimits& limits);
  void begin_with(const BitSet& cells);
  [[nodiscard]] Made table();
  // Another pattern that is complete, with one or more of these cells; null where all of them are too much.
  [[nodiscard]] Made with_some_of(const std::vector<std::uint32_t>& missing, const AbstractionTable& before);
  // Cells that the way from a state lacks, the most wanted first; none if it is a real one.
  [[nodiscard]] std::vector<std::uint32_t> missing_cells(const AbstractionTable& table, StateView from);
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
  AbstractionLimits limits_;
  ProjectedSteps projected_;
};

}  // namespace fathom
