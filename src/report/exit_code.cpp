#include "report/exit_code.hpp"

namespace fathom {

int exit_code::of(const Report& report) {
  if (report.signal != 0) return signal_base + report.signal;
  switch (report.verdict) {
    case Verdict::holds:
    case Verdict::holds_in_scope:
      return holds;
    case Verdict::violated:
      return violated;
    case Verdict::inconclusive:
      return inconclusive;
    case Verdict::rejected:
      return rejected;
  }
  return internal_fault;
}

}  // namespace fathom
