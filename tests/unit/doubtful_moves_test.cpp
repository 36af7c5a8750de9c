#include "property/doubtful_moves.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace fathom {
namespace {

using Edge = ir::Automaton::Edge;

ir::Automaton::State place_with(std::vector<std::pair<ir::Cube, std::uint32_t>> edges) {
  ir::Automaton::State place;
  for (const auto& [condition, target] : edges) place.edges.push_back({target, condition, {}, {}});
  return place;
}

std::set<std::uint32_t> targets(const ir::Automaton::State& place, std::uint64_t atoms) {
  std::set<std::uint32_t> found;
  for (const Edge& edge : place.edges)
    if (edge.condition.admits(atoms)) found.insert(edge.target);
  return found;
}

constexpr std::uint64_t guard = 1, guarded = 2;

TEST(DoubtfulMoves, WhatAGuardRulesOutDoesNotMatter) {
  // Of runs that violate [] (guard -> guarded): on and on, or to the bad state.
  const ir::Automaton::State place = place_with({{{}, 0}, {{guard, guarded}, 1}});
  EXPECT_FALSE(moves_depend_on(place, {.holding = 0, .faulty = guarded}));
  EXPECT_TRUE(moves_depend_on(place, {.holding = guard, .faulty = guarded}));
}

TEST(DoubtfulMoves, AnotherWayToTheSamePlaceSettlesIt) {
  // Of runs that violate <> (guard && guarded).
  const ir::Automaton::State place = place_with({{{0, guard}, 0}, {{0, guarded}, 0}});
  EXPECT_FALSE(moves_depend_on(place, {.holding = 0, .faulty = guarded}));
  EXPECT_TRUE(moves_depend_on(place, {.holding = guard, .faulty = guarded}));
}

TEST(DoubtfulMoves, AnAssertionThatCannotBeEvaluatedMatters) {
  ir::Automaton::State place = place_with({{{}, 0}});
  place.edges.front().asserted = 1;
  EXPECT_TRUE(moves_depend_on(place, {.holding = 0, .faulty = guarded}));
  EXPECT_FALSE(moves_depend_on(place, {.holding = guarded, .faulty = 0}));
}

// Whatever the faulty atoms were, the automaton would go to the same places.
TEST(DoubtfulMoves, WhereNothingDependsOnThemTheirValuesMakeNoDifference) {
  std::mt19937 random(1);
  int settled = 0;
  for (int round = 0; round < 20'000; ++round) {
    ir::Automaton::State place;
    for (unsigned k = random() % 5; k > 0; --k) {
      const std::uint64_t positive = random() % 16 & random() % 16;
      place.edges.push_back({static_cast<std::uint32_t>(random() % 3), {positive, random() % 16 & ~positive}, {}, {}});
    }
    const std::uint64_t faulty = random() % 16, holding = random() % 16 & ~faulty;
    if (moves_depend_on(place, {holding, faulty})) continue;
    settled += faulty != 0;
    for (std::uint64_t values = 0; values < 16; ++values)
      ASSERT_EQ(targets(place, holding | (values & faulty)), targets(place, holding));
  }
  EXPECT_GT(settled, 1'000);
}

}  // namespace
}  // namespace fathom
