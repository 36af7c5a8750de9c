// Runs another program to its end and keeps what it says.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace fathom {

struct ProcessResult {
  int status = -1;       // exit code; 128 + signal when a signal ended it; 127 when it could not be started
  bool stopped = false;  // we ended it because of a stop request
  std::string output;    // standard output and error together

  [[nodiscard]] bool ok() const { return status == 0 && !stopped; }
};

// `command[0]` is a path or a name to look for in PATH. The program runs in its own process group, so that a stop
// request ends it together with everything it started; standard input is empty. Its temporary files go to a folder, if
// one is given: it has no time to remove them when it is stopped.
ProcessResult run_process(const std::vector<std::string>& command, const std::stop_token& stop = {},
                          const std::filesystem::path& temporary_folder = {});

}  // namespace fathom
