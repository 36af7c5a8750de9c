#include "cli/portfolio.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/searches.hpp"
#include "support/text.hpp"

namespace fathom {

namespace {

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

Strategy strategy_of(const Row& row, const CheckOptions& options, std::optional<std::uint32_t> claim) {
  Strategy strategy{options, claim};
  strategy.options.search = resolve_search(row.search).text();
  strategy.options.order = row.order;
  return strategy;
}

}  // namespace

std::vector<Strategy> portfolio(const ir::Program& program, const PropertySelection& selection,
                                const CheckOptions& options) {
  std::vector<Strategy> strategies;
  if (selection.states)
    for (const Row& row : for_states)
      if (row.suits == nullptr || row.suits(program, selection)) strategies.push_back(strategy_of(row, options, {}));
  for (const Row& row : for_claims)
    for (const std::uint32_t claim : selection.claims) strategies.push_back(strategy_of(row, options, claim));
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
