// What a run looks like while it grows: the steps that are new since the last time, the end of it, its chart.
#pragma once

#include <string>

#include "cli/output.hpp"
#include "cli/stepper.hpp"

namespace fathom {

class RunText {
 public:
  RunText(Stepper& stepper, Output& output, const CheckOptions& options)
      : stepper_(stepper), output_(output), options_(options) {}

  // What has not been shown yet. After steps were taken back only what comes later counts.
  void show_new_steps();
  void forget(std::size_t steps) { shown_ = std::min(shown_, steps); }
  // From the beginning.
  void show_all();

  // The verdict and why, for a run that shows a violation.
  [[nodiscard]] std::string conclusion(const Report& report) const;
  // The chart, if it was asked for.
  [[nodiscard]] std::string chart(const Trace& trace) const;
  [[nodiscard]] TraceText words() const;

 private:
  Stepper& stepper_;
  Output& output_;
  const CheckOptions& options_;
  std::size_t shown_ = 0;
  bool started_ = false;
};

// Shows the diagnostics of a model and, if it was rejected, ends the report: then the exit code is returned.
std::optional<int> refused(const LoadedModel& model, const CheckOptions& options, Output& output);

}  // namespace fathom
