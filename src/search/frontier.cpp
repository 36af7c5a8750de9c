// Frontier search and breadth-first heuristic search: see frontier.hpp.
#include "search/frontier.hpp"

#include "heuristic/zero.hpp"
#include "search/best_first_run.hpp"
#include "search/evaluators.hpp"

namespace fathom {

SearchResult run_frontier(const SearchRequest& request) {
  Zero zero;
  return FrontierSearch(request.model, request.options, zero, {.locality = request.arguments.count("locality")}).run();
}

SearchResult run_bfhs(const SearchRequest& request) {
  const std::unique_ptr<Evaluator> evaluator = make_evaluator(request, request.arguments.nested("h"));
  const FrontierPlan plan{.locality = request.arguments.count("locality"),
                          .bounded = true,
                          .promise = evaluator->promise(),
                          .leaves_dead_ends = may_leave_dead_ends(request)};
  return FrontierSearch(request.model, request.options, *evaluator, plan).run();
}

}  // namespace fathom
