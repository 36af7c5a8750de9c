#include "support/subprocess.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>

#include "support/end_programs.hpp"

extern char** environ;

namespace fathom {

namespace {

constexpr int poll_milliseconds = 10;

std::atomic<bool (*)()> asked_to_end = nullptr;

bool asked_to_stop() {
  bool (*const asked)() = asked_to_end;
  return asked != nullptr && asked();
}

// The programs that we wait for, where a signal handler finds them. More than a few at a time there never are; one for
// which there is no place would only outlive us.
class RunningPrograms {
 public:
  void enter(pid_t program) {
    for (std::atomic<pid_t>& place : places_)
      if (pid_t nobody = 0; place.compare_exchange_strong(nobody, program)) return;
  }
  void leave(pid_t program) {
    for (std::atomic<pid_t>& place : places_)
      if (pid_t expected = program; place.compare_exchange_strong(expected, 0)) return;
  }
  void kill() const {
    for (const std::atomic<pid_t>& place : places_)
      if (const pid_t program = place; program != 0) ::kill(-program, SIGKILL);
  }

 private:
  static_assert(std::atomic<pid_t>::is_always_lock_free);
  std::array<std::atomic<pid_t>, 16> places_{};
};

RunningPrograms running_programs;

class Pipe {
 public:
  Pipe() { open_ = ::pipe2(ends_.data(), O_CLOEXEC) == 0; }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_writer();
    if (open_) ::close(ends_[0]);
  }
  void close_writer() {
    if (open_ && ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }
  [[nodiscard]] bool open() const { return open_; }
  [[nodiscard]] int reader() const { return ends_[0]; }
  [[nodiscard]] int writer() const { return ends_[1]; }

 private:
  std::array<int, 2> ends_{-1, -1};
  bool open_ = false;
};

// How the child is started: its own group, no blocked signals, output into the pipe.
class SpawnSettings {
 public:
  explicit SpawnSettings(int output) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output, STDERR_FILENO);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  [[nodiscard]] const posix_spawn_file_actions_t* actions() const { return &actions_; }
  [[nodiscard]] const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

int exit_code(int raw) {
  return WIFSIGNALED(raw) ? 128 + WTERMSIG(raw) : WEXITSTATUS(raw);
}

bool ended(pid_t child, int flags, int& raw) {
  pid_t answer = 0;
  do answer = ::waitpid(child, &raw, flags);
  while (answer < 0 && errno == EINTR);
  return answer != 0;
}

// Takes what is there; false at the end of the stream.
bool drain(int reader, int timeout, std::string& output) {
  pollfd watched{reader, POLLIN, 0};
  if (::poll(&watched, 1, timeout) <= 0) return true;
  std::array<char, 4096> buffer;
  const ssize_t count = ::read(reader, buffer.data(), buffer.size());
  if (count > 0) output.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && errno == EINTR);
}

// As the system wants a list of texts: it ends with null.
std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_with(const std::filesystem::path& temporary_folder) {
  constexpr std::string_view name = "TMPDIR=";
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (temporary_folder.empty() || !std::string_view(*variable).starts_with(name)) variables.emplace_back(*variable);
  if (!temporary_folder.empty()) variables.push_back(std::string(name) + temporary_folder.string());
  return variables;
}

int spawn(const std::vector<std::string>& command, const std::vector<std::string>& environment, int output,
          pid_t& child) {
  const std::vector<char*> arguments = pointers_to(command), variables = pointers_to(environment);
  const SpawnSettings settings(output);
  return ::posix_spawnp(&child, arguments[0], settings.actions(), settings.attributes(), arguments.data(),
                        variables.data());
}

// Something the program left behind may hold the pipe open, so we take what has arrived and do not wait for the end.
void drain_rest(int reader, std::string& output) {
  std::size_t before = 0;
  do before = output.size();
  while (drain(reader, 0, output) && output.size() > before);
}

// Collects output until the child has ended or is to be stopped; returns its raw status.
int attend(pid_t child, int reader, const std::stop_token& stop, ProcessResult& result) {
  int raw = 0;
  bool streaming = true;
  while (!stop.stop_requested() && !asked_to_stop()) {
    if (streaming) {
      streaming = drain(reader, poll_milliseconds, result.output);
    } else {
      ::poll(nullptr, 0, poll_milliseconds);
    }
    if (!ended(child, WNOHANG, raw)) continue;
    if (streaming) drain_rest(reader, result.output);
    return raw;
  }
  result.stopped = true;
  ::kill(-child, SIGKILL);
  ended(child, 0, raw);
  return raw;
}

}  // namespace

void end_programs_when(bool (*asked)()) {
  asked_to_end = asked;
}

void end_programs_now() {
  running_programs.kill();
}

ProcessResult run_process(const std::vector<std::string>& command, const std::stop_token& stop,
                          const std::filesystem::path& temporary_folder) {
  ProcessResult result;
  result.status = 127;
  Pipe pipe;
  pid_t child = 0;
  const int error = pipe.open() ? spawn(command, environment_with(temporary_folder), pipe.writer(), child) : errno;
  if (error != 0) {
    result.output = std::strerror(error);
    return result;
  }
  pipe.close_writer();
  running_programs.enter(child);
  const int raw = attend(child, pipe.reader(), stop, result);
  running_programs.leave(child);
  result.status = exit_code(raw);
  return result;
}

}  // namespace fathom
