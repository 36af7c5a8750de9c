// Beam search and its relatives: see beam.hpp.
#include "search/beam.hpp"

#include <memory>

#include "heuristic/zero.hpp"
#include "search/best_first_run.hpp"
#include "search/evaluators.hpp"

namespace fathom {

namespace {

std::uint64_t at_least_one(const Arguments& arguments, std::string_view key) {
  return std::max<std::uint64_t>(1, arguments.count(key));
}

BeamPlan plan_of(const SearchRequest& request) {
  BeamPlan plan;
  plan.leaves_dead_ends = may_leave_dead_ends(request);
  if (request.arguments.has("k")) plan.width = at_least_one(request.arguments, "k");
  if (request.arguments.has("ties")) plan.keeps_ties = request.arguments.word("ties") == "keep";
  return plan;
}

std::unique_ptr<Evaluator> evaluator_of(const SearchRequest& request) {
  if (!request.arguments.has("h")) return std::make_unique<Zero>();
  return make_evaluator(request, request.arguments.nested("h"));
}

SearchResult run_plan(const SearchRequest& request, const BeamPlan& plan) {
  const std::unique_ptr<Evaluator> evaluator = evaluator_of(request);
  if (request.costs == nullptr) return Beam(request.model, request.options, *evaluator, plan).run();
  BeamPlan with_costs = plan;
  with_costs.first_is_enough = plan.by_cost;  // otherwise a cheaper one may still come
  return Beam(request.model, request.options, *evaluator, with_costs, ModelCosts{request.costs}).run();
}

}  // namespace

SearchResult run_beam(const SearchRequest& request) {
  return run_plan(request, plan_of(request));
}

SearchResult run_priority_beam(const SearchRequest& request) {
  BeamPlan plan = plan_of(request);
  plan.steps = at_least_one(request.arguments, "steps");
  plan.steps_until = request.arguments.count("levels");
  return run_plan(request, plan);
}

SearchResult run_nearest_neighbour(const SearchRequest& request) {
  BeamPlan plan = plan_of(request);
  plan.width = 1;
  plan.rank = BeamPlan::Rank::cost;
  return run_plan(request, plan);
}

SearchResult run_beam_dijkstra(const SearchRequest& request) {
  BeamPlan plan = plan_of(request);
  plan.by_cost = true;
  return run_plan(request, plan);
}

SearchResult run_broadening(const SearchRequest& request) {
  const std::uint64_t factor = std::max<std::uint64_t>(2, request.arguments.count("factor"));
  return broaden(request.model, request.options, *evaluator_of(request), plan_of(request), factor);
}

}  // namespace fathom
