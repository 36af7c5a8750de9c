// Puts store, evaluators, open list and plan together for the searches that are best-first searches. Each of them is
// then a few lines; the engine is instantiated in best_first.cpp alone.
#pragma once

#include <string_view>
#include <vector>

#include "open/ordered_list.hpp"
#include "search/best_first.hpp"
#include "search/run.hpp"

namespace fathom {

struct OpenChoice {
  enum class Kind : std::uint8_t { ranked, stack, alternation, type_based, epsilon };
  Kind kind = Kind::ranked;
  RankWeights weights = {};              // ranked
  Equals equals = Equals::oldest_first;  // ranked
  double probability = 0;                // epsilon: of a random entry
};

// `evaluators`: the parameters of the search that name them; none: the search is blind. What the first one promises is
// added to the plan, and whether dead ends may be left.
SearchResult run_best_first(const SearchRequest& request, const std::vector<std::string_view>& evaluators,
                            const OpenChoice& open, BestFirstPlan plan);

// Whether states behind which nothing can go wrong need not be expanded: not if something must be seen to happen.
bool may_leave_dead_ends(const SearchRequest& request);

}  // namespace fathom
