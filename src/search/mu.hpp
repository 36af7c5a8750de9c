// Formulas of the μ-calculus on a model: the state space is a structure that grows where the game of
// property/mu/solve.hpp looks at it, or a part of it that a bounded search has kept.
#pragma once

#include <optional>

#include "property/mu/equations.hpp"
#include "property/structure.hpp"
#include "search/run.hpp"

namespace fathom {

struct MuResult {
  SearchResult search;
  std::optional<FiniteStructure> proof;  // what decides the formula, where it was decided
};

// On the whole model. `claim` is the number of the formula, and the equations are its own.
MuResult run_mu(const SearchRequest& request, std::uint32_t claim, const mu::Equations& equations);

// On the part of the model that a search keeps.
MuResult run_mu_on_part(const SearchRequest& request, const SearchEntry& search, std::uint32_t claim,
                        const mu::Equations& equations);

}  // namespace fathom
