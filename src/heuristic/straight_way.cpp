#include "heuristic/straight_way.hpp"

namespace fathom {

bool StraightWay::is_there(ThreadClock::time_point deadline) {
  model_.quiet(true);
  state_ = nearest_start();
  if (state_.empty()) return true;
  std::uint32_t left = estimate_(state_);
  for (std::size_t length = 0; length < longest && ThreadClock::now() < deadline; ++length) {
    steps_.clear();
    model_.successors(state_, steps_);
    if (ends_here(left)) return true;
    if (!go_on(left)) return false;
    left = estimate_(state_);
  }
  return false;
}

StateBuffer StraightWay::nearest_start() {
  StateBuffer nearest;
  model_.initial(steps_);
  for (std::uint32_t k = 0; k < steps_.size(); ++k) {
    const StateView start = steps_.state(k);
    if (steps_.outcome(k).has_successor() && (nearest.empty() || estimate_(start) < estimate_(nearest)))
      nearest.assign(start.begin(), start.end());
  }
  return nearest;
}

bool StraightWay::ends_here(std::uint32_t left) {
  if (left == 0 && (goals_.is_violated(state_) || goals_.is_deadlock(state_, steps_))) return true;
  for (std::uint32_t k = 0; k < steps_.size(); ++k)
    if (goals_.fails(steps_.outcome(k)) && cost_of(k) == left) return true;
  return false;
}

bool StraightWay::go_on(std::uint32_t left) {
  for (std::uint32_t k = 0; k < steps_.size(); ++k) {
    if (!steps_.outcome(k).has_successor() || cost_of(k) > left) continue;
    const StateView next = steps_.state(k);
    if (estimate_(next) != left - cost_of(k)) continue;
    state_.assign(next.begin(), next.end());
    return true;
  }
  return false;
}

}  // namespace fathom
