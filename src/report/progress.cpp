#include "report/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "report/assess.hpp"

namespace fathom {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds redraw_interval{200};
constexpr seconds early_interval{10};  // plain lines: this often in the first minute, then less
constexpr seconds late_interval{30};
constexpr seconds early_phase{60};

void write(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace

ProgressLine::ProgressLine(bool enabled, bool terminal)
    : enabled_(enabled), terminal_(terminal), start_(Clock::now()), last_(start_) {
  next_ = terminal_ ? start_ + redraw_interval : start_ + early_interval;
}

bool ProgressLine::on_terminal() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

void ProgressLine::update(const Progress& progress) {
  if (!enabled_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  const std::string text = describe(progress, now);
  if (terminal_) {
    write("\r\033[K" + text);
    drawn_ = true;
    next_ = now + redraw_interval;
  } else {
    write(text + "\n");
    next_ = now + (now - start_ < early_phase ? early_interval : late_interval);
  }
  remember(progress, now);
}

void ProgressLine::status(const Progress& progress) {
  clear();
  write(describe(progress, Clock::now()) + "\n");
}

void ProgressLine::note(const std::string& text) {
  if (!enabled_) return;
  clear();
  write(text + "\n");
}

void ProgressLine::clear() {
  if (!drawn_) return;
  write("\r\033[K");
  drawn_ = false;
}

void ProgressLine::remember(const Progress& progress, Clock::time_point now) {
  last_ = now;
  last_states_ = progress.states;
}

std::string ProgressLine::describe(const Progress& progress, Clock::time_point now) const {
  const double interval = std::chrono::duration<double>(now - last_).count();
  // A new phase may start to count again.
  const std::uint64_t fresh = progress.states >= last_states_ ? progress.states - last_states_ : progress.states;
  const auto rate = static_cast<std::uint64_t>(interval > 0 ? static_cast<double>(fresh) / interval : 0);
  const auto elapsed = std::chrono::duration_cast<seconds>(now - start_).count();
  return fmt::format("{}: {} states, {} new/s, depth {}, queue {}, {:.0f} MiB, {} s", progress.phase,
                     grouped(progress.states), grouped(rate), grouped(progress.depth), grouped(progress.queue),
                     static_cast<double>(progress.bytes) / (1024.0 * 1024.0), elapsed);
}

}  // namespace fathom
