// What the commands that search a model have in common: the model is loaded, properties are selected, searches are run,
// and what they found is replayed and put into one report.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cli/evaluator_inputs.hpp"
#include "cli/model_file.hpp"
#include "cli/output.hpp"
#include "cli/repeat.hpp"
#include "cli/search_job.hpp"
#include "trace/trace.hpp"

namespace fathom {

// A search that is over: of the states, or for a claim.
struct Run {
  std::optional<std::uint32_t> claim;
  PropertySelection selection;
  JobResult result;
  double seconds = 0;
  std::uint64_t seed = 1;
  std::optional<RepeatReport> repeat = {};
};

class ModelCheck {
 public:
  explicit ModelCheck(const CheckOptions& options);

  // False: the model was rejected, and the report says so.
  bool load();
  [[nodiscard]] LoadedModel& model() { return model_; }
  [[nodiscard]] const ir::Program& program() const { return *model_.program; }
  [[nodiscard]] Output& output() { return output_; }
  [[nodiscard]] Report& report() { return report_; }

  // What the options ask for. The program may have grown since the last time.
  PropertySelection select();
  // For a search that looks for run-time errors only, which are looked for in any case.
  [[nodiscard]] PropertySelection nothing_of_states() const;

  // One search. Nothing: the program has grown, and everything found so far is void.
  std::optional<Run> search(PropertySelection selection, std::optional<std::uint32_t> claim);

  // Whether a search is to go on; it asks now and then.
  bool go_on(const Progress& progress);
  [[nodiscard]] bool stopped() const { return !stop_reason_.empty(); }
  [[nodiscard]] double elapsed() const { return seconds_since(start_); }
  static double seconds_since(ProgressLine::Clock::time_point begin);

  void warn(const std::string& message);      // once
  void announce(const std::string& message);  // a warning of a run that has not ended yet
  void tell(const Diagnostics& diagnostics);

  // The runs that make up the verdict, one by one, and then the report.
  void add(const Run& run);
  // A run that shows why everything holds.
  void show_witness(const Run& run);
  int finish();

 private:
  // What steps cost, and what tells how far a run has come.
  struct StepCosts {
    CostRequest request;
    std::unique_ptr<Evaluator> progress;
  };
  [[nodiscard]] std::unique_ptr<StepCosts> step_costs(ModelEvaluatorInputs& evaluators) const;
  void keep_for_checkpoints(const JobResult& result);
  static void add_cost(const RunCost& cost, const ConcreteRun& run, Report& report);
  void judge(const Run& run, Report& report);
  void add_trace(const Run& run, Report& report);
  void describe_run(const Run& run, const Counterexample& states, bool is_witness, Report& report);
  [[nodiscard]] ConcreteRun regrouped(ConcreteRun found, const Run& run, InterpretedModel& model) const;
  [[nodiscard]] Trace shown(const ConcreteRun& run, const Replayed& replayed) const;
  [[nodiscard]] std::string name_of(const Run& run) const;

  const ProgressLine::Clock::time_point start_ = ProgressLine::Clock::now();
  const CheckOptions& options_;
  Output output_;
  LoadedModel model_;
  std::string stop_reason_;
  std::vector<std::string> announced_;
  std::vector<FinishedRun> finished_;
  bool is_unfinished_ = false;  // one of the searches
  Report report_;
};

}  // namespace fathom
