#include "cli/prompt.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iostream>

#include "cli/quantities.hpp"
#include "cli/usage_error.hpp"
#include "report/json.hpp"
#include "support/text.hpp"

namespace fathom {

namespace {

constexpr std::size_t longest_choice = 100;

}  // namespace

const std::vector<Prompt::Command>& Prompt::commands() {
  static const std::vector<Command> all{
      {"undo", "[N]", "take back the last step, or the last N", &Prompt::undo},
      {"run", "[N]", "take a random step, or N", &Prompt::run_random},
      {"until", "CONDITION", "take random steps until the condition holds", &Prompt::run_until},
      {"print", "EXPRESSION", "show a value", &Prompt::print},
      {"watch", "[EXPRESSION]", "show a value after each step; without one, stop that", &Prompt::watch},
      {"state", "", "show all variables", &Prompt::show_state},
      {"trace", "", "show the run so far", &Prompt::show_trace},
      {"save", "FILE", "write the run so far as JSON, for `fathom replay` and --guide", &Prompt::save},
      {"help", "", "show this", &Prompt::help},
      {"quit", "", "end", &Prompt::quit},
  };
  return all;
}

void Prompt::run() {
  after_steps();
  std::string line;
  while (!ended_ && read_line(line)) carry_out(std::string(trimmed(line)));
}

InstanceId Prompt::choose_start(const std::vector<InstanceId>& starts) {
  say("start states:");
  for (std::size_t k = 0; k < starts.size(); ++k) {
    const TraceStart start = stepper_.describe_start(starts[k]);
    say(fmt::format("{:>5}  {}  {}", k + 1, rule_title(start.name, start.parameters), start.location));
  }
  std::string line;
  while (read_line(line)) {
    const std::optional<std::uint64_t> number = parse_count(std::string(trimmed(line)));
    if (number && *number >= 1 && *number <= starts.size()) return starts[*number - 1];
    say(fmt::format("a number from 1 to {}, please", starts.size()));
  }
  return starts.front();
}

bool Prompt::read_line(std::string& line) {
  if (isatty(STDIN_FILENO) != 0) output_.put("> ");
  output_.flush();
  return static_cast<bool>(std::getline(std::cin, line));
}

void Prompt::carry_out(const std::string& line) {
  if (line.empty()) return show_choices();
  if (std::isdigit(static_cast<unsigned char>(line.front())) != 0) return take_number(line);
  const std::size_t space = line.find_first_of(" \t");
  const std::string word = line.substr(0, space);
  const std::string argument =
      space == std::string::npos ? "" : std::string(trimmed(std::string_view(line).substr(space)));
  std::vector<std::string> known;
  for (const Command& command : commands()) {
    known.emplace_back(command.name);
    const bool short_form = word.size() == 1 && command.name[0] == word[0];
    if (word != command.name && !short_form) continue;
    try {
      return (this->*command.carry_out)(argument);
    } catch (const BadQuestion& problem) {
      return say(problem.what());
    }
  }
  say(fmt::format("there is no command `{}`{}; `help` lists them", word, did_you_mean(word, known)));
}

void Prompt::take_number(const std::string& text) {
  const std::vector<InstanceId>& choices = stepper_.choices();
  const std::optional<std::uint64_t> number = parse_count(text);
  if (choices.empty()) return say("the run has ended here: `undo` goes back");
  if (!number || *number < 1 || *number > choices.size())
    return say(fmt::format("a number from 1 to {}, please", choices.size()));
  stepper_.take(choices[*number - 1]);
  after_steps();
}

void Prompt::after_steps() {
  text_.show_new_steps();
  for (const std::string& expression : watched_) {
    try {
      say("  watch  " + ask(stepper_.model(), options_, expression, QuestionKind::value)->answer(stepper_.state()));
    } catch (const BadQuestion& problem) {
      say(problem.what());
    }
  }
  show_choices();
}

void Prompt::show_choices() {
  const std::vector<InstanceId>& choices = stepper_.choices();
  if (stepper_.violation()) {
    output_.put(text_.conclusion(stepper_.report("simulate", "")));
    return;
  }
  if (choices.empty()) return say("nothing is enabled any more");
  say("choices:");
  for (std::size_t k = 0; k < choices.size(); ++k) say(fmt::format("{:>5}  {}", k + 1, line_of(choices[k])));
}

// The first statement, where it stands, and what follows it at once.
std::string Prompt::line_of(InstanceId choice) const {
  const std::vector<TraceStep> titles = stepper_.titles_of(choice);
  const TraceStep& first = titles.front();
  std::string rest;
  for (std::size_t k = 1; k < titles.size(); ++k) rest += (k == 1 ? " then " : "; ") + titles[k].rule;
  return one_line(text_.words().title(first) + rest, longest_choice) + "  " + first.location;
}

std::optional<std::size_t> Prompt::count(const std::string& argument, std::size_t otherwise) {
  if (argument.empty()) return otherwise;
  const std::optional<std::uint64_t> number = parse_count(argument);
  if (!number) say(fmt::format("`{}` is no number", argument));
  return number;
}

void Prompt::undo(const std::string& argument) {
  const std::optional<std::size_t> steps = count(argument, 1);
  if (!steps) return;
  if (stepper_.length() == 0) return say("this is the start");
  for (std::size_t k = 0; k < *steps && stepper_.length() > 0; ++k) stepper_.undo();
  text_.forget(stepper_.shown());
  say(fmt::format("back after step {}", stepper_.shown()));
  after_steps();
}

void Prompt::run_random(const std::string& argument) {
  const std::optional<std::size_t> steps = count(argument, 1);
  if (!steps) return;
  for (std::size_t k = 0; k < *steps && !stepper_.over(); ++k)
    stepper_.take(stepper_.choices()[random_() % stepper_.choices().size()]);
  after_steps();
}

void Prompt::run_until(const std::string& argument) {
  std::unique_ptr<Question> condition = ask(stepper_.model(), options_, argument, QuestionKind::condition);
  const ir::Program* program = stepper_.model().program.get();
  std::size_t steps = 0;
  while (!condition->holds(stepper_.state()) && steps < options_.steps && !stepper_.over()) {
    stepper_.take(stepper_.choices()[random_() % stepper_.choices().size()]);
    ++steps;
    if (program == stepper_.model().program.get()) continue;
    program = stepper_.model().program.get();
    condition = ask(stepper_.model(), options_, argument, QuestionKind::condition);
  }
  const bool holds = condition->holds(stepper_.state());
  text_.show_new_steps();
  say(fmt::format("`{}` {} after {} step{}", argument, holds ? "holds" : "does not hold", steps,
                  steps == 1 ? "" : "s"));
  after_steps();
}

void Prompt::print(const std::string& argument) {
  say(ask(stepper_.model(), options_, argument, QuestionKind::value)->answer(stepper_.state()));
}

void Prompt::watch(const std::string& argument) {
  if (argument.empty()) return watched_.clear();
  print(argument);
  watched_.push_back(argument);
}

void Prompt::show_state(const std::string&) {
  output_.put(text_.words().values(stepper_.describer().leaves().values(stepper_.state())));
}

void Prompt::show_trace(const std::string&) {
  text_.show_all();
}

void Prompt::save(const std::string& argument) {
  if (argument.empty()) return say("save to which file?");
  const std::size_t steps = stepper_.shown();
  std::ofstream file(argument, std::ios::binary);
  file << render_json(stepper_.report("simulate", fmt::format("a run of {} steps was saved", steps)));
  file.close();
  say(file ? fmt::format("saved {} step{} to `{}`", steps, steps == 1 ? "" : "s", argument)
           : fmt::format("cannot write `{}`", argument));
}

void Prompt::help(const std::string&) {
  say(fmt::format("  {:<22}take the step with this number", "NUMBER"));
  for (const Command& command : commands())
    say(fmt::format("  {:<22}{}", std::string(command.name) + " " + command.argument, command.help));
  say("An empty line shows the choices again; a command may be shortened to its first letter (s: state, u: undo).");
}

void Prompt::quit(const std::string&) {
  ended_ = true;
}

}  // namespace fathom
