#include "cli/shorten_trace.hpp"

#include <fmt/format.h>

#include "cli/model_check.hpp"
#include "cli/saved_run.hpp"
#include "cli/stepper.hpp"
#include "cli/usage_error.hpp"
#include "report/exit_code.hpp"
#include "trace/shorten.hpp"

namespace fathom {

namespace {

constexpr double default_seconds = 10;
constexpr std::uint64_t as_many_as_time_allows = 1'000'000'000'000'000;  // expansions

class Shortening {
 public:
  explicit Shortening(const CheckOptions& options) : options_(with_defaults(options)), check_(options_) {}

  int run() {
    const SavedTrace saved = load_saved_trace(options_.recorded);
    if (!check_.load()) return check_.finish();
    Stepper stepper(check_.model(), options_);
    const Followed followed = stepper.follow(saved.trace);
    if (!stepper.violation()) stepper.choices();
    if (!stepper.violation()) return nothing_to_shorten(followed);
    check_.report().search = "shorten";
    check_.add({{}, stepper.selection(), shortened(stepper), check_.elapsed(), options_.seed});
    return check_.finish();
  }

 private:
  static CheckOptions with_defaults(CheckOptions options) {
    if (!options.seconds) options.seconds = default_seconds;
    return without_optimisation(std::move(options));
  }

  int nothing_to_shorten(const Followed& followed) {
    const std::string why = followed.complete
                                ? "it fits the model, but no violation of a state or step shows at its end"
                                : fmt::format("it fits the model only up to step {}", followed.position);
    check_.output().warn(fmt::format("the trace cannot be shortened: {} (fathom replay tells more)", why));
    return exit_code::inconclusive;
  }

  JobResult shortened(const Stepper& stepper) {
    JobResult result;
    result.search = stepper.result();
    result.found_length = length_of(stepper.counterexample());
    const SearchJob job{check_.program(), options_, stepper.selection(), nullptr, {}, {}};
    Executor executor(check_.program(), engine_choice(options_.engine));
    const ShorteningEffort effort{
        as_many_as_time_allows, *options_.seconds, options_.memory,
        [this](std::uint64_t states) { return check_.go_on({.states = states, .phase = "shortening"}); }};
    result.search.first = shorten(stepper.counterexample(), executor, search_options(job), effort);
    const EngineUse use = executor.use();
    result.engine = {use.interpreted, use.native, use.note};
    result.compile_seconds = use.compile_seconds;
    result.hits = executor.hits();
    result.pending = executor.pending();
    return result;
  }

  const CheckOptions options_;
  ModelCheck check_;
};

}  // namespace

int shorten_trace(const CheckOptions& options) {
  if (options.recorded.empty() || options.model.empty())
    throw UsageError("which trace and which model? Usage: fathom shorten [options] TRACE MODEL");
  return Shortening(options).run();
}

}  // namespace fathom
