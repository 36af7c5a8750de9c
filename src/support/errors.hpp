// Failures of the surroundings: a missing compiler, a full disk, a directory we may not write. They are neither the
// user's mistake in a model nor a bug of ours, and they end a run with their own message.
#pragma once

#include <stdexcept>

namespace fathom {

struct EnvironmentError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace fathom
