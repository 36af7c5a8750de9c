// The person at the terminal: shows what can be done next, reads commands and carries them out. It works the same when
// commands come from a pipe.
#pragma once

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "cli/output.hpp"
#include "cli/question.hpp"
#include "cli/run_text.hpp"
#include "cli/stepper.hpp"

namespace fathom {

class Prompt {
 public:
  Prompt(Stepper& stepper, RunText& text, Output& output, const CheckOptions& options, std::mt19937_64& random)
      : stepper_(stepper), text_(text), output_(output), options_(options), random_(random) {}

  // Until `quit` or the end of the input.
  void run();
  // Which of several start states; the first at the end of the input.
  InstanceId choose_start(const std::vector<InstanceId>& starts);

 private:
  struct Command {
    const char* name;
    const char* argument;
    const char* help;
    void (Prompt::*carry_out)(const std::string& argument);
  };
  static const std::vector<Command>& commands();

  bool read_line(std::string& line);
  void carry_out(const std::string& line);
  void take_number(const std::string& text);
  void show_choices();
  void after_steps();
  void say(const std::string& line) { output_.put(line + "\n"); }

  void undo(const std::string& argument);
  void print(const std::string& argument);
  void watch(const std::string& argument);
  void run_random(const std::string& argument);
  void run_until(const std::string& argument);
  void show_state(const std::string& argument);
  void show_trace(const std::string& argument);
  void save(const std::string& argument);
  void help(const std::string& argument);
  void quit(const std::string& argument);

  [[nodiscard]] std::optional<std::size_t> count(const std::string& argument, std::size_t otherwise);
  [[nodiscard]] std::string line_of(InstanceId choice) const;

  Stepper& stepper_;
  RunText& text_;
  Output& output_;
  const CheckOptions& options_;
  std::mt19937_64& random_;
  std::vector<std::string> watched_;
  bool ended_ = false;
};

}  // namespace fathom
