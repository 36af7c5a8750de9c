#include "heuristic/marked.hpp"

namespace fathom {

Cost Marked::estimate(StateView state, const Batch& enabled) {
  Cost estimate = without_marks;
  for (std::uint32_t k = 0; k < enabled.size() && estimate > 0; ++k)
    if (is_marked_(enabled.instance(k), state)) --estimate;
  return estimate;
}

}  // namespace fathom
