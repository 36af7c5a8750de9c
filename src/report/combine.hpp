// Several searches, one report: each is assessed by itself, and then added to what is known.
#pragma once

#include "report/report.hpp"

namespace fathom {

// Adds a search to the report. The first violation with a trace is the one that is shown; coverage is that of the first
// search.
void combine(Report& whole, Report part, RunReport run);

}  // namespace fathom
