#include "cli/simulate.hpp"

#include <fmt/format.h>

#include <chrono>
#include <iostream>
#include <iterator>
#include <random>

#include "cli/prompt.hpp"
#include "cli/run_text.hpp"
#include "cli/saved_run.hpp"
#include "cli/signals.hpp"
#include "report/assess.hpp"
#include "report/exit_code.hpp"
#include "trace/misfit.hpp"

namespace fathom {

namespace {

class Simulation {
 public:
  Simulation(LoadedModel& model, const CheckOptions& options, Output& output)
      : options_(options),
        output_(output),
        stepper_(model, options),
        text_(stepper_, output, options),
        random_(options.seed) {}

  int run() {
    for (const std::string& warning : stepper_.warnings()) output_.warn(warning);
    if (options_.guide) {
      follow_guide();
    } else if (!begin()) {
      return nothing_to_simulate();
    }
    text_.show_new_steps();
    if (options_.interactive) {
      Prompt(stepper_, text_, output_, options_, random_).run();
    } else {
      go_at_random();
    }
    return finish();
  }

 private:
  bool begin() {
    const std::vector<InstanceId> starts = stepper_.starts();
    if (starts.empty()) return false;
    if (options_.interactive && starts.size() > 1) {
      stepper_.begin(Prompt(stepper_, text_, output_, options_, random_).choose_start(starts));
    } else {
      stepper_.begin(starts[random_() % starts.size()]);
    }
    return true;
  }

  int nothing_to_simulate() {
    output_.warn("there is no start state: nothing can be simulated");
    return exit_code::holds;
  }

  void follow_guide() {
    const SavedTrace saved = load_saved_trace(*options_.guide);
    const Followed followed = stepper_.follow(saved.trace);
    if (followed.complete) return;
    output_.warn(fmt::format(
        "the trace fits up to step {} only; going on from there\n  step {}: {}", followed.position,
        followed.position + 1,
        why_not(stepper_.interpreter(), stepper_.describer(), saved.trace.steps[followed.position], stepper_.state())));
  }

  void go_at_random() {
    install_signal_handlers();
    const std::size_t before = stepper_.length();
    const auto begin = Clock::now();
    while (stop_signal() == 0 && stepper_.length() - before < options_.steps && !stepper_.over()) {
      late_ = options_.seconds && std::chrono::duration<double>(Clock::now() - begin).count() > *options_.seconds;
      if (late_) break;
      const std::vector<InstanceId>& choices = stepper_.choices();
      stepper_.take(choices[random_() % choices.size()]);
      text_.show_new_steps();
    }
    // A deadlock shows when one looks for the next step.
    if (!stepper_.violation()) stepper_.choices();
  }

  int finish() {
    const std::size_t length = stepper_.shown();
    const std::string steps = fmt::format("{} step{}", grouped(length), length == 1 ? "" : "s");
    const std::string statement = fmt::format("one run of {} was simulated", steps);
    const Report report = stepper_.report("simulate", statement);
    std::string end = text_.chart(*report.trace);
    if (stepper_.violation()) {
      if (!options_.interactive) end += text_.conclusion(report);
    } else {
      end += fmt::format("\nno violation in {}{}\n", steps, reason());
    }
    output_.finish(report, end);
    if (stop_signal() != 0) return exit_code::signal_base + stop_signal();
    return stepper_.violation() ? exit_code::violated : exit_code::holds;
  }

  [[nodiscard]] std::string reason() {
    if (stop_signal() != 0) return ", ended by an interrupt";
    if (late_) return ", ended by the time limit";
    return stepper_.choices().empty() ? "; nothing is enabled any more" : "";
  }

  using Clock = std::chrono::steady_clock;

  const CheckOptions& options_;
  Output& output_;
  Stepper stepper_;
  RunText text_;
  std::mt19937_64 random_;
  bool late_ = false;
};

// Interactively it is for commands.
std::string standard_input() {
  static const std::string all{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
  return all;
}

}  // namespace

int simulate(const CheckOptions& options) {
  Output output(options);
  LoadedModel model;
  if (!options.interactive) model.input = standard_input;
  load_model(without_optimisation(options), model);
  if (const std::optional<int> code = refused(model, options, output)) return *code;
  return Simulation(model, options, output).run();
}

}  // namespace fathom
