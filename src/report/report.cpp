#include "report/report.hpp"

#include <fmt/format.h>

namespace fathom {

std::string assumption_of(const RepeatReport& repeat) {
  return fmt::format(
      "if every run, independently of the others, had a chance of at least {:.2g} % to show a violation, {} runs would "
      "have missed it with a probability of at most {:.0f} %",
      100 * repeat.chance.value_or(1), repeat.runs, 100 * repeat.doubt);
}

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
