// Progress on standard error: one line that is redrawn on a terminal, plain lines now and then elsewhere.
#pragma once

#include <chrono>
#include <string>

#include "search/search.hpp"

namespace fathom {

class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;

  // `enabled` false: nothing is shown unless status() asks for it.
  ProgressLine(bool enabled, bool terminal);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Shows the progress if it is time to; cheap enough to be called often.
  void update(const Progress& progress);
  // One plain line at once, whatever the settings.
  void status(const Progress& progress);
  // A line of its own about something that was found.
  void note(const std::string& text);
  // Removes the line from the terminal before something else is written.
  void clear();

  // Whether standard error is a terminal on which a line can be redrawn.
  static bool on_terminal();

 private:
  [[nodiscard]] std::string describe(const Progress& progress, Clock::time_point now) const;
  void remember(const Progress& progress, Clock::time_point now);

  bool enabled_;
  bool terminal_;
  bool drawn_ = false;
  Clock::time_point start_;
  Clock::time_point next_;
  Clock::time_point last_;
  std::uint64_t last_states_ = 0;
};

}  // namespace fathom
