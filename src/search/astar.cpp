// The searches that order states by the cost of the path to them and report violations in turn: A* adds the estimate of
// what is left, weighted A* adds it several times over, Dijkstra's algorithm not at all.
#include <cmath>
#include <numeric>

#include "search/best_first_run.hpp"

namespace fathom {

namespace {

// A weight as a fraction in lowest terms, so that ranks stay whole and small.
RankWeights as_fraction(double weight) {
  constexpr double hundredths = 100;
  const auto numerator = static_cast<std::uint32_t>(std::lround(weight * hundredths));
  const std::uint32_t divisor = std::gcd(numerator, static_cast<std::uint32_t>(hundredths));
  return {static_cast<std::uint32_t>(hundredths) / divisor, numerator / divisor};
}

constexpr BestFirstPlan in_turn{.cost_counts = true, .in_turn = true};

}  // namespace

SearchResult run_astar(const SearchRequest& request) {
  return run_best_first(request, {"h"}, {.weights = {1, 1}}, in_turn);
}

SearchResult run_dijkstra(const SearchRequest& request) {
  return run_best_first(request, {}, {.weights = {1, 0}}, in_turn);
}

// With an admissible evaluator the run costs at most `w` times what a cheapest one does (Pohl 1970). A weight below one
// weakens the evaluator and loses nothing.
SearchResult run_weighted_astar(const SearchRequest& request) {
  const double weight = request.arguments.number("w");
  BestFirstPlan plan = in_turn;
  plan.within = std::max(1.0, weight);
  return run_best_first(request, {"h"}, {.weights = as_fraction(weight)}, plan);
}

}  // namespace fathom
