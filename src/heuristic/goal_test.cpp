#include "heuristic/goal_test.hpp"

#include <algorithm>

namespace fathom {

namespace {

bool has_bit(const std::vector<std::uint64_t>& words, std::size_t bit) {
  return bit / 64 < words.size() && ((words[bit / 64] >> (bit % 64)) & 1) != 0;
}

}  // namespace

bool GoalTest::is_violated(StateView state) {
  model_.check(state, findings_);
  if (findings_.result != StateCheck::Result::violated) return findings_.result == StateCheck::Result::fault;
  for (std::size_t property = 0; property < goals_.selected.size(); ++property)
    if (goals_.selected[property] && has_bit(findings_.violated, property)) return true;
  return false;
}

bool GoalTest::is_deadlock(StateView state, const Batch& steps) {
  if (!goals_.deadlock) return false;
  if (goals_.valid_end) return steps.empty() && !ends_well(state);
  if (!goals_.stuttering) return steps.empty();
  for (std::uint32_t k = 0; k < steps.size(); ++k)
    if (steps.outcome(k).is_fault() || !std::ranges::equal(steps.state(k), state)) return false;
  return true;
}

bool GoalTest::ends_well(StateView state) {
  std::vector<std::uint64_t> holding((goals_.program.properties.size() + 63) / 64);
  model_.live(state, holding.data());
  return has_bit(holding, *goals_.valid_end);
}

}  // namespace fathom
