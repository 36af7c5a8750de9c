#include "cli/portfolio.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/effort.hpp"
#include "cli/searches.hpp"
#include "support/text.hpp"

namespace fathom {

namespace {

constexpr std::uint64_t effort_of_late_ones = 30'000;  // from here on it is more than a second or two

struct Row {
  const char* search;
  Order order = Order::declared;
  bool (*suits)(const ir::Program&, const PropertySelection&) = nullptr;
};

bool has_rules(const ir::Program& program, const PropertySelection&) {
  return program.components.size() == 1;
}

bool has_processes(const ir::Program& program, const PropertySelection&) {
  return program.components.size() > 1;
}

bool looks_at_deadlocks(const ir::Program&, const PropertySelection& selection) {
  return selection.deadlock;
}

// Early rows have their first turn early: what finds most bugs soonest comes first.
constexpr Row for_states[] = {
    {"bfs"},
    {"dfs"},
    {"dfs", Order::random},
    {"greedy(h=formula())"},
    {"greedy(h=fsm())", Order::declared, has_processes},
    {"greedy(h=most-blocked())", Order::declared, looks_at_deadlocks},
    {"biased-bfs", Order::declared, has_rules},
    {"biased-dfs", Order::declared, has_rules},
    {"highway(n=1000)"},
    {"broadening(h=formula(), k=100)"},
    {"astar(h=abstraction(time=1))"},
    {"bounded-dfs(step=100)"},
};

constexpr Row for_claims[] = {
    {"ndfs"},
    {"ndfs", Order::random},
};

const char* name_of(Order order) {
  switch (order) {
    case Order::reverse:
      return "reverse";
    case Order::random:
      return "random";
    case Order::declared:
      break;
  }
  return "declared";
}

// Where the steps of a search are chosen by what they touch, or by an evaluator, there is much to find out beforehand.
bool analyses(const SearchExpression& search) {
  return entry_of(search).leaves_out_steps == LeavesOutSteps::by_default ||
         std::ranges::count(search.arguments, SearchArgument::Kind::search, &SearchArgument::kind) > 0;
}

Strategy strategy_of(const Row& row, const CheckOptions& options, std::optional<std::uint32_t> claim, bool is_large) {
  Strategy strategy{options, claim};
  const SearchExpression search = resolve_search(row.search);
  strategy.options.search = search.text();
  strategy.options.order = row.order;
  strategy.late = is_large && analyses(search);
  return strategy;
}

}  // namespace

std::vector<Strategy> portfolio(const ir::Program& program, const PropertySelection& selection,
                                const CheckOptions& options) {
  const bool is_large = effort_to_analyse(program).pairs() > effort_of_late_ones;
  std::vector<Strategy> strategies;
  if (selection.states)
    for (const Row& row : for_states)
      if (row.suits == nullptr || row.suits(program, selection))
        strategies.push_back(strategy_of(row, options, {}, is_large));
  for (const Row& row : for_claims)
    for (const std::uint32_t claim : selection.claims) strategies.push_back(strategy_of(row, options, claim, is_large));
  return strategies;
}

std::string text_of(const Strategy& strategy) {
  const CheckOptions& options = strategy.options;
  if (options.order == Order::declared) return options.search;
  return fmt::format("{}, {} order, seed {}", options.search, name_of(options.order), options.seed);
}

std::string arguments_of(const Strategy& strategy) {
  const CheckOptions& options = strategy.options;
  std::string text = " --search " + shell_quoted(options.search);
  if (options.order != Order::declared) text += fmt::format(" --order {}", name_of(options.order));
  if (options.seed != 1) text += fmt::format(" --seed {}", options.seed);
  return text;
}

}  // namespace fathom
