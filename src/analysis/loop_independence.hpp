// Whether the iterations of a `for` loop may be run in any order. Yes is proved; no may be excess of caution.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/accesses.hpp"
#include "support/diagnostics.hpp"

namespace fathom {

// Why the order may matter: one or two places in the text.
struct OrderDependence {
  std::vector<Note> notes;
};

std::optional<OrderDependence> order_dependence(const ir::Stmt& loop, Environment& environment, const LocalUses& uses);

}  // namespace fathom
