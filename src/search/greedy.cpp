// The searches that want some violation soon: they are complete, report what they meet, and promise nothing of its run.
#include "search/best_first_run.hpp"

namespace fathom {

namespace {

OpenChoice open_list(const Arguments& arguments) {
  const std::string_view word = arguments.word("open");
  if (word == "alternation") return {.kind = OpenChoice::Kind::alternation};
  if (word == "type-based") return {.kind = OpenChoice::Kind::type_based};
  if (word == "epsilon") return {.kind = OpenChoice::Kind::epsilon, .probability = arguments.number("epsilon")};
  return {.weights = {0, 1}, .equals = word == "lifo" ? Equals::newest_first : Equals::oldest_first};
}

}  // namespace

SearchResult run_greedy(const SearchRequest& request) {
  const OpenChoice choice = open_list(request.arguments);
  const bool several = choice.kind == OpenChoice::Kind::alternation;
  return run_best_first(
      request, several ? std::vector<std::string_view>{"h", "h2"} : std::vector<std::string_view>{"h"}, choice, {});
}

// The k best are expanded together, so that the search does not follow one of them alone (Felner, Kraus, Korf: KBFS:
// K-Best-First Search, 2003).
SearchResult run_k_best(const SearchRequest& request) {
  const std::uint64_t width = std::max<std::uint64_t>(1, request.arguments.count("k"));
  return run_best_first(request, {"h"}, {.weights = {1, 1}}, {.cost_counts = true, .width = width});
}

}  // namespace fathom
