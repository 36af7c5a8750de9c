#include "cli/shorten_trace.hpp"

#include <fmt/format.h>

#include "cli/model_check.hpp"
#include "cli/recorded_claim.hpp"
#include "cli/run_rules.hpp"
#include "cli/saved_run.hpp"
#include "cli/stepper.hpp"
#include "cli/usage_error.hpp"
#include "report/exit_code.hpp"
#include "trace/shorten.hpp"
#include "trace/shorten_lasso.hpp"

namespace fathom {

namespace {

constexpr double default_shortening_seconds = 10;
constexpr double share_around_the_run = 0.5;
constexpr std::uint64_t expansions_around_a_lasso = 100'000;
constexpr std::uint64_t as_many_as_time_allows = 1'000'000'000'000'000;  // expansions

class Shortening {
 public:
  explicit Shortening(const CheckOptions& options)
      : saved_(load_saved_trace(options.recorded)), options_(with_defaults(options, saved_)), check_(options_) {}

  int run() {
    if (!check_.load()) return check_.finish();
    Stepper stepper(check_.model(), options_);
    const Followed followed = stepper.follow(saved_.trace);
    if (!stepper.violation() && followed.complete && saved_.trace.loop) breaks_recorded_claim(stepper, saved_);
    if (!stepper.violation()) stepper.choices();
    if (!stepper.violation()) return nothing_to_shorten(followed);
    check_.report().search = "shorten";
    if (stepper.violation()->kind == Violation::Kind::cycle)
      add_lasso(stepper);
    else
      check_.add({{}, stepper.selection(), shortened(stepper), check_.elapsed(), options_.seed});
    return check_.finish();
  }

 private:
  // An optimised program may come back to a state that the model as it is written does not see twice.
  static CheckOptions with_defaults(CheckOptions options, const SavedTrace& saved) {
    if (!options.seconds) options.seconds = default_shortening_seconds;
    return saved.trace.loop ? options : without_optimisation(std::move(options));
  }

  // First what can be done around the run, and then the search for a shortest one, as long as time allows.
  void add_lasso(const Stepper& stepper) {
    const std::uint32_t claim = stepper.violation()->property;
    JobResult result;
    result.search = stepper.result();
    result.search.claim_violations = 1;
    result.rules = run_rules(check_.program(), options_);
    if (check_.program().claims[claim].kind != ir::Claim::Kind::non_progress) result.rules.progress.clear();
    InterpretedModel model(check_.program());
    const auto go_on = [this] {
      return check_.elapsed() < *options_.seconds * share_around_the_run && check_.go_on({.phase = "shortening"});
    };
    Counterexample best =
        shorten_lasso(stepper.counterexample(), result.rules, model, {expansions_around_a_lasso, go_on});
    const std::size_t found_length = stepper.counterexample().steps.size();
    if (std::optional<Counterexample> shortest = shortest_lasso(claim)) {
      const bool better = shortest->states.size() <= best.states.size();
      if (better) best = std::move(*shortest);
    }
    result.found_length = found_length;
    result.search.first = std::move(best);
    result.search_text = "shorten";
    check_.add({claim, check_.nothing_of_states(), std::move(result), check_.elapsed(), options_.seed});
  }

  // A shortest one of the product of model and automaton, if the search comes to its end in time.
  std::optional<Counterexample> shortest_lasso(std::uint32_t claim) {
    if (options_.fair || !options_.strong_fair.empty()) return std::nullopt;
    CheckOptions options = options_;
    options.search = "l2s";
    try {
      JobResult result = run_job({check_.program(), options, check_.nothing_of_states(), nullptr,
                                  [this](const Progress& progress) { return check_.go_on(progress); },
                                  [](const Diagnostics&) {}, claim});
      if (result.search.first && result.search.first->loop) return std::move(result.search.first);
    } catch (const UsageError&) {
      // That search does not go with the options.
    }
    return std::nullopt;
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
    result.hits.assign(executor.hits().begin(), executor.hits().end());
    result.pending.assign(executor.pending().begin(), executor.pending().end());
    return result;
  }

  const SavedTrace saved_;
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
