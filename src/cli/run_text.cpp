#include "cli/run_text.hpp"

#include <fmt/format.h>

#include "report/chart.hpp"
#include "report/exit_code.hpp"
#include "report/text.hpp"

namespace fathom {

TraceText RunText::words() const {
  return {stepper_.model().language, options_.trace, output_.style()};
}

void RunText::show_new_steps() {
  if (options_.trace == TraceDetail::off) return;
  const TraceText words = this->words();
  if (!started_) output_.put(words.start(stepper_.trace().start));
  started_ = true;
  for (const TraceStep& step : stepper_.steps_from(shown_)) {
    if (stepper_.loop() == shown_) output_.put(output_.style().strong("  the loop begins here") + "\n");
    output_.put(words.step(++shown_, step));
  }
  if (stepper_.loop() && *stepper_.loop() < shown_)
    output_.put(output_.style().strong(fmt::format("  back to where step {} begins", *stepper_.loop() + 1)) + "\n");
}

void RunText::show_all() {
  started_ = false;
  shown_ = 0;
  show_new_steps();
}

std::string RunText::conclusion(const Report& report) const {
  std::string text = "\n" + render_verdict(report, output_.style());
  for (const std::string& line : report.conclusion) text += line + "\n";
  return text;
}

std::string RunText::chart(const Trace& trace) const {
  return options_.chart ? "\n" + draw_chart(trace, chart_options(options_.ascii)) : "";
}

std::optional<int> refused(const LoadedModel& model, const CheckOptions& options, Output& output) {
  output.show(model.diagnostics, model.sources);
  if (model.program != nullptr) return std::nullopt;
  Report report;
  report.model = options.model;
  report.language = model.language;
  report.verdict = Verdict::rejected;
  report.scope.statement = "the model was rejected";
  for (const Diagnostic& diagnostic : model.diagnostics.all())
    report.diagnostics.push_back({diagnostic.severity == Severity::error ? "error" : "warning",
                                  model.sources.location(diagnostic.range), diagnostic.message, diagnostic.code});
  output.finish(report);
  return exit_code::of(report);
}

}  // namespace fathom
