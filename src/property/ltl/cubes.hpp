// Sets of cubes: which are covered by others, and small sets for the same condition.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ir/claim.hpp"

namespace fathom::ltl {

using ir::Cube;

// Whether everything that `narrow` admits is admitted by `wide`.
inline bool covers(const Cube& wide, const Cube& narrow) {
  return (wide.positive & ~narrow.positive) == 0 && (wide.negative & ~narrow.negative) == 0;
}

inline bool disjoint(const Cube& a, const Cube& b) {
  return ((a.positive & b.negative) | (a.negative & b.positive)) != 0;
}

// The conjunction, if it is not false.
inline std::optional<Cube> intersection(const Cube& a, const Cube& b) {
  if (disjoint(a, b)) return std::nullopt;
  return Cube{a.positive | b.positive, a.negative | b.negative};
}

// Whether everything that `cube` admits is admitted by one of the others. The question can be hard; after a while we
// give up and answer no, so whoever asks must be on the safe side with no.
bool covered(const Cube& cube, std::span<const Cube> others);

// The same condition with few and wide cubes, none of which can be left out.
std::vector<Cube> minimised(std::vector<Cube> cubes);

}  // namespace fathom::ltl
