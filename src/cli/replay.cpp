#include "cli/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/recorded_claim.hpp"
#include "cli/run_text.hpp"
#include "cli/saved_run.hpp"
#include "cli/usage_error.hpp"
#include "report/assess.hpp"
#include "report/exit_code.hpp"
#include "trace/misfit.hpp"

namespace fathom {

namespace {

constexpr std::size_t most_merged = 100;  // statements at the end of a trail

std::string steps_of(std::size_t count) {
  return fmt::format("{} step{}", grouped(count), count == 1 ? "" : "s");
}

// What both kinds of recorded runs have in common: the run is in the stepper as far as it fits.
class ReplayCommand {
 public:
  ReplayCommand(LoadedModel& model, const CheckOptions& options, Output& output)
      : output_(output), stepper_(model, options), text_(stepper_, output, options) {}

  int run(const SavedTrace& saved) {
    prepare();
    const Followed followed = stepper_.follow(saved.trace);
    if (!stepper_.violation() && followed.complete) breaks_recorded_claim(stepper_, saved);
    text_.show_new_steps();
    if (!stepper_.violation() && !followed.complete) return does_not_fit(followed, why_step(saved.trace, followed));
    const std::size_t left = saved.trace.steps.size() - std::min(saved.trace.steps.size(), stepper_.shown());
    return finish(left, nothing_at_the_end(saved));
  }

  int run(const SpinTrail& trail) {
    prepare();
    const ir::NumberedStatements numbers = stepper_.model().promela->spin_numbers();
    const Followed followed = follow(trail, numbers);
    if (followed.complete && trail.loop && !stepper_.violation()) go_round_once_more(trail, numbers);
    if (followed.complete && trail.merged && !trail.loop) finish_merged_steps(trail);
    if (followed.complete && !trail.loop) look_for_end_of_claim();
    text_.show_new_steps();
    if (!stepper_.violation() && !followed.complete)
      return does_not_fit(followed, why_entry(trail.entries[followed.position], numbers));
    return finish(0, "no violation shows at its end");
  }

 private:
  Followed follow(const SpinTrail& trail, const ir::NumberedStatements& numbers) {
    Followed followed = stepper_.follow([&](InterpretedModel& model, const Describer& describer) {
      return std::make_unique<TrailGuide>(trail, numbers, model, describer);
    });
    if (followed.complete && trail.loop) look_for_cycle(*trail.loop, followed);
    return followed;
  }

  // Steps that were merged are taken late, other ones where the cycle begins than where it ends. Going round once more
  // ends as the first round did.
  void go_round_once_more(const SpinTrail& trail, const ir::NumberedStatements& numbers) {
    const Followed followed = follow(with_second_round(trail), numbers);
    if (!followed.complete || !stepper_.violation()) follow(trail, numbers);
  }

  // A trail does not say which claim its cycle violates.
  void look_for_cycle(std::size_t loop, const Followed& followed) {
    const auto found = std::ranges::find(followed.positions, loop);
    const auto step = static_cast<std::size_t>(found - followed.positions.begin());
    const std::size_t claims = stepper_.model().program->claims.size();
    for (std::uint32_t k = 0; k < claims && !stepper_.violation(); ++k)
      stepper_.breaks_claim({Violation::Kind::cycle, k, ir::SiteId::none}, stepper_.shown_before(step));
  }

  // Nor whether it ended in the claim, or when a formula could not hold any more.
  void look_for_end_of_claim() {
    using Kind = Violation::Kind;
    const std::vector<ir::Claim>& claims = stepper_.model().program->claims;
    for (std::uint32_t k = 0; k < claims.size(); ++k) {
      std::vector<Kind> kinds;
      if (claims[k].kind == ir::Claim::Kind::never) kinds = {Kind::claim_assertion, Kind::claim_end};
      if (claims[k].kind == ir::Claim::Kind::ltl) kinds = {Kind::cycle};
      for (const Kind kind : kinds)
        if (!stepper_.violation()) stepper_.breaks_claim({kind, k, ir::SiteId::none}, std::nullopt);
    }
  }

  void prepare() {
    for (const std::string& warning : stepper_.warnings()) output_.warn(warning);
    if (stepper_.starts().empty()) throw UsageError("the model has no start state: nothing can be replayed");
  }

  // A deadlock counts only where the trace ends, which is where one looks for the next step.
  int finish(std::size_t left, const std::string& otherwise) {
    if (!stepper_.violation()) stepper_.choices();
    const std::size_t length = stepper_.shown();
    const Report report = stepper_.report("replay", fmt::format("a trace of {} was replayed", steps_of(length)));
    std::string end = text_.chart(*report.trace);
    if (!stepper_.violation()) {
      end += fmt::format("\nthe trace fits the model, and {}\n", otherwise);
    } else {
      end += text_.conclusion(report);
      if (left > 0) end += fmt::format("the trace goes on for {} after this\n", steps_of(left));
    }
    output_.finish(report, end);
    return stepper_.violation() ? exit_code::violated : exit_code::holds;
  }

