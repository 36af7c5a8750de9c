// The tables of aims that have to be reached together, and how they are made: the tables of all aims grow at the same
// time, and always the one that is the weakest at some states met on random walks, because the nearest aim counts. An
// aim that turns out to be out of reach needs no table at all. When they tell enough they stay as they are.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "heuristic/aims.hpp"

namespace fathom {

struct AimTables {
  std::vector<std::unique_ptr<AbstractionTable>> tables = {};
  std::uint32_t at_least = 0;  // without looking

  // The distance to where all are reached; not exactly where it is `enough` or more.
  [[nodiscard]] std::uint32_t distance(StateView state, std::uint32_t enough) const;
};

struct TableLimits {
  using Estimate = std::function<std::uint32_t(StateView)>;

  std::size_t states = 0;  // of all tables together
  double seconds = 0;
  std::function<bool(const Estimate&)> is_enough = [](const Estimate&) { return false; };
};

// Of the aims that may be within reach. `named` are the cells of all patterns; none: they are chosen.
std::vector<AimTables> make_tables(const Goals& goals, const ModelFacts& facts, MaySteps& steps,
                                   const std::vector<Cost>& costs, const BitSet& named, const TableLimits& limits);

}  // namespace fathom
