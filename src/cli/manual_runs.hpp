// What `fathom help` says of simulate, replay and graph; the manual page has the same text.
#pragma once

namespace fathom {

extern const char* const simulate_help;
extern const char* const replay_help;
extern const char* const graph_help;

}  // namespace fathom
