// Whether an atom that cannot be evaluated matters. In `[] (i < 2 -> a[i] == 0)` the second atom goes wrong where i is
// 2, and nobody wants to know it there: as in the languages themselves, what is guarded is not read.
#pragma once

#include <algorithm>

#include "ir/claim.hpp"
#include "model/model.hpp"

namespace fathom {

// Where an automaton goes hangs on faulty atoms if an edge reads one, the other atoms do not rule it out, and no other
// edge surely leads to the same place.
inline bool moves_depend_on(const ir::Automaton::State& place, const AtomValues& atoms) {
  const auto is_sure = [&](const ir::Automaton::Edge& edge) {
    return !edge.condition.reads(atoms.faulty) && edge.condition.admits(atoms.holding);
  };
  return std::ranges::any_of(place.edges, [&](const ir::Automaton::Edge& edge) {
    if (is_sure(edge)) return edge.asserted && (atoms.faulty >> *edge.asserted & 1) != 0;
    if (!edge.condition.reads(atoms.faulty) || !edge.condition.without(atoms.faulty).admits(atoms.holding))
      return false;
    return edge.asserted || std::ranges::none_of(place.edges, [&](const ir::Automaton::Edge& other) {
             return other.target == edge.target && is_sure(other);
           });
  });
}

}  // namespace fathom
