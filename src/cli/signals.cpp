#include "cli/signals.hpp"

#include <unistd.h>

#include <csignal>

#include "report/exit_code.hpp"
#include "support/end_programs.hpp"

namespace fathom {

namespace {

volatile std::sig_atomic_t stop = 0;
volatile std::sig_atomic_t status = 0;

extern "C" void on_stop(int signal) {
  if (stop != 0) {
    end_programs_now();
    _exit(exit_code::signal_base + signal);
  }
  stop = signal;
}

extern "C" void on_status(int) {
  status = 1;
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void install_signal_handlers() {
  handle(SIGINT, on_stop);
  handle(SIGTERM, on_stop);
  handle(SIGUSR1, on_status);
  end_programs_when([] { return stop_signal() != 0; });
  handle(SIGXFSZ, SIG_IGN);  // a file that may not grow any more is an error like a full disk, which is reported
}

int stop_signal() {
  return stop;
}

bool take_status_request() {
  const bool asked = status != 0;
  status = 0;
  return asked;
}

}  // namespace fathom
