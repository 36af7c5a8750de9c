#include "cli/machine.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <thread>

namespace fathom {

namespace {

std::uint64_t physical_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_size = sysconf(_SC_PAGESIZE);
  return pages > 0 && page_size > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_size)
                                    : UINT64_MAX;
}

// "max", or nothing to read, means no limit.
std::uint64_t limit_in(const std::string& file) {
  std::ifstream stream(file);
  std::uint64_t limit = 0;
  return stream >> limit ? limit : UINT64_MAX;
}

// The path of our group below the mount point, from a line "0::/user.slice/…"; "" when there is none.
std::string group_path() {
  std::ifstream stream("/proc/self/cgroup");
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("0::")) return line.substr(3);
  }
  return "";
}

// A limit may be set at our group or at any one above it. Inside a container only the mount point may be visible.
std::uint64_t control_group_memory() {
  std::uint64_t least = limit_in("/sys/fs/cgroup/memory/memory.limit_in_bytes");
  for (std::string path = group_path();; path.resize(path.find_last_of('/'))) {
    least = std::min(least, limit_in("/sys/fs/cgroup" + path + "/memory.max"));
    if (path.find('/') == std::string::npos) return least;
  }
}

// A control group may grant less time than its processors have: "150000 100000" is one and a half of them.
double control_group_cores() {
  std::ifstream stream("/sys/fs/cgroup" + group_path() + "/cpu.max");
  double quota = 0, period = 0;
  return stream >> quota >> period && period > 0 ? quota / period : INFINITY;
}

}  // namespace

std::uint64_t available_memory() {
  return std::min(physical_memory(), control_group_memory());
}

std::uint64_t available_cores() {
  const double cores = std::min<double>(std::max(1U, std::thread::hardware_concurrency()), control_group_cores());
  return std::max<std::uint64_t>(1, std::llround(cores));
}

}  // namespace fathom
