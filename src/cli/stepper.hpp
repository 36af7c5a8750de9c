// A model that is executed step by step: what is possible in the present state, taking a step and taking it back, and
// whether something is violated. `fathom simulate` and `fathom replay` are made of it.
//
// The program of a Promela model may turn out to have no room for a process. Then a larger one is made and the run so
// far is repeated in it, so numbers of steps are valid only until the next call of choices().
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "cli/model_file.hpp"
#include "cli/options.hpp"
#include "cli/property_selection.hpp"
#include "report/report.hpp"
#include "search/recorder.hpp"
#include "trace/concrete_run.hpp"
#include "trace/execution.hpp"
#include "trace/follow.hpp"
#include "trace/trace.hpp"

namespace fathom {

class Stepper {
 public:
  // The model must have loaded. Throws UsageError when the options ask for properties it does not have.
  Stepper(LoadedModel& model, const CheckOptions& options);

  [[nodiscard]] std::vector<InstanceId> starts();
  [[nodiscard]] TraceStart describe_start(InstanceId start) const;
  void begin(InstanceId start);
  // What can be done now; empty when the run is over.
  const std::vector<InstanceId>& choices();
  // The edges inside a step that can be taken now, without their changes.
  [[nodiscard]] std::vector<TraceStep> titles_of(InstanceId step);
  void take(InstanceId step);
  void undo();
  // Begins anew and goes along a record of a run, as far as it fits.
  Followed follow(const Trace& record);
  using MakeGuide = std::function<std::unique_ptr<Guide>(InterpretedModel&, const Describer&)>;
  Followed follow(const MakeGuide& make_guide);

  // Whether the run, which goes round for ever from the shown step `loop` on if there is one, violates a claim in this
  // way; then that is its violation.
  bool breaks_claim(const Violation& violation, std::optional<std::size_t> loop);

  // The violation that ended the run.
  [[nodiscard]] const std::optional<Violation>& violation() const { return violation_; }
  [[nodiscard]] bool over() { return violation_ || choices().empty(); }

  [[nodiscard]] StateView state() const { return run_->state(); }
  [[nodiscard]] std::size_t length() const { return run_->steps().size(); }  // in steps of the system
  // The shown step at which a run that never ends begins to go round.
  [[nodiscard]] std::optional<std::size_t> loop() const {
    return loop_ ? std::optional(run_->shown_before(*loop_)) : std::nullopt;
  }
  [[nodiscard]] std::size_t shown_before(std::size_t step) const { return run_->shown_before(step); }
  [[nodiscard]] std::size_t shown() const { return run_->record().steps.size(); }
  [[nodiscard]] std::vector<TraceStep> steps_from(std::size_t first) const;
  [[nodiscard]] Trace trace() const;
  // The run as a search would have returned it, with what it counted.
  [[nodiscard]] Counterexample counterexample() const;
  [[nodiscard]] SearchResult result() const;
  [[nodiscard]] const PropertySelection& selection() const { return selection_; }
  // Everything about the run, with its trace; `statement` says what was done.
  [[nodiscard]] Report report(const std::string& command, const std::string& statement);

  [[nodiscard]] InterpretedModel& interpreter() { return *interpreter_; }
  [[nodiscard]] const Describer& describer() const { return *describer_; }
  [[nodiscard]] const LoadedModel& model() const { return model_; }
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  void set_up();
  void find_choices();
  void examine_state();
  // The run so far, if one of these steps would create a process that the program has no room for.
  [[nodiscard]] std::optional<Trace> trace_if_room_is_missing(const Batch& steps) const;
  // Makes another program with room for those processes, after which everything must be set up anew. False: the program
  // is as it was.
  bool make_room(const Batch& steps);
  [[nodiscard]] ConcreteRun concrete_run() const;

  LoadedModel& model_;
  const CheckOptions& options_;
  PropertySelection selection_;
  std::vector<std::string> warnings_;
  std::unique_ptr<InterpretedModel> interpreter_;
  std::optional<Agents> agents_;
  std::unique_ptr<Describer> describer_;
  std::unique_ptr<Execution> run_;
  SearchOptions search_options_;
  std::unique_ptr<Recorder> recorder_;
  Batch batch_;
  std::optional<std::vector<InstanceId>> choices_;
  std::optional<Violation> violation_;
  std::string property_fault_;  // the message, where evaluating a property failed
  bool fails_inside_ = false;
  std::optional<std::size_t> loop_;  // as in ConcreteRun
};

}  // namespace fathom
