#include "search/best_first.hpp"

#include <fmt/format.h>

#include <memory>

#include "heuristic/zero.hpp"
#include "open/mixed_list.hpp"
#include "search/best_first_run.hpp"
#include "search/evaluators.hpp"
#include "search/external_astar.hpp"
#include "search/liveness.hpp"
#include "search/when_full.hpp"
#include "store/fingerprint_store.hpp"
#include "store/indexed_store.hpp"

namespace fathom {

namespace {

template <CostAlgebra A>
std::vector<std::unique_ptr<SelectionRule<A>>> rules_of(const OpenChoice& choice, std::size_t evaluators,
                                                        std::uint64_t seed) {
  std::vector<std::unique_ptr<SelectionRule<A>>> rules;
  const std::size_t queues = choice.kind == OpenChoice::Kind::alternation ? evaluators : 1;
  for (std::size_t k = 0; k < queues; ++k) rules.push_back(std::make_unique<ByEstimate<A>>(k));
  if (choice.kind != OpenChoice::Kind::alternation)
    rules.push_back(std::make_unique<ByType<A>>(choice.kind == OpenChoice::Kind::epsilon, seed));
  return rules;
}

template <class Search>
std::unique_ptr<typename Search::Open> make_open(const OpenChoice& choice, std::size_t evaluators, std::uint64_t seed) {
  using A = typename Search::Algebra;
  using Entry = typename Search::Entry;
  switch (choice.kind) {
    case OpenChoice::Kind::ranked:
      return std::make_unique<RankedList<A, Entry>>(choice.weights, choice.equals);
    case OpenChoice::Kind::stack:
      return std::make_unique<StackList<A, Entry>>();
    case OpenChoice::Kind::epsilon:
      return std::make_unique<MixedList<A, Entry>>(rules_of<A>(choice, evaluators, seed), choice.probability, seed);
    default:
      return std::make_unique<MixedList<A, Entry>>(rules_of<A>(choice, evaluators, seed));
  }
}

std::vector<std::unique_ptr<Evaluator>> make_evaluators(const SearchRequest& request,
                                                        const std::vector<std::string_view>& keys) {
  std::vector<std::unique_ptr<Evaluator>> result;
  for (const std::string_view key : keys)
    if (request.arguments.has(key)) result.push_back(make_evaluator(request, request.arguments.nested(key)));
  if (result.empty()) result.push_back(std::make_unique<Zero>());
  return result;
}

// Runs with costs are runs of the model itself and of an exact store.
SearchResult run_with_costs(const SearchRequest& request, const std::vector<Evaluator*>& evaluators,
                            const OpenChoice& choice, const BestFirstPlan& plan) {
  using Search = BestFirst<Executor, IndexedStore, ModelCosts>;
  IndexedStore store(request.model.state_words(), request.options.memory_limit);
  const auto open = make_open<Search>(choice, evaluators.size(), request.options.seed);
  return Search(request.model, store, request.options, evaluators, *open, plan, ModelCosts{request.costs}).run();
}

// Shares of the memory on a disk: three eighths for the store, an eighth for what is known of its states, a fourth for
// those that wait and are sorted. The rest is for blocks of the runs, of which a reader holds two.
BucketPlan bucket_plan(const SearchRequest& request, bool leaves_dead_ends) {
  constexpr std::uint64_t state_notes = 8, waiting_notes = 17, reader_bytes = std::uint64_t{1} << 17;
  const std::uint64_t memory = request.options.memory_limit;
  const std::uint64_t state_bytes = request.model.state_words() * sizeof(std::uint64_t);
  return {.folder = *request.spill_to,
          .store_bytes = memory / 8 * 3,
          .seen = memory / 8 / state_notes,
          .sorted = std::max<std::uint64_t>(memory / 4 / (state_bytes + waiting_notes), 1),
          .most_runs = std::clamp<std::uint64_t>(memory / 8 / reader_bytes, 4, 64),
          .leaves_dead_ends = leaves_dead_ends};
}

void refuse_inconsistent(const SearchRequest& request, const Promise& promise) {
  if (promise.consistent && promise.admissible) return;
  const bool symmetric = request.options.canonicaliser != nullptr;
  throw RefusedRequest(
      fmt::format("disk(DIR) goes with astar where the evaluator is consistent, and `{}` does not promise that{}: a "
                  "state on a disk cannot be opened again when a shorter path to it is found",
                  request.arguments.nested("h").text(), symmetric ? " under symmetry (see --reduce)" : ""));
}

// In memory while there is room, and then on a disk.
SearchResult run_and_spill(const SearchRequest& request, const std::vector<Evaluator*>& evaluators,
                           const OpenChoice& choice, const BestFirstPlan& plan) {
  using Search = BestFirst<Executor, IndexedStore>;
  refuse_inconsistent(request, plan.promise);
  DiskFile{*request.spill_to};  // that it cannot be written is better said now
  SearchOptions options = request.options;
  options.memory_limit = memory_of_store(request);
  // Less for the store, whose table doubles at once: what is known of its states and the open list take memory, too.
  auto store = std::make_unique<IndexedStore>(request.model.state_words(), options.memory_limit / 4 * 3);
  auto open = make_open<Search>(choice, evaluators.size(), options.seed);
  auto search = std::make_unique<Search>(request.model, *store, options, evaluators, *open, plan);
  SearchResult result = search->run();
  if (result.ending != Ending::memory_limit) return result;
  if (!search->can_be_left()) {
    result.warnings.push_back("the search cannot go on in " + request.spill_to->string() +
                              ", which takes a consistent evaluator or more memory to begin with");
    return result;
  }
  const std::string announcement = fmt::format("the memory is full after {} states: the search goes on in {}",
                                               store->size(), request.spill_to->string());
  request.announce(announcement);
  result.warnings.push_back(announcement);
  ExternalAstar<Executor> rest(request.model, request.options, *evaluators.front(),
                               bucket_plan(request, plan.leaves_dead_ends));
  const bool fits = rest.take_over(*store, *search, std::move(result));
  search.reset();
  open.reset();
  store.reset();
  return fits ? rest.run() : rest.finish();
}

}  // namespace

bool may_leave_dead_ends(const SearchRequest& request) {
  const auto& properties = request.program.properties;
  for (std::size_t k = 0; k < properties.size(); ++k)
    if (properties[k]->kind == ir::Property::Kind::cover && request.options.selected[k]) return false;
  return !needs_liveness(request);
}

SearchResult run_best_first(const SearchRequest& request, const std::vector<std::string_view>& evaluators,
                            const OpenChoice& choice, BestFirstPlan plan) {
  const std::vector<std::unique_ptr<Evaluator>> owned = make_evaluators(request, evaluators);
  std::vector<Evaluator*> asked;
  for (const auto& evaluator : owned) asked.push_back(evaluator.get());
  plan.promise = asked.front()->promise();
  plan.leaves_dead_ends = may_leave_dead_ends(request);
  if (request.costs != nullptr) return run_with_costs(request, asked, choice, plan);
  if (request.spill_to != nullptr) return run_and_spill(request, asked, choice, plan);
  const std::uint64_t seed = request.options.seed;
  if (request.store == StoreChoice::fingerprint) {
    using Search = BestFirst<Executor, FingerprintStore>;
    FingerprintStore store(request.options.memory_limit);
    const auto open = make_open<Search>(choice, asked.size(), seed);
    return Search(request.model, store, request.options, asked, *open, plan).run();
  }
  using Search = BestFirst<Executor, IndexedStore>;
  IndexedStore store(request.model.state_words(), request.options.memory_limit);
  const auto open = make_open<Search>(choice, asked.size(), seed);
  Search search(request.model, store, request.options, asked, *open, plan);
  SearchResult result = search.run();
  if (needs_liveness(request) && result.ending == Ending::exhausted)
    check_liveness(
        request, store, [&](StateId id) { return search.run_to(id); }, result);
  return result;
}

}  // namespace fathom
