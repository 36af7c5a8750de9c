#include "cli/model_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "cli/evaluator_inputs.hpp"
#include "cli/given_goal.hpp"
#include "cli/marks.hpp"
#include "cli/signals.hpp"
#include "cli/step_costs.hpp"
#include "cli/usage_error.hpp"
#include "heuristic/user_expression.hpp"
#include "report/assess.hpp"
#include "report/combine.hpp"
#include "report/exit_code.hpp"
#include "support/errors.hpp"
#include "trace/as_written.hpp"
#include "trace/conclude.hpp"
#include "trace/concretise.hpp"
#include "trace/fewer_switches.hpp"

namespace fathom {

ModelCheck::ModelCheck(const CheckOptions& options) : options_(options), output_(options) {
  report_.model = options.model;
  report_.search = options.search;
  report_.seed = options.seed;
}

bool ModelCheck::load() {
  install_signal_handlers();
  load_model(options_, model_);
  report_.language = model_.language;
  tell(model_.diagnostics);
  if (model_.program != nullptr) return true;
  report_.verdict = Verdict::rejected;
  report_.scope.statement = "the model was rejected";
  return false;
}

void ModelCheck::tell(const Diagnostics& diagnostics) {
  output_.show(diagnostics, model_.sources);
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    report_.diagnostics.push_back({diagnostic.severity == Severity::error ? "error" : "warning",
                                   model_.sources.location(diagnostic.range), diagnostic.message, diagnostic.code});
  }
}

void ModelCheck::warn(const std::string& message) {
  if (std::ranges::count(report_.warnings, message) > 0) return;
  report_.warnings.push_back(message);
  if (std::ranges::count(announced_, message) == 0) output_.warn(message);
}

void ModelCheck::announce(const std::string& message) {
  if (std::ranges::count(announced_, message) > 0) return;
  output_.warn(message);
  announced_.push_back(message);
}

PropertySelection ModelCheck::select() {
  std::vector<std::string> warnings;
  PropertySelection selection = select_properties(*model_.program, options_.properties, warnings);
  const bool off = options_.deadlock == DeadlockMode::off;
  if (off && selection.deadlock && !options_.properties.empty()) {
    throw UsageError("--property deadlock contradicts --deadlock off");
  }
  selection.deadlock &= !off;
  for (const std::string& message : warnings) warn(message);
  return selection;
}

PropertySelection ModelCheck::nothing_of_states() const {
  PropertySelection nothing;
  nothing.selected.assign(model_.program->properties.size(), false);
  nothing.states = nothing.deadlock = nothing.assertions = false;
  return nothing;
}

std::optional<Run> ModelCheck::search(PropertySelection selection, std::optional<std::uint32_t> claim) {
  const auto begin = ProgressLine::Clock::now();
  ModelEvaluatorInputs evaluators(model_, options_);
  const std::unique_ptr<StepCosts> costs = step_costs(evaluators);
  RepeatedJob done = run_repeated(
      {*model_.program, options_, selection, &output_, [this](const Progress& progress) { return go_on(progress); },
       [this](const Diagnostics& diagnostics) { tell(diagnostics); }, claim, &evaluators,
       model_.promela != nullptr ? &model_ : nullptr, costs != nullptr ? &costs->request : nullptr,
       [this](const std::string& text) { output_.progress().note(text); },
       [this](const std::string& text) { announce(text); }, finished_, !is_unfinished_});
  if (grow_program(model_, done.result.search.faults)) {
    finished_.clear();
    return std::nullopt;
  }
  keep_for_checkpoints(done.result);
  return Run{claim, std::move(selection), std::move(done.result), seconds_since(begin), done.seed, done.repeat};
}

// A checkpoint of a search that comes later has the results of those before it. One that was not through has left its
// own checkpoint, and no later search may put another one in its place.
void ModelCheck::keep_for_checkpoints(const JobResult& result) {
  const Ending ending = result.search.ending;
  if (ending == Ending::time_or_user || ending == Ending::memory_limit || ending == Ending::disk_full)
    is_unfinished_ = true;
  else if (!result.identity.empty())
    finished_.push_back({result.identity, result.search, result.hits, result.pending});
}

std::unique_ptr<ModelCheck::StepCosts> ModelCheck::step_costs(ModelEvaluatorInputs& evaluators) const {
  if (!model_.has_costs) return nullptr;
  auto costs = std::make_unique<StepCosts>();
  Diagnostics told_before, mistakes;
  costs->request = read_costs(*model_.program, model_.annotations, options_, told_before);
  const std::optional<SourceRange> written = only_annotation(model_.annotations, Annotation::Kind::progress, mistakes);
  std::string progress = written ? std::string(model_.sources.text(*written)) : "";
  if (wants_goal(options_) && !options_.progress.empty()) progress = options_.progress.back();
  if (progress.empty()) return costs;
  ModelFacts facts(*model_.program);
  costs->progress = std::make_unique<UserExpression>(evaluators.expression(progress), facts);
  costs->request.progress = costs->progress.get();
  return costs;
}

bool ModelCheck::go_on(const Progress& progress) {
  if (take_status_request()) output_.progress().status(progress);
  output_.progress().update(progress);
  if (stop_signal() != 0) {
    stop_reason_ = "an interrupt";
  } else if (options_.seconds && elapsed() >= *options_.seconds) {
    stop_reason_ = fmt::format("the time limit of {:g} s", *options_.seconds);
  }
  return stop_reason_.empty();
}

