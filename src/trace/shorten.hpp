// The shortening of a run for the executor that found it; trace/shortener.hpp is the method.
#pragma once

#include "model/executor.hpp"
#include "trace/shortener.hpp"

namespace fathom {

// Whether it makes sense to look for a shorter run. One that leads to a liveness violation is not shortened: what it
// leads to is decided on the whole graph.
bool can_be_shortened(const Counterexample& run);

// A run that shows the same violation and is not longer; `shortest` says whether that is proven. Nothing is printed or
// counted by the model meanwhile.
Counterexample shorten(Counterexample run, Executor& model, const SearchOptions& options,
                       const ShorteningEffort& effort);

}  // namespace fathom
