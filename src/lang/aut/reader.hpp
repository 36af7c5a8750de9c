// Reads labelled transition systems in Aldebaran format (`.aut`), as mCRL2, CADP and LTSmin write them:
//
//     des (first-state, number-of-transitions, number-of-states)
//     (from, "label", to)
//     ...
//
// A label may stand without quotes; inside quotes a backslash takes the next character as it is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/diagnostics.hpp"

namespace fathom::aut {

struct Transition {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t label = 0;  // number in System::labels
  SourceRange range;
};

struct System {
  std::uint32_t first = 0;
  std::uint32_t states = 0;
  std::vector<std::string> labels;
  std::vector<Transition> transitions;
  SourceRange header;
};

// Reports what is wrong; then the system must not be used.
System read(const Sources& sources, FileId file, Diagnostics& diagnostics);

}  // namespace fathom::aut