void ModelCheck::add(const Run& run) {
  const JobResult& result = run.result;
  for (const std::string& message : result.warnings) warn(message);
  if (!result.engine.note.empty()) warn(result.engine.note);
  Report part;
  part.engine = result.engine;
  if (result.canonicaliser != nullptr) part.reductions.emplace_back("symmetry");
  if (result.search.statistics.reduced > 0) part.reductions.emplace_back("por");
  judge(run, part);
  part.statistics.compile_seconds = result.compile_seconds;
  part.statistics.seconds = run.seconds;
  for (const EvaluatorUse& use : result.evaluators)
    part.evaluators.push_back({use.name, use.about, use.calls, use.seconds});
  if (result.search.first) add_trace(run, part);
  if (part.trace) report_.seed = run.seed;
  combine(report_, std::move(part),
          {name_of(run), result.search_text, {}, {}, {}, result.automaton_states, run.repeat});
}

std::string ModelCheck::name_of(const Run& run) const {
  return run.claim ? model_.program->claims[*run.claim].name : "states";
}

void ModelCheck::judge(const Run& run, Report& report) {
  const JobResult& result = run.result;
  assess({.program = *model_.program,
          .result = result.search,
          .selected = run.selection.selected,
          .deadlock_selected = run.selection.deadlock,
          .max_depth = options_.max_depth,
          .allow_lossy = options_.allow_lossy,
          .symmetry = result.canonicaliser != nullptr,
          .symmetry_assumed = result.symmetry_assumed,
          .partial_order = result.search.statistics.reduced > 0,
          .stop_reason = stop_reason_,
          .hits = result.hits,
          .pending = result.pending,
          .claim = run.claim,
          .automaton_states = result.automaton_states},
         report);
  if (result.search.ending == Ending::time_or_user) report.signal = stop_signal();
}

// The one trace that is shown is that of the first violation. That it cannot be executed again is our fault, unless the
// model's C code remembers what is no part of a state.
void ModelCheck::add_trace(const Run& run, Report& report) {
  if (report_.trace) return;
  const Counterexample& states = *run.result.search.first;
  if (model_.program->user_code == nullptr) return describe_run(run, states, false, report);
  try {
    describe_run(run, states, false, report);
  } catch (const ReplayError& error) {
    throw EnvironmentError(fmt::format(
        "the steps of the model depend on something that its C code keeps outside the state: {}", error.what()));
  }
}

void ModelCheck::show_witness(const Run& run) {
  describe_run(run, *run.result.search.witness, true, report_);
}

void ModelCheck::describe_run(const Run& run, const Counterexample& states, bool is_witness, Report& report) {
  const JobResult& result = run.result;
  InterpretedModel model(*model_.program);
  ConcreteRun found = concretise(states, model, result.canonicaliser.get(), result.exact_canonicaliser.get());
  found.rules = result.rules;
  found.is_witness = is_witness;
  if (options_.shorten && !result.cost) found = regrouped(std::move(found), run, model);
  const Replayed replayed = replay(found, model, options_.deadlock, outputs_of(model_));
  report.found_length = result.found_length;
  report.trace = shown(found, replayed);
  report.conclusion = conclude(*model_.program, found, replayed, options_.deadlock);
  if (goal_of(*model_.program) == states.violation.property && states.violation.kind == Violation::Kind::invariant)
    report.conclusion = {"the goal is reached here"};
  if (result.cost) add_cost(*result.cost, found, report);
  if (!report.culprit || report.conclusion.empty()) return;
  report.properties[*report.culprit].message = replayed.fault.empty() ? report.conclusion.front() : replayed.fault;
}

// What the run costs is counted along the run that is shown.
void ModelCheck::add_cost(const RunCost& cost, const ConcreteRun& run, Report& report) {
  std::uint64_t total = 0;
  for (const InstanceId step : run.steps) total += cost.of_edge[edge_of(step)];
  const std::uint64_t least = cost.cheapest ? total : std::min<std::uint64_t>(cost.at_least, total);
  report.trace->cost = TraceCost{total, least, cost.found};
  report.conclusion.push_back(fmt::format("the run costs {}; {}", grouped(total),
                                          least == total ? "no run costs less"
                                          : least > 0    ? fmt::format("no run costs less than {}", grouped(least))
                                                         : "a cheaper one may exist"));
}

ConcreteRun ModelCheck::regrouped(ConcreteRun found, const Run& run, InterpretedModel& model) const {
  const std::optional<Agents> agents = named_agents(*model_.program, options_);
  const Describer describer(*model_.program, agents ? &*agents : nullptr);
  const SearchOptions options = search_options({*model_.program, options_, run.selection, nullptr, {}, {}});
  const auto agent = [&](InstanceId step) { return fmt::format("{}", fmt::join(describer.title(step).agents, ",")); };
  return with_fewer_switches(std::move(found), model, {options, agent});
}

// The trace is that of the model as it is written.
Trace ModelCheck::shown(const ConcreteRun& run, const Replayed& replayed) const {
  const std::optional<Agents> agents = named_agents(*model_.program, options_);
  const auto tell = [&](const ir::Program& program, const Replayed& record) {
    return describe(Describer(program, agents ? &*agents : nullptr, options_.trace == TraceDetail::full), run, record);
  };
  const std::optional<WrittenModel> written = as_written(model_);
  if (!written) return tell(*model_.program, replayed);
  InterpretedModel model(*written->program);
  return tell(*written->program, as_written(replayed, run.start, model, &written->outputs));
}

int ModelCheck::finish() {
  output_.progress().clear();
  report_.statistics.seconds = elapsed();
  output_.finish(report_);
  return exit_code::of(report_);
}

double ModelCheck::seconds_since(ProgressLine::Clock::time_point begin) {
  return std::chrono::duration<double>(ProgressLine::Clock::now() - begin).count();
}

}  // namespace fathom
