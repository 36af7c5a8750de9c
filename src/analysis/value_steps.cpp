#include "analysis/value_steps.hpp"

#include <algorithm>

namespace fathom {

namespace {

// The codes of a type, 0 for `undefined` where the type has that.
bool is_code(const ir::Type& type, std::size_t code) {
  return type.is_machine() || code <= type.cardinality();
}

bool may_become(const ir::Type& type, const Written& what, bool unfollowed, std::size_t from, std::size_t to) {
  const std::int64_t before = type.decode(from), after = type.decode(to);
  if (unfollowed || std::ranges::count(what.values, after) > 0) return true;
  if (after == ir::undefined) return false;
  // Several writes in one step: a value that was written can then be made larger or smaller.
  const bool mixed = (what.more && what.less) || ((what.more || what.less) && !what.values.empty());
  if (what.anything || mixed) return true;
  return before != ir::undefined && ((what.more && after > before) || (what.less && after < before));
}

}  // namespace

bool ValueSteps::follows(std::uint32_t cell) const {
  return cells_[cell].type->is_scalar() && cells_[cell].type->bits <= max_bits;
}

void ValueSteps::add(const Action& action, std::uint32_t cell, Graph& graph) const {
  const auto found = action.touches.written.find(cell);
  if (found == action.touches.written.end()) return;
  const ir::Type& type = *cells_[cell].type;
  const auto fact = std::ranges::find(action.facts, cell, &std::pair<std::uint32_t, std::int64_t>::first);
  for (std::size_t from = 0; from < graph.size(); ++from) {
    if (!is_code(type, from) || (fact != action.facts.end() && type.decode(from) != fact->second)) continue;
    for (std::size_t to = 0; to < graph.size(); ++to)
      if (is_code(type, to) && may_become(type, found->second, action.touches.unfollowed, from, to))
        graph[to].set(from);
  }
}

const ValueSteps::Graph& ValueSteps::graph(std::uint32_t cell) {
  const auto [found, fresh] = graphs_.try_emplace(cell, codes(cell), BitSet(codes(cell)));
  for (std::size_t k = 0; fresh && k < actions_.steps(); ++k) add(actions_.all()[k], cell, found->second);
  return found->second;
}

std::vector<std::uint32_t> ValueSteps::distances(std::uint32_t cell, const std::vector<bool>& wanted) {
  const Graph& before = graph(cell);
  std::vector<std::uint32_t> distance(wanted.size(), never);
  std::vector<std::size_t> reached;
  for (std::size_t code = 0; code < wanted.size(); ++code) {
    if (!wanted[code]) continue;
    distance[code] = 0;
    reached.push_back(code);
  }
  for (std::size_t k = 0; k < reached.size(); ++k) {
    const std::size_t to = reached[k];
    before[to].for_each([&](std::size_t from) {
      if (distance[from] != never) return;
      distance[from] = distance[to] + 1;
      reached.push_back(from);
    });
  }
  return distance;
}

std::vector<bool> ValueSteps::reachable(std::uint32_t cell, std::vector<bool> from) {
  const Graph& before = graph(cell);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t to = 0; to < from.size(); ++to) {
      if (from[to]) continue;
      before[to].for_each([&](std::size_t code) { from[to] = from[to] || from[code]; });
      changed = changed || from[to];
    }
  }
  return from;
}

}  // namespace fathom
