#include "search/run.hpp"

#include <fmt/format.h>

#include "search/recorder.hpp"

namespace fathom {

namespace {

constexpr SearchParameter evaluator_parameter{"h", "H", "marked", "the evaluator that directs the search"};

constexpr SearchParameter best_first_parameters[] = {evaluator_parameter};

constexpr SearchParameter weighted_astar_parameters[] = {
    evaluator_parameter,
    {"w", "N|P%", "2", "how much the evaluator counts: 3, or 150% for one and a half times"},
};

constexpr SearchParameter greedy_parameters[] = {
    evaluator_parameter,
    {"open", "fifo|lifo|alternation|type-based|epsilon", "fifo",
     "which state comes next: of those with the lowest estimate the oldest or the newest; in turn the best by h and by "
     "h2; in turn the best by h and one of a random kind; the best by h or now and then a random one"},
    {"h2", "H", "zero", "the second evaluator, for open=alternation"},
    {"epsilon", "N|P%", "20%", "how often a random state comes next, for open=epsilon"},
};

constexpr SearchParameter k_best_parameters[] = {
    evaluator_parameter,
    {"k", "N", "32", "states that are expanded together", 1},
};

constexpr SearchParameter ties_parameter{"ties", "cut|keep", "cut",
                                         "keep: also states as good as the last one kept (flexible beam search)"};

constexpr SearchParameter beam_parameters[] = {
    evaluator_parameter,
    {"k", "N", "1000", "states of a level that are kept", 1},
    ties_parameter,
};

constexpr SearchParameter priority_beam_parameters[] = {
    evaluator_parameter,
    {"steps", "N", "3", "steps of a state that are followed on the first levels", 1},
    {"levels", "N", "6", "how many levels these are; further down one step of each state is followed"},
    ties_parameter,
};

constexpr SearchParameter broadening_parameters[] = {
    evaluator_parameter,
    {"k", "N", "100", "states of a level that are kept at first", 1},
    {"factor", "N", "4", "by which k grows", 2},
};

constexpr SearchParameter locality_parameter{
    "locality", "N", "0",
    "levels that are kept: one more than the most levels a step leads back; a claim, checked on the way; 0: all"};

constexpr SearchParameter frontier_parameters[] = {locality_parameter};

constexpr SearchParameter bfhs_parameters[] = {evaluator_parameter, locality_parameter};

constexpr SearchParameter beam_stack_parameters[] = {
    evaluator_parameter,
    {"k", "N", "1000", "states of a level that are held at a time", 1},
};

constexpr SearchParameter memory_limited_parameters[] = {
    evaluator_parameter,
    {"states", "N", "100k", "states that are held at a time", 1},
};

constexpr SearchParameter biased_bfs_parameters[] = {
    {"limit", "N", "5",
     "states per level with the same marked rules enabled from which these steps are followed; 0: all"},
    {"batched", "yes|no", "yes", "follow them from all these states together, at the end of the level"},
};

constexpr SearchParameter biased_dfs_parameters[] = {
    {"threshold", "N|P%", "100%", "agents with a marked step enabled from which on everything is explored"},
    {"switch-on-marked", "yes|no", "no", "an agent with a marked step enabled lets the next one run first"},
};

constexpr SearchParameter context_bounded_parameters[] = {
    {"switches", "N", "2", "changes from one agent to another in a run"},
};

// The default step is between the two that the paper measures: with a frontier tree short steps are cheap, and they
// keep the states that are explored again few, but each bound costs a pass over its frontier.
constexpr SearchParameter bounded_dfs_parameters[] = {
    {"bound", "N", "", "how deep to search; without it, until nothing is left or the budget is spent"},
    {"step", "N", "100", "by how much the bound is raised each time; 0: straight to the last one"},
    {"revisit", "naive|depth|threshold", "threshold",
     "when a state is explored again: never (unsound, for comparison), on every shorter path, or on one that can "
     "matter"},
    {"frontier", "states|traces|tree", "tree",
     "how the states at the bound are kept: in full, as traces, or as a tree of traces; several threads keep their "
     "numbers"},
};

constexpr SearchParameter ndfs_parameters[] = {
    {"variant", "cvwy|hpy|se|direct", "se",
     "when a cycle is seen: back at the node the second search began with, back on the stack of the first, or already "
     "in the first search; direct: for non-progress cycles only, without an automaton"},
    {"directed", "yes|no", "no",
     "go first where the automaton can accept, and back by the states that look most like the one to come back to"},
};

constexpr SearchParameter l2s_parameters[] = {
    {"search", "bfs", "bfs", "the search for states"},
};

constexpr SearchParameter highway_parameters[] = {
    {"n", "N", "100",
     "the breadth: how many new states of a level are kept; 1 is a random walk that never comes back to a state", 1},
};

constexpr SearchParameter breadth_bounded_parameters[] = {
    {"n", "N", "100", "the breadth: how many new states of a level are kept", 1},
    {"degrade", "N", "", "the depth from which on states are kept only where one would lose all its successors", 1},
    {"progress", "yes|no", "yes", "every state with new successors keeps one of these, even if it has old ones"},
};

using Traces = Guarantee::Traces;

constexpr Guarantee incomplete{.complete = false, .counts_all = false, .keeps_graph = false};
constexpr Guarantee few_levels{
    .traces = Traces::shortest_if_admissible, .bounded_memory = true, .counts_all = false, .keeps_graph = false};

constexpr SearchEntry entries[] = {
    {.name = "bfs",
     .help = "breadth-first: the first violation found has a shortest trace (default)",
     .run = run_bfs,
     .leaves_out_steps = LeavesOutSteps::on_request,
     .parallel = true,
     .any_store = true,
     .spills = true,
     .fill = fill_bfs,
     .guarantee = {.traces = Traces::shortest}},
    {.name = "dfs",
     .help = "depth-first: finds deep violations early; traces can be long",
     .run = run_dfs,
     .leaves_out_steps = LeavesOutSteps::by_default},
    {.name = "bounded-dfs",
     .help = "depth-first under a depth bound that is raised step by step: knows down to which depth every state was "
             "checked; traces can be long",
     .run = run_bounded_dfs,
     .parameters = bounded_dfs_parameters,
     .parallel = true},
    {.name = "greedy",
     .help = "best-first: expands the state of which the evaluator h says least; traces can be long",
     .run = run_greedy,
     .parameters = greedy_parameters,
     .leaves_out_steps = LeavesOutSteps::by_default},
    {.name = "astar",
     .help = "best-first by the length of the path plus the evaluator h (A*); states are opened again when a shorter "
             "path to them is found",
     .run = run_astar,
     .parameters = best_first_parameters,
     .leaves_out_steps = LeavesOutSteps::on_request,
     .spills = true,
     .takes_costs = true,
     .guarantee = {.traces = Traces::shortest_if_admissible}},
    {.name = "weighted-astar",
     .help = "A* that trusts h more than it may: the trace is at most w times as long as a shortest one if h is "
             "admissible, and mostly found much sooner",
     .run = run_weighted_astar,
     .parameters = weighted_astar_parameters,
     .leaves_out_steps = LeavesOutSteps::on_request,
     .takes_costs = true,
     .guarantee = {.traces = Traces::bounded}},
    {.name = "dijkstra",
     .help = "best-first by the length of the path alone (Dijkstra's algorithm): blind, like bfs",
     .run = run_dijkstra,
     .leaves_out_steps = LeavesOutSteps::on_request,
     .spills = true,
     .takes_costs = true,
     .guarantee = {.traces = Traces::shortest}},
    {.name = "k-best",
     .help = "A* that expands the k best states together and reports at once: less led astray by a bad evaluator",
     .run = run_k_best,
     .parameters = k_best_parameters,
     .leaves_out_steps = LeavesOutSteps::by_default,
     .takes_costs = true},
    {.name = "idastar",
     .help = "depth-first under a bound on the length plus h, raised by as little as possible (IDA*): the queue stays "
             "short, states are expanded once per bound",
     .run = run_idastar,
     .parameters = best_first_parameters,
     .takes_costs = true,
     .guarantee = {.traces = Traces::shortest_if_admissible, .counts_all = false}},
    {.name = "branch-and-bound",
     .help = "depth-first, best step first; each violation found lowers the bound on the length plus h for the rest, "
             "and the last one is reported",
     .run = run_branch_and_bound,
     .parameters = best_first_parameters,
     .takes_costs = true,
     .guarantee = {.traces = Traces::shortest_if_admissible, .counts_all = false}},
    {.name = "refined-bound",
     .help = "depth-first under a bound on the length plus h that is doubled until a violation is found, and then "
             "halved in between",
     .run = run_refined_bound,
     .parameters = best_first_parameters,
     .takes_costs = true,
     .guarantee = {.traces = Traces::shortest_if_admissible, .counts_all = false}},
    {.name = "beam",
     .help = "level by level, of each level only the k best states by h: goes deep with little memory",
     .run = run_beam,
     .parameters = beam_parameters,
     .takes_costs = true,
     .guarantee = incomplete},
    {.name = "priority-beam",
     .help = "level by level, of each state only its best steps by h: a few on the first levels, then one",
     .run = run_priority_beam,
     .parameters = priority_beam_parameters,
     .takes_costs = true,
     .guarantee = incomplete},
    {.name = "nearest-neighbour",
     .help = "follows a single run, each time by the cheapest step",
     .run = run_nearest_neighbour,
     .takes_costs = true,
     .guarantee = incomplete},
    {.name = "beam-dijkstra",
     .help = "states of equal cost together, cheapest first, of each cost only the k best by h: the first violation "
             "found is the cheapest the beam can find",
     .run = run_beam_dijkstra,
     .parameters = beam_parameters,
     .takes_costs = true,
     .guarantee = incomplete},
    {.name = "broadening",
     .help = "beam search with a wider and wider beam, until a violation is found or nothing was left out",
     .run = run_broadening,
     .parameters = broadening_parameters,
     .guarantee = {.counts_all = false, .keeps_graph = false}},
    {.name = "frontier",
     .help = "breadth-first, keeping only the last levels; the trace is found afterwards by divide and conquer",
     .run = run_frontier,
     .parameters = frontier_parameters,
     .guarantee = {.traces = Traces::shortest, .bounded_memory = true, .counts_all = false, .keeps_graph = false}},
    {.name = "bfhs",
     .help = "breadth-first under a bound on the length plus h, raised by as little as possible, keeping only the last "
             "levels (breadth-first heuristic search)",
     .run = run_bfhs,
     .parameters = bfhs_parameters,
     .guarantee = few_levels},
    {.name = "beam-stack",
     .help = "beam search that comes back for what it left out: complete with k states per level, for much time",
     .run = run_beam_stack,
     .parameters = beam_stack_parameters,
     .guarantee = few_levels},
    {.name = "memory-limited-astar",
     .help =
         "A* that forgets the worst states when so many are held, and finds them again when their turn comes (SMA*)",
     .run = run_memory_limited_astar,
     .parameters = memory_limited_parameters,
     .takes_depth_bound = false,
     .guarantee = few_levels},
    {.name = "biased-bfs",
     .help = "breadth-first, but follows marked steps (see --mark and --flows) ahead of all others; traces are short, "
             "not always shortest",
     .run = run_biased_bfs,
     .parameters = biased_bfs_parameters,
     .needs_marks = true,
     .parallel = true,
     .keeps_order = true},
    {"biased-dfs",
     "runs one agent at a time until several have marked steps enabled, and explores around such states first; traces "
     "can be long",
     run_biased_dfs, biased_dfs_parameters, true},
    {.name = "context-bounded",
     .help = "all runs in which the running agent changes at most so many times",
     .run = run_context_bounded,
     .parameters = context_bounded_parameters,
     .guarantee = {.complete = false}},
    {.name = "ndfs",
     .help = "nested depth-first, for ltl properties, never claims, acceptance and non-progress cycles (their default)",
     .run = run_ndfs,
     .parameters = ndfs_parameters,
     .leaves_out_steps = LeavesOutSteps::by_default,
     .for_claims = true,
     .parallel = true},
    {.name = "scc",
     .help = "the same by strongly connected components; with --fair this is the one",
     .run = run_scc,
     .leaves_out_steps = LeavesOutSteps::by_default,
     .for_claims = true,
     .takes_fairness = true},
    {.name = "l2s",
     .help = "the same by a search for states that carry a saved copy of an earlier one: a shortest lasso, for several "
             "times the memory",
     .run = run_l2s,
     .parameters = l2s_parameters,
     .takes_depth_bound = false,
     .for_claims = true},
    {.name = "highway",
     .help =
         "breadth-first, but of each level only a random choice is kept: reaches deep violations with little memory, "
         "and proves nothing unless it happens to keep every state; see --repeat and docs/breadth-bounded.md",
     .run = run_highway,
     .parameters = highway_parameters,
     .takes_fairness = true,
     .parallel = true,
     .keeps_order = true,
     .random = true,
     .takes_claims = true,
     .fill = fill_highway,
     .guarantee = {.complete = false, .bounded_memory = true}},
    {.name = "breadth-bounded",
     .help =
         "the same, but every state keeps a successor if it has any, so that its runs never end where the model's go "
         "on",
     .run = run_breadth_bounded,
     .parameters = breadth_bounded_parameters,
     .takes_fairness = true,
     .parallel = true,
     .keeps_order = true,
     .random = true,
     .takes_claims = true,
     .fill = fill_breadth_bounded,
     .guarantee = {.complete = false, .bounded_memory = true}},
};

}  // namespace

std::span<const SearchEntry> searches() {
  return entries;
}

bool needs_liveness(const SearchRequest& request) {
  const auto& properties = request.program.properties;
  for (std::size_t k = 0; k < properties.size(); ++k)
    if (properties[k]->kind == ir::Property::Kind::liveness && request.options.selected[k]) return true;
  return false;
}

SearchResult does_not_fit(const SearchRequest& request) {
  SearchResult result = Recorder(request.options).result;
  result.ending = Ending::memory_limit;
  result.warnings.push_back(
      fmt::format("the states of {} need more memory than there is", request.checkpoint->resume->string()));
  return result;
}

}  // namespace fathom
