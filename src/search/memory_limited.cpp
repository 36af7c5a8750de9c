#include "search/memory_limited.hpp"

#include "search/best_first_run.hpp"
#include "search/evaluators.hpp"

namespace fathom {

SearchResult run_memory_limited_astar(const SearchRequest& request) {
  const std::unique_ptr<Evaluator> evaluator = make_evaluator(request, request.arguments.nested("h"));
  return MemoryLimited(request.model, request.options, *evaluator, request.arguments.count("states"),
                       may_leave_dead_ends(request))
      .run();
}

}  // namespace fathom
