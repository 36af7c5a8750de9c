#include "cli/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "cli/marks.hpp"
#include "cli/model_file.hpp"
#include "cli/output.hpp"
#include "cli/proof_file.hpp"
#include "cli/repeat.hpp"
#include "cli/search_job.hpp"
#include "cli/signals.hpp"
#include "cli/usage_error.hpp"
#include "report/assess.hpp"
#include "report/combine.hpp"
#include "report/exit_code.hpp"
#include "trace/conclude.hpp"
#include "trace/concretise.hpp"

namespace fathom {

namespace {

// A search that is over: of the states, or for a claim.
struct Run {
  std::optional<std::uint32_t> claim;
  PropertySelection selection;
  JobResult result;
  double seconds = 0;
  std::optional<RepeatReport> repeat = {};
};

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
    if (std::ranges::count(report_.warnings, message) > 0) return;
    report_.warnings.push_back(message);
    output_.warn(message);
  }

  void search() {
    if (options_.threads > 1 && options_.repeat == 1) warn("the search uses one thread for now");
    select();
    while (!search_all()) select();
    output_.progress().clear();
    for (const Run& run : runs_) add(run);
    show_witness();
    write_proof();
    if (report_.statistics.states == 0 && report_.verdict == Verdict::holds) {
      warn("there is no start state: nothing was checked");
    }
  }

  // A search of the states, and one for each claim. False: the program has grown, and everything is void.
  bool search_all() {
    runs_.clear();
    if (selection_.states && !search_once(selection_, {})) return false;
    for (const std::uint32_t claim : selection_.claims)
      if (!search_once(nothing_of_states(), claim)) return false;
    const bool covered =
        selection_.states || std::ranges::any_of(runs_, [](const Run& run) { return run.result.search.covers_model; });
    return covered || any_violation() || !stop_reason_.empty() || search_once(nothing_of_states(), {});
  }

  bool search_once(const PropertySelection& selection, std::optional<std::uint32_t> claim) {
    const auto begin = ProgressLine::Clock::now();
    RepeatedJob done = run_repeated({*model_.program, options_, selection, &output_,
                                     [this](const Progress& progress) { return tick(progress); },
                                     [this](const Diagnostics& diagnostics) { tell(diagnostics); }, claim});
    if (grow_program(model_, done.result.search.faults)) return false;
    if (done.result.search.first && !any_violation()) report_.seed = done.seed;
    runs_.push_back({claim, selection, std::move(done.result), seconds_since(begin), done.repeat});
    return true;
  }

  [[nodiscard]] bool any_violation() const {
    return std::ranges::any_of(runs_, [](const Run& run) { return run.result.search.first.has_value(); });
  }

  // Run-time errors are looked for in any case.
  [[nodiscard]] PropertySelection nothing_of_states() const {
    PropertySelection nothing;
    nothing.selected.assign(model_.program->properties.size(), false);
    nothing.deadlock = nothing.assertions = false;
    return nothing;
  }

  void add(const Run& run) {
    const JobResult& result = run.result;
    for (const std::string& message : result.warnings) warn(message);
    if (!result.engine.note.empty()) warn(result.engine.note);
    Report part;
    part.engine = result.engine;
    if (result.canonicaliser != nullptr) part.reductions.emplace_back("symmetry");
    if (result.partial_order != nullptr) part.reductions.emplace_back("por");
    judge(run, part);
    part.statistics.compile_seconds = result.compile_seconds;
    part.statistics.seconds = run.seconds;
    if (result.search.first) add_trace(result, part);
    combine(report_, std::move(part),
            {name_of(run), result.search_text, {}, {}, {}, result.automaton_states, run.repeat});
  }

  [[nodiscard]] std::string name_of(const Run& run) const {
    return run.claim ? model_.program->claims[*run.claim].name : "states";
  }

  void select() {
    std::vector<std::string> warnings;
    PropertySelection selection = select_properties(*model_.program, options_.properties, warnings);
    const bool off = options_.deadlock == DeadlockMode::off;
    if (off && selection.deadlock && !options_.properties.empty()) {
      throw UsageError("--property deadlock contradicts --deadlock off");
    }
    selection.deadlock &= !off;
    selection_ = std::move(selection);
    if (runs_.empty())
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

  void judge(const Run& run, Report& report) {
    const JobResult& result = run.result;
    assess({.program = *model_.program,
            .result = result.search,
            .selected = run.selection.selected,
            .deadlock_selected = run.selection.deadlock,
            .max_depth = options_.max_depth,
            .allow_lossy = options_.allow_lossy,
            .symmetry = result.canonicaliser != nullptr,
            .symmetry_assumed = result.symmetry_assumed,
            .partial_order = result.partial_order != nullptr,
            .stop_reason = stop_reason_,
            .hits = result.hits,
            .pending = result.pending,
            .claim = run.claim,
            .automaton_states = result.automaton_states},
           report);
    if (result.search.ending == Ending::time_or_user) report.signal = stop_signal();
  }

  // Where everything holds, a run can still be worth a look: the first that shows that a formula of the μ-calculus
  // does.
  void show_witness() {
    if (report_.verdict != Verdict::holds) return;
    const auto shown =
        std::ranges::find_if(runs_, [](const Run& run) { return run.result.search.witness.has_value(); });
    if (shown != runs_.end()) describe_run(*shown->result.search.witness, shown->result, true, report_);
  }

  void write_proof() {
    if (!options_.mu_proof) return;
    const auto decided = std::ranges::find_if(runs_, [](const Run& run) { return run.result.proof.has_value(); });
    if (decided == runs_.end()) return warn("no --mu formula was decided: there is nothing to write");
    write_proof_file(*options_.mu_proof, *decided->result.proof);
  }

  // The one trace that is shown is that of the first violation.
  void add_trace(const JobResult& result, Report& report) {
    if (report_.trace) return;
    describe_run(*result.search.first, result, false, report);
  }

  void describe_run(const Counterexample& found, const JobResult& result, bool is_witness, Report& report) {
    InterpretedModel model(*model_.program);
    ConcreteRun run = concretise(found, model, result.canonicaliser.get(), result.exact_canonicaliser.get());
    run.rules = result.rules;
    run.is_witness = is_witness;
    const Replayed replayed = replay(run, model, options_.deadlock, outputs_of(model_));
    const std::optional<Agents> agents = named_agents(*model_.program, options_);
    report.found_length = result.found_length;
    report.trace = describe(
        Describer(*model_.program, agents ? &*agents : nullptr, options_.trace == TraceDetail::full), run, replayed);
    report.conclusion = conclude(*model_.program, run, replayed, options_.deadlock);
    if (!report.culprit || report.conclusion.empty()) return;
    report.properties[*report.culprit].message = replayed.fault.empty() ? report.conclusion.front() : replayed.fault;
  }

  static double seconds_since(ProgressLine::Clock::time_point begin) {
    return std::chrono::duration<double>(ProgressLine::Clock::now() - begin).count();
  }

  [[nodiscard]] double elapsed() const { return seconds_since(start_); }

  const ProgressLine::Clock::time_point start_ = ProgressLine::Clock::now();
  const CheckOptions& options_;
  Output output_;
  LoadedModel model_;
  PropertySelection selection_;
  std::vector<Run> runs_;
  std::string stop_reason_;
  Report report_;
};

}  // namespace

int check(const CheckOptions& options) {
  return Check(options).run();
}

}  // namespace fathom
