#include "search/found_violation.hpp"

#include "search/checkpoint.hpp"

namespace fathom {

void FoundViolation::save(SealedWriter& out) const {
  save_violation(violation, out);
  out.list(state);
  out.number(index_of(from));
  out.number(step ? 1 : 0);
  out.number(static_cast<std::uint64_t>(step.value_or(InstanceId{})));
  out.number(is_new ? 1 : 0);
  out.number(origin);
}

FoundViolation FoundViolation::loaded(SealedReader& in) {
  FoundViolation found;
  found.violation = load_violation(in);
  found.state = in.list();
  found.from = StateId{in.number()};
  const bool is_step = in.number() != 0;
  const InstanceId step{in.number()};
  if (is_step) found.step = step;
  found.is_new = in.number() != 0;
  found.origin = in.number();
  return found;
}

}  // namespace fathom
