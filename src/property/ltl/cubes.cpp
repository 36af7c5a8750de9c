#include "property/ltl/cubes.hpp"

#include <algorithm>
#include <bit>

namespace fathom::ltl {
namespace {

std::uint64_t lowest_bit(std::uint64_t word) {
  return word & (~word + 1);
}

// An atom that one of the others, which all meet the cube, speaks about and the cube does not; 0 if there is none.
std::uint64_t deciding_atom(const Cube& cube, std::span<const Cube> others) {
  for (const Cube& other : others) {
    const std::uint64_t open = (other.positive | other.negative) & ~(cube.positive | cube.negative);
    if (open != 0) return lowest_bit(open);
  }
  return 0;
}

std::vector<Cube> meeting(const Cube& cube, std::span<const Cube> others) {
  std::vector<Cube> result;
  for (const Cube& other : others)
    if (!disjoint(cube, other)) result.push_back(other);
  return result;
}

// Leaves out literals as long as the rest covers what is gained.
void widen(Cube& cube, std::span<const Cube> all) {
  for (std::uint64_t literals = cube.positive | cube.negative; literals != 0; literals &= literals - 1) {
    const std::uint64_t atom = lowest_bit(literals);
    const Cube wider{cube.positive & ~atom, cube.negative & ~atom};
    if (covered(wider, all)) cube = wider;
  }
}

constexpr int covering_budget = 20'000;

bool covered_within(const Cube& cube, std::span<const Cube> others, int& budget) {
  for (const Cube& other : others)
    if (covers(other, cube)) return true;
  const std::vector<Cube> relevant = meeting(cube, others);
  if (relevant.size() < 2 || --budget < 0) return false;
  const std::uint64_t atom = deciding_atom(cube, relevant);
  return covered_within({cube.positive | atom, cube.negative}, relevant, budget) &&
         covered_within({cube.positive, cube.negative | atom}, relevant, budget);
}

}  // namespace

bool covered(const Cube& cube, std::span<const Cube> others) {
  int budget = covering_budget;
  return covered_within(cube, others, budget);
}

std::vector<Cube> minimised(std::vector<Cube> cubes) {
  for (std::size_t i = 0; i < cubes.size(); ++i) widen(cubes[i], cubes);
  std::vector<Cube> kept = cubes;
  for (std::size_t i = kept.size(); i-- > 0;) {
    const Cube candidate = kept[i];
    kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(i));
    if (!covered(candidate, kept)) kept.insert(kept.begin() + static_cast<std::ptrdiff_t>(i), candidate);
  }
  std::sort(kept.begin(), kept.end(), [](const Cube& a, const Cube& b) {
    return std::pair(a.positive, a.negative) < std::pair(b.positive, b.negative);
  });
  return kept;
}

}  // namespace fathom::ltl
