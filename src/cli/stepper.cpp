#include "cli/stepper.hpp"

#include <algorithm>

#include "cli/marks.hpp"
#include "cli/search_job.hpp"
#include "report/assess.hpp"
#include "search/deadlock.hpp"
#include "support/hash.hpp"
#include "trace/conclude.hpp"
#include "trace/trace_guide.hpp"
#include "trace/verify_claim.hpp"

namespace fathom {

namespace {

bool is_of_claim(const Violation& violation) {
  return violation.kind == Violation::Kind::cycle || violation.kind == Violation::Kind::claim_end ||
         violation.kind == Violation::Kind::claim_assertion || violation.kind == Violation::Kind::mu_formula;
}

}  // namespace

Stepper::Stepper(LoadedModel& model, const CheckOptions& options) : model_(model), options_(options) {
  selection_ = select_properties(*model.program, options.properties, warnings_);
  selection_.deadlock &= options.deadlock != DeadlockMode::off;
  set_up();
}

void Stepper::set_up() {
  interpreter_ = std::make_unique<InterpretedModel>(*model_.program);
  agents_ = named_agents(*model_.program, options_);
  describer_ =
      std::make_unique<Describer>(*model_.program, agents_ ? &*agents_ : nullptr, options_.trace == TraceDetail::full);
  run_ = std::make_unique<Execution>(*interpreter_, outputs_of(model_));
  const SearchJob job{*model_.program, options_, selection_, nullptr, {}, {}};
  search_options_ = search_options(job);
  recorder_ = std::make_unique<Recorder>(search_options_);
  choices_.reset();
  violation_.reset();
  loop_.reset();
  fails_inside_ = false;
}

std::vector<InstanceId> Stepper::starts() {
  batch_.clear();
  interpreter_->initial(batch_);
  if (make_room(batch_)) {
    set_up();
    return starts();
  }
  std::vector<InstanceId> starts;
  for (std::uint32_t k = 0; k < batch_.size(); ++k) starts.push_back(batch_.instance(k));
  return starts;
}

TraceStart Stepper::describe_start(InstanceId start) const {
  StateBuffer state;
  interpreter_->start(start, state);
  return describer_->start(start, state);
}

void Stepper::begin(InstanceId start) {
  choices_.reset();
  violation_.reset();
  loop_.reset();
  const Outcome outcome = run_->begin(start);
  fails_inside_ = outcome.is_fault();
  if (fails_inside_) {
    violation_ = {Violation::Kind::fault, 0, outcome.site()};
  } else {
    examine_state();
  }
}

const std::vector<InstanceId>& Stepper::choices() {
  if (!choices_) find_choices();
  return *choices_;
}

void Stepper::find_choices() {
  choices_.emplace();
  if (violation_) return;
  batch_.clear();
  interpreter_->successors(run_->state(), batch_);
  if (const std::optional<Trace> so_far = trace_if_room_is_missing(batch_); so_far && make_room(batch_)) {
    set_up();
    follow(*so_far);
    return find_choices();
  }
  bool moves = false;
  for (std::uint32_t k = 0; k < batch_.size(); ++k) {
    moves = moves || batch_.outcome(k).is_fault() || !std::ranges::equal(batch_.state(k), run_->state());
    if (!batch_.outcome(k).is_dropped()) choices_->push_back(batch_.instance(k));
  }
  if (!is_deadlock(*interpreter_, search_options_, run_->state(), !batch_.empty(), moves)) return;
  violation_ = Violation{Violation::Kind::deadlock};
  choices_->clear();
}

std::optional<Trace> Stepper::trace_if_room_is_missing(const Batch& steps) const {
  for (std::uint32_t k = 0; k < steps.size(); ++k) {
    const Outcome outcome = steps.outcome(k);
    if (outcome.is_fault() && model_.program->site(outcome.site()).kind == ir::FaultKind::unplanned_process)
      return trace();
  }
  return std::nullopt;
}

bool Stepper::make_room(const Batch& steps) {
  std::vector<std::uint64_t> faults(model_.program->sites.size());
  for (std::uint32_t k = 0; k < steps.size(); ++k)
    if (steps.outcome(k).is_fault()) ++faults[static_cast<std::size_t>(steps.outcome(k).site())];
  return grow_program(model_, faults);
}

std::vector<TraceStep> Stepper::titles_of(InstanceId step) {
  std::vector<TraceStep> titles;
  for (const MicroPath::Step& edge : interpreter_->micro_steps(run_->state(), step).steps)
    if (!edge.joined) titles.push_back(describer_->title(edge.instance));
  return titles;
}

void Stepper::take(InstanceId step) {
  choices_.reset();
  const Outcome outcome = run_->take(step, [&](Outcome edge) { return recorder_->is_violation(edge); });
  if (outcome.is_fault()) {
    violation_ = {Violation::Kind::fault, 0, outcome.site()};
    fails_inside_ = true;
  } else {
    examine_state();
  }
}

void Stepper::examine_state() {
  const std::vector<Violation>& found = recorder_->examine(*interpreter_, run_->state());
  if (found.empty()) return;
  violation_ = found.front();
  if (violation_->kind == Violation::Kind::fault) property_fault_ = interpreter_->last_fault();
}

void Stepper::undo() {
  choices_.reset();
  violation_.reset();
  loop_.reset();
  fails_inside_ = false;
  run_->undo();
}

Followed Stepper::follow(const Trace& record) {
  return follow([&](InterpretedModel& model, const Describer& describer) {
    return std::make_unique<TraceGuide>(record, model, describer);
  });
}

Followed Stepper::follow(const MakeGuide& make_guide) {
  const std::unique_ptr<Guide> guide = make_guide(*interpreter_, *describer_);
  const Followed found = fathom::follow(*interpreter_, *guide);
  if (!found.complete && !found.state.empty()) {
    batch_.clear();
    interpreter_->successors(found.state, batch_);
    if (make_room(batch_)) {
      set_up();
      return follow(make_guide);
    }
  }
  begin(found.start);
  for (const InstanceId step : found.steps) {
    if (violation_) break;
    take(step);
  }
  return found;
}

std::vector<TraceStep> Stepper::steps_from(std::size_t first) const {
  return describer_->steps(run_->record(), first);
}

ConcreteRun Stepper::concrete_run() const {
  return {.violation = violation_.value_or(Violation{}),
          .start = run_->start(),
          .steps = run_->steps(),
          .fails_inside = fails_inside_,
          .loop = loop_,
          .rules = {.fair = options_.fair}};
}

Trace Stepper::trace() const {
  Trace trace = describe(*describer_, concrete_run(), run_->record());
  trace.loop = loop();
  return trace;
}

bool Stepper::breaks_claim(const Violation& violation, std::optional<std::size_t> loop) {
  ConcreteRun run = concrete_run();
  run.violation = violation;
  if (loop) {
    run.loop = run_->step_shown_after(*loop);
    if (!run.loop) return false;
  }
  try {
    verify_claim(run, run_->states(), *interpreter_);
  } catch (const ReplayError&) {
    return false;
  }
  violation_ = violation;
  loop_ = run.loop;
  return true;
}

Counterexample Stepper::counterexample() const {
  Counterexample run{*violation_, run_->states(), std::nullopt, false};
  run.steps = run_->steps();
  run.loop = loop_;
  if (!fails_inside_) return run;
  run.states.pop_back();
  run.failing_step = run.steps.empty() ? run_->start() : run.steps.back();
  if (!run.steps.empty()) run.steps.pop_back();
  return run;
}

// A run that was taken by hand is told like the result of a search that saw its states and nothing else.
SearchResult Stepper::result() const {
  SearchResult result;
  result.ending = violation_ ? Ending::error_limit : Ending::incomplete;
  result.statistics.states = result.statistics.depth = length();
  result.statistics.transitions = length();
  result.fired.resize(search_options_.shape.edges);
  result.violations.resize(search_options_.shape.properties);
  result.faults.resize(search_options_.shape.sites);
  for (const InstanceId step : run_->record().steps) ++result.fired[edge_of(step)];
  if (!violation_) return result;
  result.first = Counterexample{*violation_, {}, std::nullopt, false};
  result.statistics.errors = 1;
  if (violation_->kind == Violation::Kind::fault) ++result.faults[static_cast<std::size_t>(violation_->site)];
  if (violation_->kind == Violation::Kind::deadlock) result.deadlocks = 1;
  if (violation_->kind == Violation::Kind::invariant) ++result.violations[violation_->property];
  if (is_of_claim(*violation_)) result.claim_violations = 1;
  return result;
}

Report Stepper::report(const std::string& command, const std::string& statement) {
  SearchResult result = this->result();
  result.scope.gap = statement;
  Report report;
  report.model = options_.model;
  report.language = model_.language;
  report.search = command;
  report.seed = options_.seed;
  report.warnings = warnings_;
  assess({.program = *model_.program,
          .result = result,
          .selected = selection_.selected,
          .deadlock_selected = selection_.deadlock,
          .hits = {interpreter_->hits().begin(), interpreter_->hits().end()},
          .pending = {interpreter_->pending().begin(), interpreter_->pending().end()},
          .claim = violation_ && is_of_claim(*violation_) ? std::optional(violation_->property) : std::nullopt},
         report);
  report.scope.statement = statement;
  report.vacuous.clear();
  report.trace = trace();
  if (!violation_) return report;
  Replayed record = run_->record();
  if (!property_fault_.empty()) record.fault = property_fault_;
  report.conclusion = conclude(*model_.program, concrete_run(), record, options_.deadlock);
  if (report.culprit && !report.conclusion.empty())
    report.properties[*report.culprit].message = record.fault.empty() ? report.conclusion.front() : record.fault;
  return report;
}

}  // namespace fathom
