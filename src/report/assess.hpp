// From what a search found to what we may say about it. All rules about verdicts are here: "holds" is said only after
// an exhaustive and exact search, a bound the user asked for gives "holds-in-scope", and every other early end is
// inconclusive unless a violation was found.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/report.hpp"
#include "search/search.hpp"

namespace fathom {

struct Findings {
  const ir::Program& program;
  const SearchResult& result;
  std::vector<bool> selected = {};  // per Program property
  bool deadlock_selected = true;
  std::optional<std::uint64_t> max_depth = {};
  bool allow_lossy = false;
  bool symmetry = false;
  bool symmetry_assumed = false;            // forced on scalarsets for which it was not shown to be sound
  bool partial_order = false;               // steps were left out
  std::string stop_reason = {};             // for Ending::time_or_user: "the time limit of 10s", "an interrupt"
  std::vector<std::uint64_t> hits = {};     // per Program property
  std::vector<std::uint64_t> pending = {};  // bit set: antecedents that never held
  std::optional<std::uint32_t> claim = {};  // the one the search was for
  std::size_t automaton_states = 0;
};

// Fills in verdict, properties, scope, statistics, coverage, covers, vacuous and omission_probability.
void assess(const Findings& findings, Report& report);

// "1,234,567"
std::string grouped(std::uint64_t number);

}  // namespace fathom
