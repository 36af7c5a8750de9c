#include "cli/check.hpp"

#include <fmt/format.h>

#include <chrono>

#include "cli/model_file.hpp"
#include "cli/output.hpp"
#include "cli/search_job.hpp"
#include "cli/signals.hpp"
#include "cli/usage_error.hpp"
#include "report/assess.hpp"
#include "report/exit_code.hpp"
#include "trace/conclude.hpp"
#include "trace/concretise.hpp"

namespace fathom {

namespace {

class Check {
 public:
  explicit Check(const CheckOptions& options) : options_(options), output_(options) {
    report_.model = options.model;
    report_.search = options.search;
    report_.seed = options.seed;
  }

  int run() {
    install_signal_handlers();
    load_model(options_, model_);
    report_.language = model_.language;
    tell(model_.diagnostics);
    if (model_.program == nullptr) {
      report_.verdict = Verdict::rejected;
      report_.scope.statement = "the model was rejected";
    } else {
      search();
    }
    report_.statistics.seconds = elapsed();
    output_.finish(report_);
    return exit_code::of(report_);
  }

 private:
  void tell(const Diagnostics& diagnostics) {
    output_.show(diagnostics, model_.sources);
    for (const Diagnostic& diagnostic : diagnostics.all()) {
      report_.diagnostics.push_back({diagnostic.severity == Severity::error ? "error" : "warning",
                                     model_.sources.location(diagnostic.range), diagnostic.message, diagnostic.code});
    }
  }

  void warn(const std::string& message) {
    report_.warnings.push_back(message);
    output_.warn(message);
  }

  void search() {
    if (options_.threads > 1) warn("the search uses one thread for now");
    select();
    JobResult result = search_once();
    while (grow_program(model_, result.search.faults)) result = search_once();
    output_.progress().clear();
    for (const std::string& message : result.warnings) warn(message);
    if (!result.engine.note.empty()) warn(result.engine.note);
    report_.engine = result.engine;
    report_.statistics.compile_seconds = result.compile_seconds;
    if (result.canonicaliser != nullptr) report_.reductions.emplace_back("symmetry");
    judge(result);
    if (result.search.first) add_trace(result);
  }

  JobResult search_once() {
    return run_job({*model_.program, options_, selection_, &output_,
                    [this](const Progress& progress) { return tick(progress); },
                    [this](const Diagnostics& diagnostics) { tell(diagnostics); }});
  }

  void select() {
    std::vector<std::string> warnings;
    const promela::Claims* const claims = model_.promela == nullptr ? nullptr : &model_.promela->claims();
    PropertySelection selection = select_properties(*model_.program, claims, options_.properties, warnings);
    const bool off = options_.deadlock == DeadlockMode::off;
    if (off && selection.deadlock && !options_.properties.empty()) {
      throw UsageError("--property deadlock contradicts --deadlock off");
    }
    selection.deadlock &= !off;
    selection_ = std::move(selection);
    for (const std::string& message : warnings) warn(message);
  }

  // The search asks us now and then whether to go on.
  bool tick(const Progress& progress) {
    if (take_status_request()) output_.progress().status(progress);
    output_.progress().update(progress);
    if (stop_signal() != 0) {
      stop_reason_ = "an interrupt";
    } else if (options_.seconds && elapsed() >= *options_.seconds) {
      stop_reason_ = fmt::format("the time limit of {:g} s", *options_.seconds);
    }
    return stop_reason_.empty();
  }

  void judge(const JobResult& result) {
    assess({.program = *model_.program,
            .result = result.search,
            .selected = selection_.selected,
            .deadlock_selected = selection_.deadlock,
            .max_depth = options_.max_depth,
            .allow_lossy = options_.allow_lossy,
            .symmetry = result.canonicaliser != nullptr,
            .symmetry_assumed = result.symmetry_assumed,
            .stop_reason = stop_reason_,
            .hits = result.hits,
            .pending = result.pending},
           report_);
    if (result.search.ending == Ending::time_or_user) report_.signal = stop_signal();
    if (report_.statistics.states == 0 && report_.verdict == Verdict::holds) {
      warn("there is no start state: nothing was checked");
    }
  }

  void add_trace(const JobResult& result) {
    InterpretedModel model(*model_.program);
    const ConcreteRun run =
        concretise(*result.search.first, model, result.canonicaliser.get(), result.exact_canonicaliser.get());
    const Replayed replayed = replay(run, model, options_.deadlock);
    report_.found_length = result.found_length;
    report_.trace = describe(*model_.program, run, replayed, options_.trace == TraceDetail::full);
    report_.conclusion = conclude(*model_.program, run, replayed, options_.deadlock);
    if (!report_.culprit || report_.conclusion.empty()) return;
    report_.properties[*report_.culprit].message = replayed.fault.empty() ? report_.conclusion.front() : replayed.fault;
  }

  [[nodiscard]] double elapsed() const {
    return std::chrono::duration<double>(ProgressLine::Clock::now() - start_).count();
  }

  const ProgressLine::Clock::time_point start_ = ProgressLine::Clock::now();
  const CheckOptions& options_;
  Output output_;
  LoadedModel model_;
  PropertySelection selection_;
  std::string stop_reason_;
  Report report_;
};

}  // namespace

int check(const CheckOptions& options) {
  return Check(options).run();
}

}  // namespace fathom
