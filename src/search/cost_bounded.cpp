// Depth-first searches under a bound on the cost of runs: they differ in how the bound moves (bound_rules.hpp).
#include "search/best_first_run.hpp"

namespace fathom {

namespace {

SearchResult run_within(const SearchRequest& request, BoundRule& rule) {
  return run_best_first(request, {"h"}, {.kind = OpenChoice::Kind::stack}, {.cost_counts = true, .rule = &rule});
}

}  // namespace

SearchResult run_idastar(const SearchRequest& request) {
  Deepening rule;
  return run_within(request, rule);
}

SearchResult run_branch_and_bound(const SearchRequest& request) {
  Tightening rule;
  return run_within(request, rule);
}

SearchResult run_refined_bound(const SearchRequest& request) {
  Refining rule;
  return run_within(request, rule);
}

}  // namespace fathom
