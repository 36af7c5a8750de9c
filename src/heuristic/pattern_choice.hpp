// Which cells a pattern consists of, and the tables that come of it: see abstraction.hpp.
#pragma once

#include <memory>
#include <vector>

#include "heuristic/abstraction_table.hpp"

namespace fathom {

class PatternChoice {
 public:
  PatternChoice(MaySteps& steps, const ModelFacts& facts, const AbstractionLimits& limits)
      : steps_(steps), facts_(facts), limits_(limits) {}

  // The best table for an aim that begins with these cells; null if they alone are too much.
  [[nodiscard]] std::unique_ptr<AbstractionTable> grow(const Aim& aim, const BitSet& seeds);
  // The table of exactly these cells.
  [[nodiscard]] std::unique_ptr<AbstractionTable> make(const Aim& aim, std::vector<std::uint32_t> pattern);

 private:
  // Cells that may be added, the most relevant first.
  [[nodiscard]] std::vector<std::uint32_t> candidates(const BitSet& pattern) const;
  [[nodiscard]] bool can_be_added(std::uint32_t cell, std::uint32_t bits) const;
  [[nodiscard]] double values(std::uint32_t cell) const;
  [[nodiscard]] std::vector<std::uint32_t> list(const BitSet& cells) const;

  MaySteps& steps_;
  const ModelFacts& facts_;
  const AbstractionLimits limits_;
};

}  // namespace fathom
