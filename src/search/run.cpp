#include "search/run.hpp"

namespace fathom {

namespace {

constexpr SearchEntry entries[] = {
    {"bfs", "breadth-first: the first violation found has a shortest trace (default)", run_bfs},
    {"dfs", "depth-first: finds deep violations early; traces can be long", run_dfs},
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
