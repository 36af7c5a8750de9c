#include "search/run.hpp"

namespace fathom {

namespace {

constexpr SearchParameter best_first_parameters[] = {
    {"h", "H", "marked", "the evaluator that directs the search"},
};

constexpr SearchParameter biased_bfs_parameters[] = {
    {"limit", "N", "5", "states per level from which marked steps are followed; 0: all"},
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
     "how the states at the bound are kept: in full, as traces, or as a tree of traces"},
};

constexpr SearchParameter ndfs_parameters[] = {
    {"variant", "cvwy|hpy|se|direct", "se",
     "when a cycle is seen: back at the node the second search began with, back on the stack of the first, or already "
     "in the first search; direct: for non-progress cycles only, without an automaton"},
};

constexpr SearchParameter l2s_parameters[] = {
    {"search", "bfs", "bfs", "the search for states"},
};

constexpr SearchParameter highway_parameters[] = {
    {"n", "N", "100", "the breadth: how many new states of a level are kept", 1},
};

constexpr SearchParameter breadth_bounded_parameters[] = {
    {"n", "N", "100", "the breadth: how many new states of a level are kept", 1},
    {"degrade", "N", "", "the depth from which on states are kept only where one would lose all its successors", 1},
    {"progress", "yes|no", "no", "every state with new successors keeps one of these, even if it has old ones"},
};

constexpr SearchEntry entries[] = {
    {.name = "bfs",
     .help = "breadth-first: the first violation found has a shortest trace (default)",
     .run = run_bfs,
     .leaves_out_steps = LeavesOutSteps::on_request,
     .fill = fill_bfs},
    {.name = "dfs",
     .help = "depth-first: finds deep violations early; traces can be long",
     .run = run_dfs,
     .leaves_out_steps = LeavesOutSteps::by_default},
    {"bounded-dfs",
     "depth-first under a depth bound that is raised step by step: knows down to which depth every state was checked; "
     "traces can be long",
     run_bounded_dfs, bounded_dfs_parameters},
    {"greedy",
     "best-first: expands the state of which the evaluator h says least, the oldest of several; traces can be long",
     run_greedy, best_first_parameters},
    {"astar",
     "best-first by the length of the path plus the evaluator h (A*): a shortest trace if h is admissible; states are "
     "opened again when a shorter path to them is found",
     run_astar, best_first_parameters},
    {"biased-bfs",
     "breadth-first, but follows marked steps (see --mark and --flows) ahead of all others; traces are short, not "
     "always "
     "shortest",
     run_biased_bfs, biased_bfs_parameters, true},
    {"biased-dfs",
     "runs one agent at a time until several have marked steps enabled, and explores around such states first; traces "
     "can be long",
     run_biased_dfs, biased_dfs_parameters, true, false},
    {"context-bounded", "all runs in which the running agent changes at most so many times", run_context_bounded,
     context_bounded_parameters, false, false},
    {.name = "ndfs",
     .help = "nested depth-first, for ltl properties, never claims, acceptance and non-progress cycles (their default)",
     .run = run_ndfs,
     .parameters = ndfs_parameters,
     .leaves_out_steps = LeavesOutSteps::on_request,
     .for_claims = true},
    {.name = "scc",
     .help = "the same by strongly connected components; with --fair this is the one",
     .run = run_scc,
     .leaves_out_steps = LeavesOutSteps::on_request,
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
     .random = true,
     .takes_claims = true,
     .fill = fill_highway},
    {.name = "breadth-bounded",
     .help =
         "the same, but every state keeps a successor if it has any, so that its runs never end where the model's go "
         "on",
     .run = run_breadth_bounded,
     .parameters = breadth_bounded_parameters,
     .takes_fairness = true,
     .random = true,
     .takes_claims = true,
     .fill = fill_breadth_bounded},
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

}  // namespace fathom
