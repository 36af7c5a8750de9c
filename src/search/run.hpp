// The searches as the rest of the program sees them: named entries that put model, store and search together. This is
// the only place where search templates are instantiated, one file per search, so that changing a search recompiles
// one file. A new search is its file and one row in run.cpp.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string_view>

#include "heuristic/inputs.hpp"
#include "model/executor.hpp"
#include "property/run_rules.hpp"
#include "reduction/symmetry_agents.hpp"
#include "search/checkpoint.hpp"
#include "search/expression.hpp"
#include "search/full_step.hpp"
#include "search/guidance.hpp"
#include "search/search.hpp"
#include "store/indexed_store.hpp"

namespace fathom {

// Those that are not for every search are for bfs.
enum class StoreChoice : std::uint8_t { exact, fingerprint, tree, compact, bitstate };

// A claim to be checked in the product of the model and the automaton of its bad runs.
struct ClaimRequest {
  const ir::Claim& claim;
  std::uint32_t number = 0;  // in Program::claims
  const ir::Automaton& automaton;
  bool stutters = true;
  const RunRules& rules;
};

struct CostRequest;  // step_costs.hpp

struct SearchRequest {
  const ir::Program& program;
  Executor& model;
  const SearchOptions& options;
  StoreChoice store = StoreChoice::exact;
  Arguments arguments;
  const Guidance* guidance = nullptr;                        // never null for a search the command line starts
  AgentSymmetry* agent_symmetry = nullptr;                   // where the agents are elements of a permuted scalarset
  const ClaimRequest* claim = nullptr;                       // never null for a search that is for claims
  EvaluatorInputs* evaluators = nullptr;                     // for those that need more than the program
  std::function<Canonicaliser*()> more_canonicalisers = {};  // one more for another thread; null without symmetry
  std::uint32_t store_parameter = 0;                         // bits of a compact store or of a bitstate store
  const CheckpointRequest* checkpoint = nullptr;             // for a search that can save where it stands
  const CostRequest* costs = nullptr;               // null: every step costs one; only for searches that look at costs
  std::span<const FullStep> when_full = {};         // for bfs
  const std::filesystem::path* spill_to = nullptr;  // the folder of FullStep::disk
  // Tells the user at once what will stand among the warnings of the result.
  std::function<void(const std::string&)> announce = [](const std::string&) {};
  std::uint64_t packs_from = UINT64_MAX;  // states at which bfs changes to a smaller table (packing.hpp)
};

// A search cannot do what is asked of it, and that shows only when its parts are made: the user is told why.
struct RefusedRequest : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Whether a search can leave out steps of a reduction, and does so unasked because it promises no shortest trace.
enum class LeavesOutSteps : std::uint8_t { never, on_request, by_default };

// What a search guarantees, for `fathom help search` and for what it refuses.
struct Guarantee {
  enum class Traces : std::uint8_t { any, bounded, shortest_if_admissible, shortest };
  bool complete = true;  // run to the end without a violation it has decided that there is none
  Traces traces = Traces::any;
  bool bounded_memory = false;  // the memory does not grow with the number of states
  bool counts_all = true;       // false: it looks for one violation, the cheapest, and cannot count them
  bool keeps_graph = true;      // false: it has not all states at its end, and liveness cannot be decided
};

struct SearchEntry {
  std::string_view name;
  std::string_view help;
  SearchResult (*run)(const SearchRequest& request);
  std::span<const SearchParameter> parameters = {};
  bool needs_marks = false;       // without marked steps it has nothing to go by
  bool takes_depth_bound = true;  // --max-depth
  LeavesOutSteps leaves_out_steps = LeavesOutSteps::never;
  bool for_claims = false;  // looks for cycles; everything else is left to a depth-first search
  bool takes_fairness = false;
  bool parallel = false;      // works with several threads
  bool keeps_order = false;   // and then does exactly what it does with one
  bool any_store = false;     // takes every --store, and can be saved and resumed
  bool spills = false;        // can go on in a folder when the memory is full
  bool takes_costs = false;   // of steps
  bool random = false;        // chooses at random, so that another seed is another search
  bool takes_claims = false;  // checks states and claims, both within the part of the model it keeps
  // Fills a store with the states it reaches, for a structure made of them; null where there is no such part.
  SearchResult (*fill)(const SearchRequest& request, IndexedStore& store) = nullptr;
  Guarantee guarantee = {};
};

std::span<const SearchEntry> searches();

// What becomes of a search whose checkpoint has more states than there is memory for.
SearchResult does_not_fit(const SearchRequest& request);

// A breadth-first search that goes on from where one thread left it, with as many as the options say.
class RestOfSearch {
 public:
  virtual ~RestOfSearch() = default;
  virtual SearchResult run() = 0;
  virtual Counterexample run_to(StateId id) = 0;
  // It stops before the first level at which there are so many states.
  virtual void set_most_states(std::uint64_t count) = 0;
  [[nodiscard]] virtual bool is_to_go_on() const = 0;
  // After run(), if it stopped there or the memory was full: where it is, with the counts it returned.
  virtual LevelStanding leave(SearchResult so_far) = 0;
};
template <class S>
std::unique_ptr<RestOfSearch> in_parallel(const SearchRequest& request, S& store, LevelStanding standing);
// One that goes on from a checkpoint, of which everything but the standing and the store is still to be read.
template <class S>
std::unique_ptr<RestOfSearch> resumed(const SearchRequest& request, S& store, LevelStanding standing, SealedReader& in);

// A breadth-first search whose store is full goes on with the states on a disk, and the store is given up
// (when_full.hpp).
template <class S>
SearchResult on_disk(const SearchRequest& request, std::unique_ptr<S> full, LevelStanding standing);
// The same from its checkpoint, of which only what the states stand as is read.
SearchResult resume_on_disk(const SearchRequest& request, SealedReader& in);

SearchResult run_bfs(const SearchRequest& request);
SearchResult run_dfs(const SearchRequest& request);
SearchResult run_bounded_dfs(const SearchRequest& request);
SearchResult run_greedy(const SearchRequest& request);
SearchResult run_astar(const SearchRequest& request);
SearchResult run_weighted_astar(const SearchRequest& request);
SearchResult run_dijkstra(const SearchRequest& request);
SearchResult run_k_best(const SearchRequest& request);
SearchResult run_idastar(const SearchRequest& request);
SearchResult run_branch_and_bound(const SearchRequest& request);
SearchResult run_refined_bound(const SearchRequest& request);
SearchResult run_beam(const SearchRequest& request);
SearchResult run_priority_beam(const SearchRequest& request);
SearchResult run_nearest_neighbour(const SearchRequest& request);
SearchResult run_beam_dijkstra(const SearchRequest& request);
SearchResult run_broadening(const SearchRequest& request);
SearchResult run_frontier(const SearchRequest& request);
SearchResult run_bfhs(const SearchRequest& request);
SearchResult run_beam_stack(const SearchRequest& request);
SearchResult run_memory_limited_astar(const SearchRequest& request);
SearchResult run_biased_bfs(const SearchRequest& request);
SearchResult run_biased_dfs(const SearchRequest& request);
SearchResult run_context_bounded(const SearchRequest& request);
SearchResult run_ndfs(const SearchRequest& request);
SearchResult run_scc(const SearchRequest& request);
SearchResult run_l2s(const SearchRequest& request);
SearchResult run_highway(const SearchRequest& request);
SearchResult run_breadth_bounded(const SearchRequest& request);

SearchResult fill_bfs(const SearchRequest& request, IndexedStore& store);
SearchResult fill_highway(const SearchRequest& request, IndexedStore& store);
SearchResult fill_breadth_bounded(const SearchRequest& request, IndexedStore& store);

// Whether some selected property is a liveness property, which needs the whole graph after the search.
bool needs_liveness(const SearchRequest& request);

}  // namespace fathom
