#include "heuristic/combination.hpp"

#include <algorithm>
#include <cmath>

namespace fathom {

namespace {

bool any_wants_enabled(const EvaluatorParts& parts) {
  return std::ranges::any_of(parts, [](const auto& part) { return part->wants_enabled(); });
}

}  // namespace

Promise Largest::promise() const {
  Promise whole{.admissible = true, .consistent = true};
  for (const auto& part : parts_) {
    whole.admissible = whole.admissible && part->promise().admissible;
    whole.consistent = whole.consistent && part->promise().consistent;
  }
  return whole;
}

bool Largest::wants_enabled() const {
  return any_wants_enabled(parts_);
}

Cost Largest::estimate(StateView state, const Batch& enabled) {
  Cost largest = 0;
  for (const auto& part : parts_) {
    largest = std::max(largest, part->estimate(state, enabled));
    if (largest == dead_end) break;
  }
  return largest;
}

Promise Sum::promise() const {
  return parts_.size() == 1 ? parts_.front()->promise() : Promise{};
}

bool Sum::wants_enabled() const {
  return any_wants_enabled(parts_);
}

Cost Sum::estimate(StateView state, const Batch& enabled) {
  std::uint64_t sum = 0;
  for (const auto& part : parts_) {
    const Cost estimate = part->estimate(state, enabled);
    if (estimate == dead_end) return dead_end;
    sum += estimate;
  }
  return static_cast<Cost>(std::min<std::uint64_t>(sum, largest_estimate));
}

Promise Weighted::promise() const {
  return weight_ <= 1 ? part_->promise() : Promise{};
}

Cost Weighted::estimate(StateView state, const Batch& enabled) {
  const Cost estimate = part_->estimate(state, enabled);
  if (estimate == dead_end) return dead_end;
  return static_cast<Cost>(std::min<double>(std::floor(weight_ * estimate), largest_estimate));
}

}  // namespace fathom
