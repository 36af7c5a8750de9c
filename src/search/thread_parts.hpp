// What one thread of a search has for itself. The first one has those of the search.
#pragma once

#include "reduction/canonicaliser.hpp"

namespace fathom {

class Guidance;

template <class M>
struct ThreadParts {
  M* model = nullptr;
  Canonicaliser* canonicaliser = nullptr;
  const Guidance* guidance = nullptr;  // for searches that ask it
};

}  // namespace fathom
