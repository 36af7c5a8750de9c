#include "trace/shorten.hpp"

#include <new>

namespace fathom {

bool can_be_shortened(const Counterexample& run) {
  return !run.shortest &&
         (run.violation.kind == Violation::Kind::invariant || run.violation.kind == Violation::Kind::fault ||
          run.violation.kind == Violation::Kind::deadlock);
}

Counterexample shorten(Counterexample run, Executor& model, const SearchOptions& options,
                       const ShorteningEffort& effort) {
  model.quiet(true);
  try {
    run = Shortener<Executor>(model, options, effort, run).run();
  } catch (const std::bad_alloc&) {
    // The run stays as it was found.
  }
  model.quiet(false);
  return run;
}

}  // namespace fathom
