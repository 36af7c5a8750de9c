// What `fathom help hunt`, `fathom help simulate` and `fathom help replay` say; the manual page has the same text.
#pragma once

namespace fathom {

extern const char* const hunt_help;
extern const char* const simulate_help;
extern const char* const replay_help;

}  // namespace fathom
