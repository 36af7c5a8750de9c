#include "search/evaluators.hpp"

#include <algorithm>

#include "heuristic/marked.hpp"
#include "heuristic/zero.hpp"

namespace fathom {

namespace {

std::unique_ptr<Evaluator> make_marked(const SearchRequest& request, const Arguments&) {
  return std::make_unique<Marked>([guidance = request.guidance](InstanceId step, StateView state) {
    return guidance != nullptr && guidance->marked(step, state);
  });
}

std::unique_ptr<Evaluator> make_zero(const SearchRequest&, const Arguments&) {
  return std::make_unique<Zero>();
}

constexpr EvaluatorEntry entries[] = {
    {"marked", "100 less the number of marked steps that are enabled (see --mark and --flows)", true, "", make_marked},
    {"zero", "0 for every state: a search without direction, for comparison", false, "consistent", make_zero},
};

}  // namespace

std::span<const EvaluatorEntry> evaluators() {
  return entries;
}

const EvaluatorEntry* find_evaluator(std::string_view name) {
  const auto found = std::ranges::find(entries, name, &EvaluatorEntry::name);
  return found == std::end(entries) ? nullptr : found;
}

std::unique_ptr<Evaluator> make_evaluator(const SearchRequest& request, const SearchExpression& expression) {
  return find_evaluator(expression.name)->make(request, Arguments(expression));
}

}  // namespace fathom
