// A trace as a sequence chart in text: a lifeline for each process or agent, local steps beside it, and messages as
// arrows between them. A message that waits in a channel is marked where it is sent, and its arrow is drawn where it is
// received; a rendezvous is an arrow at once.
#pragma once

#include <string>

#include "trace/trace.hpp"

namespace fathom {

struct ChartOptions {
  bool ascii = false;
  std::size_t width = 100;  // columns
};

// For standard output: Unicode where the locale has it, as wide as the terminal.
ChartOptions chart_options(bool ascii);

std::string draw_chart(const Trace& trace, const ChartOptions& options);

}  // namespace fathom
