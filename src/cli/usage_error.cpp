#include "cli/usage_error.hpp"

#include "support/diagnostics.hpp"

namespace fathom {

std::string did_you_mean(const std::string& given, const std::vector<std::string>& candidates) {
  const std::string candidate = closest(given, candidates);
  return candidate.empty() ? "" : "; did you mean `" + candidate + "`?";
}

}  // namespace fathom