  int does_not_fit(const Followed& followed, const std::string& why) {
    const Report report = stepper_.report("replay", fmt::format("the trace fits up to step {}", followed.position));
    std::string end = text_.chart(*report.trace);
    const char* const verdict = followed.gave_up ? "no run of the model was found that fits the trace"
                                                 : "the trace does not fit the model any more";
    end += fmt::format("\n{}\n{}\n", verdict, why);
    output_.finish(report, end);
    return exit_code::inconclusive;
  }

  [[nodiscard]] std::string why_step(const Trace& trace, const Followed& followed) {
    return fmt::format(
        "step {}: {}", followed.position + 1,
        why_not(stepper_.interpreter(), stepper_.describer(), trace.steps[followed.position], stepper_.state()));
  }

  [[nodiscard]] std::string why_entry(const SpinTrail::Entry& entry, const ir::NumberedStatements& numbers) const {
    return fmt::format("line {}: process {} cannot execute {}", entry.line, entry.process,
                       statement_with(numbers, entry.transition, stepper_.model().sources));
  }

  [[nodiscard]] static std::string nothing_at_the_end(const SavedTrace& saved) {
    if (saved.kind.empty()) return "no violation shows at its end";
    if (saved.kind == "liveness")
      return "its end is reached; whether a liveness property fails there is for `fathom check` to say";
    const std::string name = saved.name.empty() || saved.name == saved.kind ? "" : fmt::format(" \"{}\"", saved.name);
    return fmt::format("the violation it recorded ({}{}) does not show at its end any more", saved.kind, name);
  }

  // Statements that were merged into the last transition of each process. The trail does not say how many there are: if
  // a violation shows within a few of them it is the one the trail is about, and if none does they are taken back.
  void finish_merged_steps(const SpinTrail& trail) {
    const std::size_t before = stepper_.length();
    std::set<std::string> moved;
    for (const SpinTrail::Entry& entry : trail.entries) moved.insert(entry.process);
    for (std::size_t k = 0; k < most_merged && !stepper_.over(); ++k) {
      const auto& choices = stepper_.choices();
      const auto own = std::ranges::find_if(choices, [&](InstanceId choice) {
        const std::vector<std::string> agents = stepper_.titles_of(choice).front().agents;
        return agents.size() == 1 && moved.contains(agents.front());
      });
      if (own == choices.end()) break;
      stepper_.take(*own);
    }
    if (stepper_.violation()) return;
    while (stepper_.length() > before) stepper_.undo();
  }

  Output& output_;
  Stepper stepper_;
  RunText text_;
};

// Runs are replayed in the model as it is written. But an optimised program may come back to a state that this one does
// not see twice.
CheckOptions settings_for(const SavedTrace& saved, const CheckOptions& options) {
  const CheckOptions plain = without_optimisation(options);
  if (!saved.trace.loop) return plain;
  LoadedModel model;
  load_model(plain, model);
  if (!model.program) return plain;
  Stepper stepper(model, plain);
  const bool closes = !stepper.starts().empty() && stepper.follow(saved.trace).complete &&
                      (stepper.violation() || breaks_recorded_claim(stepper, saved));
  return closes ? plain : options;
}

}  // namespace

int replay(const CheckOptions& options) {
  if (options.recorded.empty() || options.model.empty())
    throw UsageError("which trace and which model? Usage: fathom replay [options] TRACE MODEL");
  Output output(options);
  const std::string text = read_run_file(options.recorded);
  // A trail of a violation in the initial state is empty.
  const bool is_trail = looks_like_a_trail(text) || options.recorded.ends_with(".trail");
  const SavedTrace saved = is_trail ? SavedTrace{} : saved_trace_of(text, options.recorded);
  const SpinTrail trail = is_trail ? trail_of(text, options.recorded) : SpinTrail{};
  const CheckOptions loading = settings_for(saved, options);
  LoadedModel model;
  load_model(loading, model);
  if (const std::optional<int> code = refused(model, options, output)) return *code;
  if (is_trail && model.promela == nullptr)
    throw UsageError(
        fmt::format("`{}` is a trail of Spin, and `{}` is no Promela model", options.recorded, options.model));
  ReplayCommand command(model, options, output);
  return is_trail ? command.run(trail) : command.run(saved);
}

}  // namespace fathom
