// The report for people: the verdict on the first line, then the trace, statistics, and what success should make you
// suspicious of.
#pragma once

#include <string>

#include "report/report.hpp"
#include "report/style.hpp"

namespace fathom {

enum class TraceDetail { off, diff, full };

struct TextOptions {
  TraceDetail trace = TraceDetail::diff;
  bool colour = false;
  bool quiet = false;  // the verdict and the trace only
};

std::string render_text(const Report& report, const TextOptions& options);

}  // namespace fathom
