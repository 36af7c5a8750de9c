#include "search/beam_stack.hpp"

#include "search/best_first_run.hpp"
#include "search/evaluators.hpp"

namespace fathom {

SearchResult run_beam_stack(const SearchRequest& request) {
  const std::unique_ptr<Evaluator> evaluator = make_evaluator(request, request.arguments.nested("h"));
  const std::uint64_t width = std::max<std::uint64_t>(1, request.arguments.count("k"));
  return BeamStack(request.model, request.options, *evaluator, width, may_leave_dead_ends(request)).run();
}

}  // namespace fathom
