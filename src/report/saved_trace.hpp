// Reads back the trace of a JSON report, or a trace by itself.
#pragma once

#include <stdexcept>
#include <string>

#include "report/report.hpp"

namespace fathom {

struct SavedTrace {
  Trace trace;
  std::string model;
  std::string language;
  // What the trace showed: kind and name of the violated property; empty where it showed nothing.
  std::string kind;
  std::string name;
};

// The text is no such report; the message says why.
struct BadTrace : std::runtime_error {
  using std::runtime_error::runtime_error;
};

SavedTrace read_trace(const std::string& json);

}  // namespace fathom
