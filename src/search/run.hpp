// The searches as the rest of the program sees them: named entries that put model, store and search together. This is
// the only place where search templates are instantiated, one file per search, so that changing a search recompiles
// one file. A new search is its file and one row in run.cpp.
#pragma once

#include <span>
#include <string_view>

#include "model/executor.hpp"
#include "search/expression.hpp"
#include "search/search.hpp"

namespace fathom {

enum class StoreChoice : std::uint8_t { exact, fingerprint };

struct SearchRequest {
  const ir::Program& program;
  Executor& model;
  const SearchOptions& options;
  StoreChoice store = StoreChoice::exact;
  Arguments arguments;
};

struct SearchEntry {
  std::string_view name;
  std::string_view help;
  SearchResult (*run)(const SearchRequest& request);
  std::span<const SearchParameter> parameters = {};
};

std::span<const SearchEntry> searches();

SearchResult run_bfs(const SearchRequest& request);
SearchResult run_dfs(const SearchRequest& request);

// Whether some selected property is a liveness property, which needs the whole graph after the search.
bool needs_liveness(const SearchRequest& request);

}  // namespace fathom
