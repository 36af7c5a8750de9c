// A mistake on the command line: one line for the user, and exit code 2.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace fathom {

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// "; did you mean `--search`?" when one of the candidates is close enough, else "".
std::string did_you_mean(const std::string& given, const std::vector<std::string>& candidates);

}  // namespace fathom
