// The report for people: the verdict on the first line, then the trace, statistics, and what success should make you
// suspicious of.
#pragma once

#include <optional>
#include <string>

#include "report/chart.hpp"
#include "report/report.hpp"
#include "report/trace_text.hpp"

namespace fathom {

struct TextOptions {
  TraceDetail trace = TraceDetail::diff;
  bool colour = false;
  bool quiet = false;                      // the verdict and the trace only
  std::optional<ChartOptions> chart = {};  // draw the trace as well
};

std::string render_text(const Report& report, const TextOptions& options);
// The first line alone: "violated: invariant "mutex" (model.m:12:1)".
std::string render_verdict(const Report& report, const Style& style);

}  // namespace fathom
