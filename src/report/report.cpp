#include "report/report.hpp"

namespace fathom {

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::holds_in_scope:
      return "holds-in-scope";
    case Verdict::violated:
      return "violated";
    case Verdict::inconclusive:
      return "inconclusive";
    case Verdict::rejected:
      return "rejected";
  }
  return "";
}

}  // namespace fathom
