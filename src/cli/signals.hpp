// Signals during a search: the first SIGINT or SIGTERM asks it to stop, a second one ends the process at once, and
// SIGUSR1 asks for a status line.
#pragma once

namespace fathom {

void install_signal_handlers();

// The signal that asked us to stop, or 0.
int stop_signal();
// Whether a status line was asked for since the last call.
bool take_status_request();

}  // namespace fathom
